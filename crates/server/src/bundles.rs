//! Packed tables for download: the bundles of a directory, and the default tables of 4x4. The
//! default tables are packed in memory at the first request.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use pdb_table::bundle::{Bundle, FileRange, MANIFEST_NAME, Manifest, ManifestPart, PackedTable};
use pdb_table::{Encoding, Packed, TableDirectory, hex, pack};
use puzzle::{Goal, Metric, TableId};
use sha2::{Digest as _, Sha256};
use solver::Cancel;

use crate::files::StaticFile;
use crate::lock::lock;
use crate::problem::Problem;
use crate::solvers::Solvers;

/// The size whose default tables can always be downloaded.
const OWN_SIZE: &str = "4x4";

pub(crate) struct Bundles {
    by_name: BTreeMap<String, Arc<Files>>,
    own: OnceLock<Arc<Files>>,
    own_name: String,
    /// Held while the tables are being packed.
    packing: Mutex<()>,
}

pub(crate) struct Files {
    /// Version of the bundle: the first digits of the manifest's SHA-256.
    pub(crate) version: String,
    files: BTreeMap<String, Arc<StaticFile>>,
}

impl Bundles {
    /// Opens the bundles of a directory. Each bundle is a subdirectory with a manifest. Checks the
    /// SHA-256 sums of all their files.
    /// Errors: the directory cannot be read, or a bundle is damaged.
    pub(crate) fn open(directory: Option<&Path>) -> Result<Bundles, String> {
        let goal = Goal::parse("blank-last", OWN_SIZE.parse().ok());
        let tray = goal.map_err(|error| error.to_string())?.tray();
        let mut bundles = Bundles {
            by_name: BTreeMap::new(),
            own: OnceLock::new(),
            own_name: puzzle::HeuristicSpec::default_name(Metric::Single, tray),
            packing: Mutex::default(),
        };
        let Some(directory) = directory else {
            return Ok(bundles);
        };
        let failed = |error| format!("--bundles {}: {error}", directory.display());
        for entry in std::fs::read_dir(directory).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path.file_name().and_then(|name| name.to_str());
            let Some(name) = name.filter(|_| path.join(MANIFEST_NAME).is_file()) else {
                continue;
            };
            let files = Files::open(&path)?;
            bundles.by_name.insert(name.to_owned(), Arc::new(files));
        }
        Ok(bundles)
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.by_name.keys().cloned().collect();
        if !self.by_name.contains_key(&self.own_name) {
            names.push(self.own_name.clone());
        }
        names
    }

    /// A bundle that is already open or packed.
    pub(crate) fn find(&self, name: &str) -> Option<Arc<Files>> {
        let own = || self.own.get().filter(|_| name == self.own_name);
        self.by_name.get(name).or_else(own).cloned()
    }

    /// Whether the bundle can be packed on demand.
    pub(crate) fn can_pack(&self, name: &str) -> bool {
        name == self.own_name
    }

    /// Packs the default tables if they are not packed yet. Takes one or two seconds.
    pub(crate) fn pack(&self, solvers: &Solvers, cancel: &Cancel) -> Result<Arc<Files>, Problem> {
        let _packing = lock(&self.packing);
        if let Some(files) = self.own.get() {
            return Ok(Arc::clone(files));
        }
        let files = pack_default(solvers, cancel)?;
        Ok(Arc::clone(self.own.get_or_init(|| Arc::new(files))))
    }
}

fn pack_default(solvers: &Solvers, cancel: &Cancel) -> Result<Files, Problem> {
    let goal = Goal::parse("blank-last", OWN_SIZE.parse().ok()).map_err(Problem::input)?;
    let opened = solvers.open(&goal, &Default::default(), cancel)?;
    let rebuild = format!(
        "pdb-gen pack --size {OWN_SIZE} --partition {} --out PATH",
        opened.solver.spec().name()
    );
    let numbers = goal.board().numbers().to_vec();
    let mut manifest = Manifest::new(goal.tray().to_string(), numbers, rebuild);
    for (number, partition) in opened.solver.spec().partitions().iter().enumerate() {
        for pattern in partition.patterns() {
            let (id, _) = pattern.table(partition.kind());
            let tiles = pattern.tiles().iter().map(|cell| goal.number_at(cell));
            let table = opened.tables.iter().position(|table| table.id() == id);
            manifest.parts.push(ManifestPart {
                partition: number,
                tiles: tiles.collect(),
                table: table.unwrap_or(0),
            });
        }
    }
    let mut files = BTreeMap::new();
    for table in &opened.tables {
        let packed = pack(table, None, &(), cancel).map_err(|_| Problem::cancelled())?;
        let length = packed.len() as u64;
        let header = Packed::new(&packed, length).map_err(|_| Problem::defect())?;
        let name = file_name(table.id(), table.header().encoding);
        let file = StaticFile::in_memory(packed);
        let place = FileRange {
            file: format!("{name}z"),
            offset: 0,
            length,
            sha256: file.sha256.clone(),
        };
        files.insert(place.file.clone(), Arc::new(file));
        let sum = hex(&Sha256::digest(table.bytes()));
        manifest
            .tables
            .push(PackedTable::new(&header, place, name, sum));
    }
    let manifest = StaticFile::in_memory(manifest.to_text().into_bytes());
    Ok(Files::new(manifest, files))
}

impl Files {
    fn new(manifest: StaticFile, mut files: BTreeMap<String, Arc<StaticFile>>) -> Files {
        let version = manifest.sha256.chars().take(16).collect();
        files.insert(MANIFEST_NAME.to_owned(), Arc::new(manifest));
        Files { version, files }
    }

    /// Opens a directory that `pdb-gen pack` wrote.
    fn open(directory: &Path) -> Result<Files, String> {
        let path = directory.join(MANIFEST_NAME);
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let bundle = Bundle::open(&path).map_err(|error| error.to_string())?;
        let text = std::fs::read(&path).map_err(|error| failed(&error))?;
        let manifest = Manifest::from_text(&text, false).map_err(|error| failed(&error))?;
        let mut files = BTreeMap::new();
        for (number, table) in manifest.tables.iter().enumerate() {
            bundle.header(number).map_err(|error| error.to_string())?;
            let path = directory.join(&table.packed.file);
            let file = StaticFile::on_disk(&path);
            let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
            if file.sha256 != table.packed.sha256 {
                return Err(format!(
                    "{} is damaged: its SHA-256 differs from the manifest; try: {}",
                    path.display(),
                    manifest.rebuild
                ));
            }
            files.insert(table.packed.file.clone(), Arc::new(file));
        }
        Ok(Files::new(StaticFile::in_memory(text), files))
    }

    pub(crate) fn find(&self, name: &str) -> Option<Arc<StaticFile>> {
        self.files.get(name).cloned()
    }
}

pub(crate) fn file_name(id: TableId, encoding: Encoding) -> String {
    let path = TableDirectory::new("").file(id, encoding, false);
    path.to_string_lossy().into_owned()
}
