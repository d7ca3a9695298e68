//! Files: round trips of written data, and errors of invalid files.

use std::fs;
use std::io;
use std::path::Path;

use pdb_table::bundle::{
    Bundle, BundleError, BundleWriter, MANIFEST_NAME, Manifest, ManifestPart, write_unpacked,
};
use pdb_table::{
    AtomicFile, Cancel, Compression, Encoding, FileError, FileErrorKind, HEADER_LENGTH, Header,
    LockAttempt, Packed, ReadError, Table, TableBytes, TableDirectory, TableError, TableFile, hex,
    is_temporary, try_lock, unpack_memory, write_table,
};
use puzzle::{Goal, HeuristicSpec, TableKind};
use sha2::{Digest, Sha256};

use crate::statistics::{id, table, values};

fn example(encoding: Encoding) -> Table<Vec<u8>> {
    let id = id("3x3", &[0, 1, 2], TableKind::ZeroAware);
    table(id, encoding, &values(id))
}

#[test]
fn tables_are_mapped_or_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pdb");
    let table = example(Encoding::U8);
    let length = table.bytes().len() as u64;
    fs::write(&path, table.bytes()).unwrap();
    for (from, is_loaded) in [
        (0, true),
        (length, true),
        (length + 1, false),
        (u64::MAX, false),
    ] {
        let file = TableFile::open_loading(&path, from).unwrap();
        assert!(file.bytes() == table.bytes());
        let (loaded, id) = (format!("{file:?}").contains("Loaded"), file.id());
        assert_eq!((loaded, id), (is_loaded, table.id()));
    }
    assert!(TableFile::open(&path).unwrap().bytes() == table.bytes());
    let owned = table.clone().map_data(TableBytes::Owned);
    assert!(owned.bytes() == table.bytes());
    let directory = TableDirectory::new(folder.path()).loading_from(1);
    let file = directory.open(table.id(), Encoding::U8, &path).unwrap();
    assert!(format!("{file:?}").contains("Loaded"));
    assert_eq!(directory.path(), folder.path());
}

#[test]
fn headers_are_read_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pdb");
    let table = example(Encoding::OneBit);
    fs::write(&path, table.bytes()).unwrap();
    assert_eq!(TableFile::read_header(&path).unwrap(), *table.header());
    fs::write(&path, zstd::encode_all(table.bytes(), 3).unwrap()).unwrap();
    assert_eq!(TableFile::read_header(&path).unwrap(), *table.header());
    assert!(TableFile::open(&path).unwrap().bytes() == table.bytes());
    for length in [table.bytes().len() - 1, HEADER_LENGTH] {
        fs::write(&path, &table.bytes()[..length]).unwrap();
        let error = TableFile::read_header(&path).unwrap_err();
        let (found, expected) = (length as u64, table.bytes().len() as u64);
        let FileErrorKind::Table(kind) = error.kind else {
            panic!("{error}");
        };
        assert_eq!(kind, TableError::Length { found, expected });
    }
    fs::write(&path, &table.bytes()[..HEADER_LENGTH - 1]).unwrap();
    let error = TableFile::read_header(&path).unwrap_err().to_string();
    assert!(
        error.contains("a.pdb: the file is cut short: 4095 bytes"),
        "{error}"
    );
    assert!(TableFile::read_header(folder.path()).is_err());
}

#[test]
fn payloads_are_written_in_pieces_of_any_size() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pdb");
    let id = id("5x4", &[0, 1, 2, 4, 5], TableKind::ZeroAware);
    let entries = puzzle::Ranking::count_entries(id.tray(), 5, TableKind::ZeroAware);
    let noise = |entry: u64| (entry.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) as u8;
    // Arbitrary values: this test checks only that the payload and its SHA-256 are written.
    let payload: Vec<u8> = (0..entries).map(noise).collect();
    assert!(
        payload.len() > 2 << 20,
        "full pieces of 1 MiB are passed on"
    );
    let header = Header::of_bytes(id, &payload);
    for form in [Compression::None, Compression::Zstd(1)] {
        for pieces in [1000, 1 << 18, payload.len()] {
            let written = write_table(
                &path,
                form,
                |to| {
                    payload
                        .chunks(pieces)
                        .try_for_each(|piece| to.write_all(piece))
                },
                |sum| {
                    assert_eq!(sum, header.payload_sha256);
                    header.clone()
                },
            );
            assert_eq!(written.unwrap(), header);
            let file = TableFile::open(&path).unwrap();
            assert!(file.payload() == payload);
            file.check_payload().unwrap();
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn writers_respect_the_size_limit_of_readers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pdb");
    let id = id("4x4", &[0, 1, 2, 4, 5, 6], TableKind::ZeroAware);
    let entries = puzzle::Ranking::count_entries(id.tray(), 6, TableKind::ZeroAware);
    let payload = vec![0; entries as usize];
    let header = Header::of_bytes(id, &payload);
    let write = |form| write_table(&path, form, |to| to.write_all(&payload), |_| header.clone());
    let error = write(Compression::Zstd(1)).unwrap_err().to_string();
    assert!(
        error.contains("more than 512 times smaller than the table"),
        "{error}"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    write(Compression::None).unwrap();
    TableFile::open(&path).unwrap();
}

#[test]
fn errors_name_the_damage_of_payloads() {
    let table = example(Encoding::OneBit);
    let id = id("2x2", &[0], TableKind::ZeroAware);
    let with = |encoding, payload: &[u8], values: &[u8]| {
        let header = Header {
            encoding,
            payload_sha256: Sha256::digest(payload).into(),
            ..Header::of_bytes(id, values)
        };
        Table::new([&header.encode()[..], payload].concat()).unwrap()
    };
    let values = [0, 1, 2, 1];
    assert_eq!(with(Encoding::U8, &values, &values).check_payload(), Ok(()));
    let other = with(Encoding::U8, &[0, 1, 2, 2], &values);
    assert_eq!(other.check_payload(), Err(TableError::Histogram));
    assert_eq!(
        with(Encoding::OneBit, &[0b0100], &values).check_payload(),
        Ok(())
    );
    let padded = with(Encoding::OneBit, &[0b1_0100], &values);
    assert_eq!(padded.check_payload(), Err(TableError::PaddingBits));
    let cancel = Cancel::default();
    assert!(padded.check_payload_unless(&cancel).is_err());
    cancel.cancel();
    assert_eq!(padded.check_payload_unless(&cancel), Ok(()));
    assert_eq!(table.check_id(table.id()), Ok(()));
    assert_eq!(
        table.check_id(id),
        Err(TableError::WrongTable {
            found: table.id().name(),
            expected: id.name()
        })
    );
    let found = table.header().entries;
    assert_eq!(
        (table.check_entries(), table.expect_entries(found)),
        (Ok(()), Ok(()))
    );
    let expected = found + 1;
    assert_eq!(
        table.expect_entries(expected),
        Err(TableError::Entries { found, expected })
    );
}

#[test]
fn directories_find_tables_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let directory = TableDirectory::new(folder.path().join("tables"));
    let bits = example(Encoding::OneBit);
    let id = bits.id();
    assert!(directory.find(id).unwrap().is_none());
    let written = write_unpacked(&directory, &bits).unwrap();
    let name = |encoding, compressed| {
        let path = directory.file(id, encoding, compressed);
        path.file_name().unwrap().to_str().unwrap().to_owned()
    };
    let stem = id.name();
    assert_eq!(name(Encoding::OneBit, false), format!("{stem}.pdb"));
    assert_eq!(name(Encoding::U8, true), format!("{stem}.u8.pdb.zst"));
    assert_eq!(written, directory.file(id, Encoding::OneBit, false));
    let candidates: Vec<_> = directory
        .candidates(id)
        .map(|(encoding, _)| encoding)
        .collect();
    let both = [Encoding::OneBit, Encoding::U8];
    assert_eq!(candidates, [both, both].concat());
    assert!(directory.find(id).unwrap().unwrap().bytes() == bits.bytes());
    // Opening a one-bit file fails if a `u8` file is expected.
    let error = directory
        .open(id, Encoding::U8, &written)
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with("the file holds one-bit values, but u8 was expected here"),
        "{error}"
    );
    let mut damaged = bits.bytes().to_vec();
    damaged[HEADER_LENGTH] ^= 1;
    fs::write(&written, &damaged).unwrap();
    assert!(directory.find(id).is_err());
    let cancel = Cancel::default();
    cancel.cancel();
    let unchecked = directory.clone().checking_unless(cancel);
    assert!(unchecked.find(id).is_ok());
    // Small tables are checked each time they are opened, so no note of a check is stored.
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn kinds_of_errors_are_distinguished() {
    let of = |kind: io::ErrorKind| FileError::io(Path::new("a/b"), kind.into());
    for (kind, missing, full) in [
        (io::ErrorKind::NotFound, true, false),
        (io::ErrorKind::NotADirectory, true, false),
        (io::ErrorKind::StorageFull, false, true),
        (io::ErrorKind::QuotaExceeded, false, true),
        (io::ErrorKind::PermissionDenied, false, false),
    ] {
        let error = of(kind);
        assert_eq!(
            (error.is_missing(), error.is_disk_full()),
            (missing, full),
            "{error}"
        );
        assert!(error.to_string().starts_with("a/b: "));
    }
    let name = |name: &str| is_temporary(name.as_ref());
    assert!(name(".unfinished-aB3xYz.tmp"));
    for other in [
        ".unfinished-aB3xY.tmp",
        ".unfinished-aB3xYzz.tmp",
        ".unfinished-aB3-Yz.tmp",
        ".unfinished-aB3xYz",
        "unfinished-aB3xYz.tmp",
    ] {
        assert!(!name(other), "{other}");
    }
    assert_eq!(AtomicFile::directory(Path::new("a")), Path::new("."));
    assert_eq!(AtomicFile::directory(Path::new("a/b")), Path::new("a"));
    assert_eq!(hex(&[0, 10, 255]), "000aff");
}

#[test]
fn locks_are_exclusive_and_detect_a_replaced_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lock");
    let open = || {
        fs::File::options()
            .create(true)
            .append(true)
            .open(&path)
            .unwrap()
    };
    let (first, second) = (open(), open());
    assert_eq!(try_lock(&first, &path), LockAttempt::Taken);
    assert_eq!(try_lock(&second, &path), LockAttempt::Busy);
    drop(first);
    assert_eq!(try_lock(&second, &path), LockAttempt::Taken);
    drop(second);
    let third = open();
    fs::remove_file(&path).unwrap();
    assert_eq!(try_lock(&third, &path), LockAttempt::Gone);
    let _other = open();
    assert_eq!(try_lock(&third, &path), LockAttempt::Gone);
}

/// The type of a folder's file system, from the system's list of mounts.
fn file_system(folder: &Path) -> Option<String> {
    let folder = folder.canonicalize().ok()?;
    let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
    let mounts = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        Some((words.next()?, words.next()?))
    });
    let around = mounts.filter(|(at, _)| folder.starts_with(at));
    let (_, system) = around.max_by_key(|(at, _)| at.len())?;
    Some(system.to_owned())
}

#[test]
fn atomic_files_are_complete_and_report_their_file_system() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    let mut file = AtomicFile::create(&path).unwrap();
    assert_eq!(file.path(), path);
    assert!(is_temporary(file.temporary_path().file_name().unwrap()));
    file.reserve(1 << 16).unwrap();
    file.append(&[b"one ", b"two"]).unwrap();
    io::Write::write_all(file.file_mut(), b" three").unwrap();
    assert!(!path.exists());
    file.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"one two three");
    AtomicFile::write(&path, &[b"a", b"b"]).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"ab");
    let error = AtomicFile::create(folder.path()).unwrap_err().to_string();
    assert!(error.ends_with("it exists and is not a file"), "{error}");
    // The size is larger than any disk, so the system rejects it before anything is written.
    if cfg!(target_os = "linux") {
        let mut file = AtomicFile::create(&path).unwrap();
        if let Err(error) = file.reserve(1 << 61) {
            assert!(error.is_disk_full(), "{error}");
        }
        for place in [folder.path(), Path::new("/dev/shm")] {
            let Ok(there) = tempfile::tempdir_in(place) else {
                continue;
            };
            let file = AtomicFile::create(&there.path().join("out")).unwrap();
            let system = file_system(there.path());
            let expected = system.map(|name| name == "tmpfs" || name == "ramfs");
            assert_eq!(Some(file.is_in_memory()), expected);
        }
    }
}

/// A table with its file name.
type Named = (String, Table<Vec<u8>>);

/// A manifest with the parts of `1,2,3/4,5,6/7,8` on the 3x3 tray, and their tables.
fn bundled() -> (Manifest, Vec<Named>) {
    let goal = Goal::blank_last("3x3".parse().unwrap());
    let spec = HeuristicSpec::parse("1,2,3/4,5,6/7,8", &goal).unwrap();
    let ids = spec.tables();
    let tables: Vec<_> = ids
        .iter()
        .map(|&id| (id.name() + ".pdb", table(id, Encoding::OneBit, &values(id))))
        .collect();
    let numbers = goal.board().numbers().to_vec();
    let mut manifest = Manifest::new("3x3".to_owned(), numbers, "pdb-gen".to_owned());
    manifest.parts = Manifest::parts_of(&goal, spec.partitions(), &ids);
    let wanted = [&[1, 2, 3][..], &[4, 5, 6], &[7, 8]];
    for (part, tiles) in manifest.parts.iter().zip(wanted) {
        assert_eq!((part.partition, &part.tiles[..]), (0, tiles));
        assert_eq!(tables[part.table].1.id().tiles().len(), tiles.len());
    }
    (manifest, tables)
}

fn write_bundle(out: &Path) -> std::path::PathBuf {
    let (manifest, tables) = bundled();
    let mut writer = BundleWriter::new(out, manifest).unwrap();
    for (name, table) in &tables {
        let added = writer
            .add(name, table, None, &(), &Cancel::default())
            .unwrap();
        let about = &added.table;
        assert_eq!(
            (&about.file, about.length),
            (name, table.bytes().len() as u64)
        );
        assert_eq!(about.sha256, hex(&Sha256::digest(table.bytes())));
        assert_eq!((about.format, about.tray.as_str()), (1, "3x3"));
        assert_eq!(
            (about.kind.as_str(), about.encoding.as_str()),
            ("zero-aware", "one-bit")
        );
        let header = table.header();
        assert_eq!(
            (about.entries, about.reached),
            (header.entries, header.reached())
        );
        assert_eq!(about.max, header.histogram.max());
        let cells: Vec<usize> = table.id().tiles().iter().map(puzzle::Cell::index).collect();
        assert_eq!(about.tiles, cells);
    }
    writer.finish().unwrap()
}

#[test]
fn bundles_are_restored() {
    let folder = tempfile::tempdir().unwrap();
    let (_, tables) = bundled();
    let cancel = Cancel::default();
    let out = folder.path().join("parts");
    let path = write_bundle(&out);
    assert_eq!(path, out.join(MANIFEST_NAME));
    let bundle = Bundle::open(&out).unwrap();
    assert_eq!(bundle.tables(), tables.len());
    let manifest = bundle.manifest().unwrap();
    let text = manifest.to_text();
    assert_eq!(Manifest::from_text(text.as_bytes()).as_ref(), Ok(manifest));
    let mut done = Vec::new();
    let all = Bundle::find(&out).unwrap().unwrap();
    let all = all.unpack_all(None, &(), &cancel, |header| done.push(header.id));
    let all = all.unwrap();
    assert!(tables.iter().map(|(_, table)| table.id()).eq(done));
    assert_eq!(all.len(), tables.len());
    for (number, (_, table)) in tables.iter().enumerate() {
        assert!(all[number].bytes() == table.bytes());
        let bytes = bundle.read(number).unwrap();
        let said = &manifest.tables[number];
        assert_eq!(said.packed.length, bytes.len() as u64);
        let packed = bundle.header(number).unwrap();
        assert_eq!(packed.header(), table.header());
        assert_eq!(
            (said.frames, said.header),
            (1, packed.frames()[0].bytes.start)
        );
        let unpacked = bundle.unpack(number, &bytes, &(), &cancel).unwrap();
        assert!(unpacked.bytes() == table.bytes());
        // A packed table without a manifest is a bundle of one table.
        let alone = folder.path().join("alone.pdbz");
        fs::write(&alone, &bytes).unwrap();
        let own = Bundle::open(&alone).unwrap();
        assert_eq!((own.tables(), own.manifest()), (1, None));
        assert!(own.read(0).unwrap() == bytes);
        let other = (number + 1) % tables.len();
        assert!(bundle.unpack(other, &bytes, &(), &cancel).is_err());
    }
    assert_eq!(fs::read_dir(&out).unwrap().count(), tables.len() + 1);
}

#[test]
fn tables_unpacked_together_share_one_memory_limit() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("parts");
    write_bundle(&out);
    let bundle = Bundle::open(&out).unwrap();
    let mut needed = 0;
    let mut before = 0;
    for (number, (_, table)) in bundled().1.iter().enumerate() {
        needed = needed.max(before + unpack_memory(&bundle.header(number).unwrap(), 1));
        before += table.bytes().len() as u64;
    }
    let unpack = |limit| bundle.unpack_all(Some(limit), &(), &Cancel::default(), |_| {});
    assert_eq!(unpack(needed).unwrap().len(), bundle.tables());
    let refused = unpack(needed - 1).unwrap_err();
    assert!(
        matches!(&refused, BundleError::Read(ReadError::TooLarge { .. })),
        "{refused}"
    );
}

#[test]
fn a_table_is_not_a_bundle() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pdb");
    for bytes in [example(Encoding::OneBit).bytes(), b"\x89PD", b""] {
        fs::write(&path, bytes).unwrap();
        assert!(Bundle::find(&path).unwrap().is_none());
    }
    fs::write(&path, "{}").unwrap();
    assert!(Bundle::find(&path).is_err());
    assert!(Bundle::find(&folder.path().join("none")).is_err());
}

#[test]
fn damaged_bundles_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("parts");
    let manifest = write_bundle(&out);
    let text = fs::read_to_string(&manifest).unwrap();
    let first = out.join(
        &Bundle::open(&out).unwrap().manifest().unwrap().tables[0]
            .packed
            .file,
    );
    let packed = fs::read(&first).unwrap();
    assert!(Packed::is_packed(&packed));
    let refused = |text: &str, file: &[u8]| {
        fs::write(&manifest, text).unwrap();
        fs::write(&first, file).unwrap();
        let bundle = Bundle::open(&out).map_err(|error| error.to_string())?;
        let bytes = bundle.read(0).map_err(|error| error.to_string())?;
        let unpacked = bundle.unpack(0, &bytes, &(), &Cancel::default());
        unpacked.map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(refused(&text, &packed), Ok(()));
    for at in (0..packed.len()).step_by(41).chain([packed.len() - 1]) {
        let mut damaged = packed.clone();
        damaged[at] ^= 0x10;
        assert!(refused(&text, &damaged).is_err(), "byte {at}");
        assert!(refused(&text, &packed[..at]).is_err(), "{at} bytes");
    }
    let mut damaged = packed.clone();
    *damaged.last_mut().unwrap() ^= 1;
    assert!(refused(&text, &damaged).unwrap_err().contains("SHA-256"));
    let longer = [&packed[..], b"x"].concat();
    assert!(refused(&text, &longer).is_err());
    assert!(
        refused(&text, &packed[1..])
            .unwrap_err()
            .contains("but the manifest says")
    );
    let sum = Manifest::from_text(text.as_bytes()).unwrap().tables[0]
        .table
        .sha256
        .clone();
    let other = refused(&text.replace(&sum, &"0".repeat(64)), &packed);
    assert!(other.unwrap_err().contains("the manifest does not match"));
    for field in ["entries", "reached", "max", "frames", "header", "format"] {
        let at = text.find(&format!("\"{field}\": ")).unwrap() + field.len() + 4;
        let mut other = text.clone();
        other.insert(at, '9');
        assert!(refused(&other, &packed).is_err(), "{field}");
    }
}

#[test]
fn manifests_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_bundle(&folder.path().join("parts"));
    let sound = Manifest::from_text(&fs::read(path).unwrap()).unwrap();
    let check = |change: &dyn Fn(&mut Manifest)| {
        let mut manifest = sound.clone();
        change(&mut manifest);
        Manifest::from_text(manifest.to_text().as_bytes()).map(drop)
    };
    let refused = |change: &dyn Fn(&mut Manifest)| check(change).unwrap_err();
    assert_eq!(check(&|_| ()), Ok(()));
    assert_eq!(
        Manifest::from_text(b"{}").unwrap_err(),
        "not a manifest of packed tables"
    );
    let version = refused(&|manifest| manifest.version = 1);
    assert!(
        version.starts_with("manifest version 1, but this program reads version 2"),
        "{version}"
    );
    for name in ["", ".hidden", "a/b", "a\\b", "a b", &"a".repeat(201)] {
        let in_table = refused(&|manifest| manifest.tables[0].table.file = name.to_owned());
        let in_packed = refused(&|manifest| manifest.tables[0].packed.file = name.to_owned());
        assert!(in_table.contains("not a plain file name") && in_table == in_packed);
    }
    let long = "a".repeat(200);
    assert_eq!(
        check(&|manifest| manifest.tables[0].table.file.clone_from(&long)),
        Ok(())
    );
    assert!(
        refused(&|manifest| "3x".clone_into(&mut manifest.tray)).contains("`3x` is not a size")
    );
    assert!(refused(&|manifest| manifest.goal[0] = 2).contains("the goal is not a 3x3 board"));
    let number = refused(&|manifest| manifest.parts[0].table = 99);
    assert_eq!(number, "table number 99 not found");
    for tiles in [&[0, 1, 2][..], &[1, 2], &[2, 1, 3], &[1, 1, 2], &[1, 2, 9]] {
        let part = ManifestPart {
            tiles: tiles.to_vec(),
            ..sound.parts[0].clone()
        };
        let error = refused(&|manifest| manifest.parts[0] = part.clone());
        assert!(error.contains("has no part of tiles"), "{error}");
    }
}
