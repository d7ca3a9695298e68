//! Parsers of durations, numbers and percentages on the command line: `10s`, `1.5m`, `2h`; `10k`,
//! `1e6`, `1_000_000`, `512MiB`; `5%`.
//!
//! The error of each parser is one line with the expected and the found text.

use std::ops::RangeInclusive;
use std::time::Duration;

use pdb_gen::CheckpointPolicy;

/// Parses a duration in seconds, or with a unit: `ms`, `s`, `m`, `min`, `h` or `d`.
pub fn seconds(text: &str) -> Result<Duration, String> {
    time(text, "s")
}

/// Parses a duration in minutes, or with a unit as in [`seconds`].
pub fn minutes(text: &str) -> Result<Duration, String> {
    time(text, "m")
}

/// Parses a checkpoint interval: a duration as in [`seconds`], or `off`.
pub fn checkpoint(text: &str) -> Result<CheckpointPolicy, String> {
    if text == "off" {
        return Ok(CheckpointPolicy::Off);
    }
    let time = seconds(text).map_err(|error| format!("{error}; or give off"))?;
    Ok(CheckpointPolicy::Every(time))
}

/// Parses a whole number, such as a count or a size in bytes. `k`, `M`, `G` and `T` are powers of
/// 1000, `KiB`, `MiB`, `GiB` and `TiB` powers of 1024; case does not matter, and a `B` may follow.
pub fn count(text: &str) -> Result<u64, String> {
    let refused = || expected("a whole number such as 1000, 10k, 1e6 or 512MiB", text);
    let (digits, suffix) = split(text);
    let suffix = suffix.to_ascii_lowercase();
    if let (Ok(number), "") = (digits.parse(), suffix.trim_end_matches('b')) {
        return Ok(number);
    }
    let (prefix, base) = match suffix.strip_suffix("ib") {
        Some(prefix) => (prefix, 1024.0_f64),
        None => (suffix.trim_end_matches('b'), 1000.0),
    };
    let power = match prefix {
        "" if base == 1000.0 => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return Err(refused()),
    };
    let value = digits.parse::<f64>().map_err(|_| refused())? * base.powi(power);
    // The product can differ from a whole number by its rounding.
    let whole = value.round();
    if (value - whole).abs() > whole * 1e-14 {
        return Err(refused());
    }
    match whole < u64::MAX as f64 {
        true => Ok(whole as u64),
        false => Err(expected(&format!("a number of at most {}", u64::MAX), text)),
    }
}

/// A parser of [`count`]s that rejects values outside a range.
pub fn count_within(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = count(text)?;
        if range.contains(&number) {
            return Ok(number);
        }
        let (least, most) = (range.start(), range.end());
        Err(expected(&format!("a number from {least} to {most}"), text))
    }
}

/// Parses a number or a percentage: 0.05 for `5%`.
pub fn number(text: &str) -> Result<f64, String> {
    let (digits, suffix) = split(text);
    match (digits.parse::<f64>(), suffix) {
        (Ok(number), "") => Ok(number),
        (Ok(number), "%") => Ok(number / 100.0),
        _ => Err(expected(
            "a number such as 2, or a percentage such as 5%",
            text,
        )),
    }
}

/// Parses a duration; `default_unit` applies if no unit is given.
fn time(text: &str, default_unit: &str) -> Result<Duration, String> {
    let refused = || expected("a time such as 10s, 1.5m or 2h", text);
    let (digits, suffix) = split(text);
    let seconds = match if suffix.is_empty() {
        default_unit
    } else {
        suffix
    } {
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => return Err(refused()),
    };
    let time = digits.parse::<f64>().map_err(|_| refused())? * seconds;
    let most = || expected(&format!("a time of at most {} seconds", u64::MAX), text);
    Duration::try_from_secs_f64(time).map_err(|_| most())
}

/// The digits at the start of a text, with a fraction and an exponent but without underscores, and
/// the rest of the text.
fn split(text: &str) -> (String, &str) {
    let text = text.trim();
    let is_of_number = |c: char| c.is_ascii_digit() || c == '.' || c == '_';
    let mut end = text.find(|c| !is_of_number(c)).unwrap_or(text.len());
    if let Some(exponent) = text[end..].strip_prefix(['e', 'E']) {
        let digits = exponent.trim_start_matches(['+', '-']);
        if digits.starts_with(|c: char| c.is_ascii_digit()) {
            let after = digits.find(|c: char| !c.is_ascii_digit());
            end = text.len() - after.map_or(0, |after| digits.len() - after);
        }
    }
    let digits = text[..end].replace('_', "");
    (digits, text[end..].trim_start())
}

/// Error message of the parsers in this module. Quotes at most 30 characters of the text.
fn expected(shape: &str, text: &str) -> String {
    let found: String = text.chars().take(30).collect();
    format!("expected {shape}, found `{found}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_units() {
        let read = [
            "0", "1_000", "10k", "1e6", "2.5M", "1.1M", "1.5GiB", "64B", "3 kB", "1T",
        ];
        let meant = [
            0,
            1000,
            10_000,
            1_000_000,
            2_500_000,
            1_100_000,
            3 << 29,
            64,
            3000,
            10_u64.pow(12),
        ];
        assert_eq!(read.map(|text| count(text).unwrap()), meant);
        assert_eq!(count("18446744073709551615"), Ok(u64::MAX));
        for wrong in [
            "", "-1", "1.5", "1.0001k", "k", "1x", "1ib", "1e", "1e99", "2e19", "1 2",
        ] {
            let message = count(wrong).unwrap_err();
            assert!(message.ends_with(&format!("found `{wrong}`")), "{message}");
        }
        assert_eq!(count_within(1..=9)("9"), Ok(9));
        assert!(
            count_within(1..=9)("10")
                .unwrap_err()
                .contains("from 1 to 9")
        );
    }

    #[test]
    fn times_have_units() {
        let read = ["10", "1.5m", "2h", "300ms", ".5d", "1e-400"];
        let meant = [10_000, 90_000, 7_200_000, 300, 43_200_000, 0];
        assert_eq!(
            read.map(|text| seconds(text).unwrap()),
            meant.map(Duration::from_millis)
        );
        assert_eq!(minutes("2"), Ok(Duration::from_secs(120)));
        assert!(matches!(checkpoint("off"), Ok(CheckpointPolicy::Off)));
        for wrong in ["", "-1", "1w", "s", "1.2.3", "1e400"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn shares_are_percentages() {
        assert_eq!(
            ["2", "5%", "0.5 %"].map(number),
            [Ok(2.0), Ok(0.05), Ok(0.005)]
        );
        for wrong in ["", "%", "-5%", "5 moves"] {
            assert!(number(wrong).is_err(), "{wrong}");
        }
    }
}
