//! An axis of a chart: its range and its ticks.

use crate::letters::grouped;

/// An axis of a chart.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Quantity and unit.
    pub label: String,
    /// Linear, percent or logarithmic scale.
    pub scale: Scale,
}

/// Scale of an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Linear.
    Linear,
    /// Linear, from 0 to 100.
    Percent,
    /// Logarithmic. Numbers of 0 and below are shown at the lowest tick.
    Log,
}

/// Numbers whose absolute value is not below this limit are not shown. The limit keeps sums and
/// products finite.
const TOO_LARGE: f64 = 1e300;

/// Whether a number can be shown on an axis.
pub(crate) fn has_place(number: f64) -> bool {
    number.abs() < TOO_LARGE
}

/// Suffixes of the powers of 1000.
const LETTERS: [&str; 5] = ["", "k", "M", "G", "T"];

/// A tick on an axis.
#[derive(Clone, Debug)]
pub(crate) struct Tick {
    /// Position of the tick: from 0 at the start of the axis to 1 at its end.
    pub(crate) at: f64,
    /// Empty for the short ticks between two powers of ten.
    pub(crate) label: String,
}

/// The range of an axis. On a logarithmic axis the bounds are exponents of ten.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    scale: Scale,
    low: f64,
    high: f64,
    /// Whether all numbers are integers. All ticks are then integers too.
    is_whole: bool,
    /// Whether numbers below the lowest tick are shown at that tick.
    is_lifting: bool,
}

impl Span {
    /// The range of an axis with these numbers. Numbers that cannot be shown are ignored.
    pub(crate) fn new(scale: Scale, numbers: &[f64]) -> Self {
        let all = || numbers.iter().copied().filter(|&number| has_place(number));
        let placed = |number: &f64| scale != Scale::Log || *number > 0.0;
        let low = all().filter(placed).fold(f64::INFINITY, f64::min);
        let high = all().filter(placed).fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = match (scale, low <= high) {
            (Scale::Percent, _) => (0.0, 100.0),
            (_, false) => (0.0, 1.0),
            (Scale::Linear, _) => linear_bounds(low, high),
            (Scale::Log, _) => log_bounds(low, high),
        };
        Span {
            scale,
            low,
            high,
            is_whole: all().all(|number| number == number.round()),
            is_lifting: !all().all(|number| placed(&number)),
        }
    }

    /// The same axis with more room at both ends.
    pub(crate) fn with_room(mut self, room: f64) -> Self {
        self.low -= room;
        self.high += room;
        self
    }

    pub(crate) fn is_log(&self) -> bool {
        self.scale == Scale::Log
    }

    /// The smallest and the largest number of the axis.
    pub(crate) fn ends(&self) -> (f64, f64) {
        match self.scale {
            Scale::Linear | Scale::Percent => (self.low, self.high),
            Scale::Log => (10_f64.powf(self.low), 10_f64.powf(self.high)),
        }
    }

    /// Position of a number: from 0 at the start of the axis to 1 at its end.
    pub(crate) fn place(&self, number: f64) -> f64 {
        let number = match self.scale {
            Scale::Linear | Scale::Percent => number,
            Scale::Log if number <= 0.0 => self.low,
            Scale::Log => number.log10(),
        };
        ((number - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// The ticks; `labels` is the approximate number of labels.
    pub(crate) fn ticks(&self, labels: u32) -> Vec<Tick> {
        match self.scale {
            Scale::Linear | Scale::Percent => self.linear_ticks(labels),
            Scale::Log => self.log_ticks(labels),
        }
    }

    fn linear_ticks(&self, labels: u32) -> Vec<Tick> {
        let step = round_step((self.high - self.low) / f64::from(labels.max(1)));
        let step = if self.is_whole { step.max(1.0) } else { step };
        let is_percent = self.scale == Scale::Percent;
        let unit = if is_percent { "%" } else { "" };
        let first = (self.low / step - 1e-9).ceil();
        // If the step underflows to 0, the axis has no ticks.
        let numbers = (0..=2 * labels).map(|number| (first + f64::from(number)) * step);
        numbers
            .take_while(|&number| number <= self.high + step * 1e-9)
            .map(|number| Tick {
                at: self.place(number),
                label: linear_label(number, step) + unit,
            })
            .collect()
    }

    fn log_ticks(&self, labels: u32) -> Vec<Tick> {
        let (first, last) = (self.low as i32, self.high as i32);
        let decades = last - first;
        let every = (decades as u32).div_ceil(labels.max(1)) as i32;
        // With few powers of ten there is room for more labels.
        let has_more = decades <= 2;
        let mut ticks = Vec::new();
        for power in first..=last {
            for digit in 1..=9 {
                let has_label = match digit {
                    1 => (power - first) % every == 0,
                    _ => has_more && matches!(digit, 2 | 5),
                };
                // More ticks would merge into a black line.
                let is_dense = decades > if digit == 1 { 60 } else { 12 };
                if digit > 1 && power == last || !has_label && is_dense {
                    continue;
                }
                let exponent = f64::from(power) + f64::from(digit).log10();
                let label = has_label.then(|| log_label(digit, power));
                ticks.push(Tick {
                    at: (exponent - self.low) / (self.high - self.low),
                    label: label.unwrap_or_default(),
                });
            }
        }
        if let Some(lowest) = ticks.first_mut().filter(|_| self.is_lifting) {
            lowest.label.insert(0, '≤');
        }
        ticks
    }
}

/// Bounds of a linear axis. The axis includes 0 if at most an eighth of the axis is then empty.
fn linear_bounds(low: f64, high: f64) -> (f64, f64) {
    if low == high {
        let is_zero = low.abs() < 1e-300;
        let around = if is_zero { 1.0 } else { low.abs() / 10.0 };
        (low - around, high + around)
    } else if low > 0.0 && low <= high / 8.0 {
        (0.0, high)
    } else if high < 0.0 && high >= low / 8.0 {
        (low, 0.0)
    } else {
        (low, high)
    }
}

/// Exponents of the powers of ten that enclose the range from `low` to `high`; both are positive.
fn log_bounds(low: f64, high: f64) -> (f64, f64) {
    // The tolerance corrects rounding errors in the logarithms of powers of ten.
    let low = (low.log10() + 1e-9).floor();
    let high = (high.log10() - 1e-9).ceil();
    (low, high.max(low + 1.0))
}

/// Rounds up to 1, 2 or 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let round = [1.0, 2.0, 5.0].map(|digit| digit * power).into_iter();
    round
        .into_iter()
        .find(|&round| round >= step * 0.999)
        .unwrap_or(10.0 * power)
}

/// The label of a number on a linear axis, as precise as the step between labels.
fn linear_label(number: f64, step: f64) -> String {
    let decimals = -step.log10().floor();
    if number.abs() < step / 2.0 {
        return "0".to_owned();
    }
    if number.abs() >= 1e15 || decimals > 6.0 {
        return scientific(number);
    }
    if decimals > 0.0 {
        return minus(format!("{number:.*}", decimals as usize));
    }
    let thousands = (-decimals as usize / 3).min(LETTERS.len() - 1);
    let sign = if number < 0.0 { "−" } else { "" };
    // The number is an integer, because the step is an integer.
    let shown = (number.abs() / 1000_f64.powi(thousands as i32)).round() as u64;
    format!("{sign}{}{}", grouped(shown), LETTERS[thousands])
}

/// The text of a measured number: at least three significant digits, with separated thousands.
pub(crate) fn measured(number: f64) -> String {
    if !has_place(number) || number.abs() >= 1e15 {
        return scientific(number);
    }
    let decimals = match number.abs() {
        size if size >= 100.0 || number == number.round() => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{:.decimals$}", number.abs());
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let sign = if number < 0.0 { "−" } else { "" };
    format!("{sign}{}{fraction}", grouped(whole.parse().unwrap_or(0)))
}

/// The text of a very large or very small number, such as `1.500·10¹⁵`.
fn scientific(number: f64) -> String {
    let power = number.abs().log10().floor();
    // Divides in two steps, because powers of ten below 10⁻³⁰⁷ are imprecise.
    let digits = number / 10_f64.powf(power / 2.0) / 10_f64.powf(power - power / 2.0);
    minus(format!("{digits:.3}·10{}", raised(power as i32)))
}

/// Replaces a number's hyphen with a minus sign, which is as wide as a digit.
fn minus(number: String) -> String {
    number.replace('-', "−")
}

/// The shortest text of a digit times a power of ten: `1`, `20k`, `1M`, `0.05`, `10⁻⁶`.
fn log_label(digit: i32, power: i32) -> String {
    let zeros = |count: i32| "0".repeat(count.unsigned_abs() as usize);
    match power {
        0..15 => {
            let letter = LETTERS[power as usize / 3];
            format!("{digit}{}{letter}", zeros(power % 3))
        }
        -3..0 => format!("0.{}{digit}", zeros(power + 1)),
        _ if digit == 1 => format!("10{}", raised(power)),
        _ => format!("{digit}·10{}", raised(power)),
    }
}

/// An exponent in superscript digits.
fn raised(power: i32) -> String {
    let small = |c: char| match c.to_digit(10) {
        Some(digit) => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize],
        None => '⁻',
    };
    power.to_string().chars().map(small).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, numbers: &[f64], count: u32) -> Vec<String> {
        let ticks = Span::new(scale, numbers).ticks(count).into_iter();
        let labels = ticks.map(|tick| tick.label);
        labels.filter(|label| !label.is_empty()).collect()
    }

    #[test]
    fn labels_are_short_and_exact() {
        let linear = |numbers: &[f64]| labels(Scale::Linear, numbers, 5);
        assert_eq!(linear(&[0.0, 100.0]), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(linear(&[41.0, 43.0]), ["41", "42", "43"]);
        assert_eq!(
            linear(&[0.0, 0.25]),
            ["0", "0.05", "0.10", "0.15", "0.20", "0.25"]
        );
        assert_eq!(linear(&[-2.0, 2.0]), ["−2", "−1", "0", "1", "2"]);
        assert_eq!(linear(&[0.0, 4_500.0]), ["0", "1k", "2k", "3k", "4k"]);
        assert_eq!(linear(&[8e6, 12e6]), ["8M", "9M", "10M", "11M", "12M"]);

        let percent = labels(Scale::Percent, &[30.0, 42.0], 5);
        assert_eq!(percent, ["0%", "20%", "40%", "60%", "80%", "100%"]);

        let log = |numbers: &[f64]| labels(Scale::Log, numbers, 12);
        assert_eq!(
            log(&[3.0, 2e6]),
            ["1", "10", "100", "1k", "10k", "100k", "1M", "10M"]
        );
        assert_eq!(log(&[3e-5, 0.05]), ["10⁻⁵", "10⁻⁴", "0.001", "0.01", "0.1"]);
        assert_eq!(log(&[20.0, 30.0]), ["10", "20", "50", "100"]);
        assert_eq!(log(&[1e14, 1e18]), ["100T", "10¹⁵", "10¹⁶", "10¹⁷", "10¹⁸"]);
    }

    #[test]
    fn zero_is_at_the_lowest_power_of_ten_with_a_special_label() {
        let span = Span::new(Scale::Log, &[0.0, 10.0, 1000.0]);
        assert_eq!((span.place(0.0), span.place(10.0)), (0.0, 0.0));
        assert_eq!((span.place(100.0), span.place(1000.0)), (0.5, 1.0));
        assert_eq!(span.ticks(9)[0].label, "≤10");
    }

    #[test]
    fn axes_are_ordered_and_have_ticks_from_start_to_end() {
        let large = 9.99e299;
        for numbers in [
            &[][..],
            &[0.0],
            &[7.0, 7.0],
            &[-7.0],
            &[0.003],
            &[5e-324, 1e-323],
            &[-large, large],
            &[large],
            &[1e-300, large],
            &[f64::NAN, f64::INFINITY, 1e308, 3.0, 4.0],
        ] {
            for scale in [Scale::Linear, Scale::Percent, Scale::Log] {
                let span = Span::new(scale, numbers);
                for labels in [0, 1, 8] {
                    let ticks = span.ticks(labels);
                    assert!(ticks.len() < 120, "{numbers:?}");
                    assert!(ticks.iter().all(|tick| (0.0..=1.0).contains(&tick.at)));
                    assert!(ticks.windows(2).all(|pair| pair[0].at < pair[1].at));
                }
                for &number in numbers.iter().filter(|number| has_place(**number)) {
                    assert!((0.0..=1.0).contains(&span.place(number)), "{number}");
                }
            }
        }
    }
}
