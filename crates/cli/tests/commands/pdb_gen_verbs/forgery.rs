//! Wrong entries with correct checksums: `verify` rejects every false value.

use crate::pdb_gen_verbs::run::FORMS;
use crate::pdb_gen_verbs::variant::{all_are_refused, forged, sign, table};

#[test]
fn forging_without_a_change_changes_nothing() {
    for words in FORMS {
        let table = table(&format!("--size 3x3 --tiles 1,2,3,4 {words}"));
        assert!(forged(&table, |_| ()) == table, "{words}");
    }
}

/// Changes one bit of the payload, and corrects the checksums.
fn wrong_bit(table: &[u8], bit: usize) -> (String, Vec<u8>) {
    let wrong = forged(table, |payload| payload[bit / 8] ^= 1 << (bit % 8));
    (format!("{bit}.pdb"), wrong)
}

#[test]
fn verify_rejects_one_wrong_bit_with_correct_sums() {
    let table = table("--size 3x3 --tiles 1,2,3,4,5,6");
    let bits = 8 * (table.len() - 4096);
    let spread = (0..bits).step_by(bits / 200).chain([bits - 1]);
    let reasons = all_are_refused(spread.map(|bit| wrong_bit(&table, bit)));
    assert!(!reasons.contains("SHA-256"), "{reasons}");
}

#[test]
fn verify_rejects_wrong_bits_of_a_full_size_table() {
    let table = table("--tiles 1,2,5,6,9,10");
    let bits = 8 * (table.len() - 4096);
    all_are_refused([0, 1, bits / 3, bits - 1].map(|bit| wrong_bit(&table, bit)));
}

#[test]
fn verify_rejects_one_wrong_byte_with_correct_sums() {
    for words in [
        "--tiles 1,2,3,4,5,6 --encoding u8",
        "--tiles 1,2,3,4,5,6 --kind blank-compressed",
        "--tiles 1,2,3,4 --kind full",
        "--partition fringe",
        "--partition 8 --encoding u8",
        "--partition 8 --kind full",
    ] {
        let table = table(&format!("--size 3x3 {words}"));
        let length = table.len() - 4096;
        let reasons = all_are_refused((0..60).map(|index| {
            let at = index * (length - 1) / 59;
            let wrong = forged(&table, |payload| {
                // 255 means: no value. The changes add a value, remove it, change it by 2 (same
                // parity) or decrease it by 1.
                payload[at] = match (payload[at], index % 4) {
                    (255, _) => 20,
                    (_, 0) => 255,
                    (0 | 1, _) => payload[at] + 2,
                    (value, 1) => value + 2,
                    (value, 2) => value - 2,
                    (value, _) => value - 1,
                };
            });
            (format!("{at}.pdb"), wrong)
        }));
        assert!(!reasons.contains("SHA-256"), "{words}: {reasons}");
        assert!(
            !reasons.contains("header's histogram"),
            "{words}: {reasons}"
        );
    }
}

#[test]
fn verify_rejects_values_all_wrong_by_two() {
    for words in ["--encoding u8", "--kind blank-compressed", "--kind full"] {
        let table = table(&format!("--size 3x3 --tiles 1,2,3,4,5 {words}"));
        let shifted = |change: fn(u8) -> u8| {
            forged(&table, |payload| {
                for byte in payload.iter_mut().filter(|byte| **byte != 255) {
                    *byte = change(*byte);
                }
            })
        };
        all_are_refused([
            ("smaller".to_owned(), shifted(|h| h.saturating_sub(2))),
            ("larger".to_owned(), shifted(|h| h + 2)),
            ("no-far".to_owned(), shifted(|h| h.min(12))),
            ("all-zero".to_owned(), shifted(|_| 0)),
            (
                "all-none".to_owned(),
                forged(&table, |payload| payload[1..].fill(255)),
            ),
            (
                "goal-only".to_owned(),
                forged(&table, |payload| {
                    for byte in payload.iter_mut().filter(|byte| **byte != 0) {
                        *byte = 255;
                    }
                }),
            ),
        ]);
    }
}

#[test]
fn verify_rejects_a_false_histogram_of_a_one_bit_table() {
    let table = table("--size 3x3 --tiles 1,2,3,4,5");
    // Moves one entry from each value to the next; the total stays the same.
    all_are_refused((1..15).map(|value| {
        let mut bytes = table.clone();
        for (value, change) in [(value, -1_i64), (value + 1, 1)] {
            let field = &mut bytes[64 + 8 * value..][..8];
            let count = i64::from_le_bytes(field.try_into().unwrap()) + change;
            field.copy_from_slice(&count.to_le_bytes());
        }
        sign(&mut bytes);
        (format!("{value}.pdb"), bytes)
    }));
}

#[test]
fn verify_rejects_a_payload_under_another_header() {
    // Both tables have the same number of entries: only the values differ.
    for words in ["", "--encoding u8", "--kind full"] {
        let first = table(&format!("--size 3x3 --tiles 1,2,3 {words}"));
        let second = table(&format!("--size 3x3 --tiles 1,2,4 {words}"));
        assert_eq!(first.len(), second.len());
        let swapped = forged(&first, |payload| payload.copy_from_slice(&second[4096..]));
        all_are_refused([("swapped.pdb".to_owned(), swapped)]);
    }
}

/// docs/format.md: the bits after the last entry are 0, so that a table has only one valid file.
#[test]
fn verify_rejects_set_bits_after_the_last_entry() {
    // Nine entries: seven bits of the second byte are unused.
    let table = table("--size 3x3 --tiles 1");
    assert_eq!(table.len(), 4096 + 2);
    all_are_refused((1..8).map(|bit| {
        let wrong = forged(&table, |payload| payload[1] ^= 1 << bit);
        (format!("{bit}.pdb"), wrong)
    }));
}
