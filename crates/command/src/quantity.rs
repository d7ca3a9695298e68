//! Parsers of durations, counts, sizes and percentages on the command line: `10s`, `1.5m`, `2h`;
//! `10k`, `1e6`, `1_000_000`; `512MiB`, `1GiB`; `5%`.
//!
//! The error of each parser is one line with the expected and the found text.
//!
//! Other crates were rejected: humantime 2.4 rejects `10` without a unit and `1_000s`; parse-size
//! 1.1 rounds non-integer counts (`2.5`, `1.0001k`) and reads `10k` and `10kB` in the same base.

use std::ops::RangeInclusive;
use std::time::Duration;

use pdb_gen::CheckpointPolicy;

/// Parses a duration in seconds, or with a unit: `ms`, `s`, `m`, `min`, `h` or `d`.
pub fn seconds(text: &str) -> Result<Duration, String> {
    time(text, "s")
}

/// Parses a checkpoint interval: a duration as in [`seconds`], or `off`.
pub fn checkpoint(text: &str) -> Result<CheckpointPolicy, String> {
    if text == "off" {
        return Ok(CheckpointPolicy::Off);
    }
    let time = seconds(text).map_err(|error| format!("{error}; or give off"))?;
    Ok(CheckpointPolicy::Every(time))
}

/// Parses a duration in minutes, or with a unit as in [`seconds`].
pub fn minutes(text: &str) -> Result<Duration, String> {
    time(text, "m")
}

/// Parses a whole number. The suffixes `k`, `M`, `G` and `T`, in either case, are powers of 1000.
pub fn count(text: &str) -> Result<u64, String> {
    let refused = || expected("a whole number such as 1000, 10k, 1e6 or 2M", text);
    let (number, suffix) = Decimal::parse(text.trim()).ok_or_else(refused)?;
    let power = match suffix {
        "" => 0,
        "k" | "K" => 3,
        "m" | "M" => 6,
        "g" | "G" => 9,
        "t" | "T" => 12,
        _ => return Err(refused()),
    };
    let (whole, is_exact) = number.scaled(power);
    if !is_exact {
        return Err(refused());
    }
    let whole = whole.and_then(|whole| u64::try_from(whole).ok());
    whole.ok_or_else(|| expected(&format!("a number of at most {}", u64::MAX), text))
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

/// Parses a size in bytes. `KiB`, `MiB`, `GiB`, `TiB` and `K`, `M`, `G`, `T` are powers of 1024;
/// `kB`, `MB`, `GB`, `TB` are powers of 1000. Case does not matter.
pub fn bytes(text: &str) -> Result<u64, String> {
    let refused = || expected("a size such as 512MiB or 1GiB", text);
    let (number, suffix) = Decimal::parse(text.trim()).ok_or_else(refused)?;
    let suffix = suffix.trim_start().to_ascii_lowercase();
    let (prefix, base) = match suffix.strip_suffix("ib") {
        Some(prefix) => (prefix, 1024_u128),
        None => match suffix.strip_suffix('b') {
            Some(prefix) => (prefix, 1000),
            None => (suffix.as_str(), 1024),
        },
    };
    let power = match prefix {
        "" if suffix != "ib" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return Err(refused()),
    };
    // Number of decimal places that are kept before the multiplication by the unit, enough for a
    // result that is exact to the byte. The result is rounded down.
    const FINER: u32 = 15;
    let finer = number.scaled(FINER.into()).0;
    let bytes = finer.and_then(|finer| finer.checked_mul(base.pow(power)));
    let bytes = bytes.and_then(|finer| u64::try_from(finer / 10_u128.pow(FINER)).ok());
    bytes.ok_or_else(|| expected(&format!("a size of at most {} bytes", u64::MAX), text))
}

/// Parses a percentage: 0.05 for `5%`.
pub fn percent(text: &str) -> Result<f64, String> {
    let shape = "a percentage from 0% to 100000%, such as 5% or 0.5%";
    let refused = || expected(shape, text);
    let (number, suffix) = Decimal::parse(text.trim()).ok_or_else(refused)?;
    let millionths = number.scaled(6).0.filter(|&n| n <= 100_000_000_000);
    match (suffix.trim_start(), millionths) {
        ("%", Some(millionths)) => Ok(millionths as f64 / 1e8),
        _ => Err(refused()),
    }
}

/// Parses a duration; `default_unit` applies if no unit is given.
fn time(text: &str, default_unit: &str) -> Result<Duration, String> {
    let refused = || expected("a time such as 10s, 1.5m or 2h", text);
    let (number, suffix) = Decimal::parse(text.trim()).ok_or_else(refused)?;
    let unit = if suffix.is_empty() {
        default_unit
    } else {
        suffix
    };
    let milliseconds: u128 = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return Err(refused()),
    };
    // Parts of a nanosecond in the calculation, so that fractions of a day are exact to the
    // nanosecond.
    const FINER: u128 = 1_000_000_000;
    let nanoseconds = number.scaled(6 + 9).0.and_then(|units| {
        let finest = units.checked_mul(milliseconds)?;
        Some(finest.checked_add(FINER / 2)? / FINER)
    });
    let duration = nanoseconds.and_then(|all| {
        let whole = u64::try_from(all / 1_000_000_000).ok()?;
        Some(Duration::new(whole, (all % 1_000_000_000) as u32))
    });
    duration.ok_or_else(|| expected(&format!("a time of at most {} seconds", u64::MAX), text))
}

/// Error message of the parsers in this module. Quotes at most 30 characters of the text.
fn expected(shape: &str, text: &str) -> String {
    let found: String = text.chars().take(30).collect();
    format!("expected {shape}, found `{found}`")
}

/// An exact decimal number without a sign: 0.DIGITS times ten to the power of `point`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Decimal {
    /// Significant digits, without zeros at either end; empty for zero.
    digits: Vec<u8>,
    point: i64,
}

impl Decimal {
    /// The number at the start of a text (`12`, `1_000`, `.5`, `1.5e-3`), and the rest of the text.
    fn parse(text: &str) -> Option<(Decimal, &str)> {
        let (whole, rest) = split_digits(text)?;
        let (fraction, rest) = match rest.strip_prefix('.') {
            Some(rest) => split_digits(rest)?,
            None => (Vec::new(), rest),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let (exponent, rest) = split_exponent(rest).unwrap_or((0, rest));
        let mut digits = whole;
        let mut point = exponent.saturating_add(digits.len() as i64);
        digits.extend(fraction);
        let zeros = digits.iter().take_while(|&&digit| digit == 0).count();
        digits.drain(..zeros);
        point = point.saturating_sub(zeros as i64);
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Some((Decimal { digits, point }, rest))
    }

    /// The integer part of the product of the number and 10^`power`, and whether the product is an
    /// integer. `None` if the integer part is too large.
    fn scaled(&self, power: i64) -> (Option<u128>, bool) {
        let point = self.point.saturating_add(power);
        let is_exact = point >= self.digits.len() as i64 || self.digits.is_empty();
        if self.digits.is_empty() || point <= 0 {
            return (Some(0), is_exact);
        }
        // A u128 holds any number of 38 digits.
        let Some(point) = usize::try_from(point).ok().filter(|&point| point <= 38) else {
            return (None, is_exact);
        };
        let digits = self.digits.iter().chain(std::iter::repeat(&0)).take(point);
        let whole = digits.fold(0, |whole, &digit| whole * 10 + u128::from(digit));
        (Some(whole), is_exact)
    }
}

/// The digits at the start of a text, optionally separated by single underscores, and the rest of
/// the text.
fn split_digits(text: &str) -> Option<(Vec<u8>, &str)> {
    let is_of_number = |c: char| c.is_ascii_digit() || c == '_';
    let length = text.find(|c: char| !is_of_number(c)).unwrap_or(text.len());
    let (number, rest) = text.split_at(length);
    let is_parted_well = number.is_empty() || number.split('_').all(|group| !group.is_empty());
    let digits = number.bytes().filter(u8::is_ascii_digit);
    is_parted_well.then(|| (digits.map(|digit| digit - b'0').collect(), rest))
}

/// The exponent (`e6`, `E+6` or `e-6`) at the start of a text, and the rest of the text. An
/// exponent too large for its type saturates.
fn split_exponent(text: &str) -> Option<(i64, &str)> {
    let text = text.strip_prefix(['e', 'E'])?;
    let (sign, text) = match text.strip_prefix('-') {
        Some(text) => (-1, text),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (digits, rest) = split_digits(text)?;
    let add = |all: i64, digit: &u8| all.saturating_mul(10).saturating_add(i64::from(*digit));
    let exponent = digits.iter().fold(0, add);
    (!digits.is_empty()).then_some((sign * exponent, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is_time(text: &str, nanoseconds: u128) {
        assert_eq!(seconds(text).map(|time| time.as_nanos()), Ok(nanoseconds));
    }

    #[test]
    fn checkpoints_are_a_time_or_off() {
        let minutes = Duration::from_secs(600);
        assert_eq!(checkpoint("10m"), Ok(CheckpointPolicy::Every(minutes)));
        assert_eq!(checkpoint("600"), checkpoint("10m"));
        assert_eq!(checkpoint("off"), Ok(CheckpointPolicy::Off));
        assert!(checkpoint("never").unwrap_err().ends_with("or give off"));
    }

    #[test]
    fn times_have_units() {
        is_time("0", 0);
        is_time("10", 10_000_000_000);
        is_time("10s", 10_000_000_000);
        is_time(" 10 ", 10_000_000_000);
        is_time("500ms", 500_000_000);
        is_time("0.5ms", 500_000);
        is_time("1.5m", 90_000_000_000);
        is_time("1.5min", 90_000_000_000);
        is_time("2h", 7_200_000_000_000);
        is_time("0.1h", 360_000_000_000);
        is_time("1d", 86_400_000_000_000);
        is_time("1_000s", 1_000_000_000_000);
        is_time("1e3", 1_000_000_000_000);
        is_time("1E+3s", 1_000_000_000_000);
        is_time("1e-3s", 1_000_000);
        is_time(".5", 500_000_000);
        is_time("5.", 5_000_000_000);
        is_time("0.0000000001", 0);
        is_time("0.0000000005", 1);
        is_time("1e-400", 0);
        is_time("0e400", 0);
        is_time(
            "0.1000000000000000055511151231257827021181583404541015625",
            100_000_000,
        );
        is_time("18446744073709551615", u128::from(u64::MAX) * 1_000_000_000);
    }

    #[test]
    fn plain_numbers_use_the_unit_of_the_option() {
        assert_eq!(minutes("0.5"), Ok(Duration::from_secs(30)));
        assert_eq!(minutes("10"), Ok(Duration::from_secs(600)));
        assert_eq!(minutes("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(minutes("2h"), Ok(Duration::from_secs(7200)));
    }

    #[test]
    fn errors_of_times_name_the_expected_form() {
        for text in [
            "", " ", "s", "x", "-5", "-5s", "+5", "nan", "NaN", "inf", "infinity", "10x", "10 s s",
            "10sec s", "1h30m", "0x10", "1__0", "_1", "1_", "1.2.3", ".", "e5", "1e", "1e+", "١",
            "10M", "off", "10\0", "1,5",
        ] {
            let found = format!("found `{text}`");
            for error in [seconds(text).unwrap_err(), minutes(text).unwrap_err()] {
                assert!(error.contains("such as 10s, 1.5m or 2h"), "{error}");
                assert!(error.ends_with(&found), "{error}");
            }
        }
        for text in [
            "1e400",
            "1e99999999999999999999",
            "18446744073709551616",
            "1e18h",
        ] {
            let error = seconds(text).unwrap_err();
            assert!(
                error.contains("at most 18446744073709551615 seconds"),
                "{error}"
            );
        }
        let long = "9".repeat(10_000);
        let error = seconds(&long).unwrap_err();
        assert!(error.len() < 120, "{error}");
    }

    #[test]
    fn counts_have_suffixes() {
        for (text, number) in [
            ("0", 0),
            ("1", 1),
            ("007", 7),
            ("1000", 1_000),
            ("1_000_000", 1_000_000),
            ("1e6", 1_000_000),
            ("1E6", 1_000_000),
            ("1e+6", 1_000_000),
            ("1.5e3", 1_500),
            ("2500e-2", 25),
            ("10k", 10_000),
            ("10K", 10_000),
            ("1.5k", 1_500),
            ("2M", 2_000_000),
            ("2m", 2_000_000),
            ("3G", 3_000_000_000),
            ("1T", 1_000_000_000_000),
            ("1e3k", 1_000_000),
            ("1.0", 1),
            (" 5 ", 5),
            ("0e999", 0),
            ("18446744073709551615", u64::MAX),
            ("18446744073709551.615k", u64::MAX),
        ] {
            assert_eq!(count(text), Ok(number), "{text}");
        }
    }

    #[test]
    fn sizes_have_units() {
        for (text, number) in [
            ("0", 0),
            ("1048576", 1 << 20),
            ("1k", 1 << 10),
            ("1KiB", 1 << 10),
            ("1kB", 1000),
            ("512MiB", 512 << 20),
            ("512 mib", 512 << 20),
            ("100MB", 100_000_000),
            ("1g", 1 << 30),
            ("1.5GiB", 3 << 29),
            ("0.1G", 107_374_182),
            ("2e3 B", 2000),
            ("1TiB", 1 << 40),
            ("1TB", 1_000_000_000_000),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(bytes(text), Ok(number), "{text}");
        }
        for text in [
            "", "x", "-1", "1iB", "1PiB", "1GiBi", "1G B", "MiB", "10%", "1,5G",
        ] {
            let error = bytes(text).unwrap_err();
            assert!(error.contains("a size such as 512MiB or 1GiB"), "{error}");
            assert!(error.ends_with(&format!("found `{text}`")), "{error}");
        }
        for text in [
            "18446744073709551616",
            "1e400",
            "1e9TiB",
            "99999999999999999999999T",
        ] {
            let error = bytes(text).unwrap_err();
            assert!(error.contains("at most 18446744073709551615"), "{error}");
        }
    }

    #[test]
    fn percentages_are_shares() {
        for (text, share) in [
            ("5%", 0.05),
            ("0%", 0.0),
            ("0.5 %", 0.005),
            ("100%", 1.0),
            ("1e3%", 10.0),
            (" .1% ", 0.001),
            ("100000%", 1000.0),
        ] {
            assert_eq!(percent(text), Ok(share), "{text}");
        }
        for text in [
            "", "%", "5", "-5%", "5%%", "x%", "nan%", "100001%", "1e400%", "5 % %",
        ] {
            let error = percent(text).unwrap_err();
            assert!(error.contains("such as 5% or 0.5%"), "{error}");
            assert!(error.ends_with(&format!("found `{text}`")), "{error}");
        }
    }

    #[test]
    fn errors_of_counts_name_the_expected_form() {
        for text in [
            "", "k", "x", "-1", "+1", "1.5", "0.5", "1e-1", "1.0001k", "1e-400", "nan", "inf",
            "1_", "1__0", "10kk", "10ki", "10s", "0x10", "1 000", "1,000", "1e", ".", "٣",
        ] {
            let error = count(text).unwrap_err();
            assert!(
                error.contains("a whole number such as 1000, 10k, 1e6 or 2M"),
                "{error}"
            );
            assert!(error.ends_with(&format!("found `{text}`")), "{error}");
        }
        for text in [
            "1e400",
            "18446744073709551616",
            "20000000T",
            "1e99999999999999999999",
        ] {
            let error = count(text).unwrap_err();
            assert!(error.contains("at most 18446744073709551615"), "{error}");
        }
        assert!(count(&"9".repeat(10_000)).unwrap_err().len() < 120);
    }

    #[test]
    fn errors_of_ranges_name_the_limits() {
        let parse = count_within(1..=1000);
        assert_eq!(parse("1k"), Ok(1000));
        assert_eq!(
            parse("0").unwrap_err(),
            "expected a number from 1 to 1000, found `0`"
        );
        assert!(parse("1001").unwrap_err().contains("from 1 to 1000"));
        assert!(parse("x").unwrap_err().contains("such as"));
    }
}
