//! The weight of h in weighted A*.

use std::fmt;

/// The weight of h in weighted A*, at least 1, stored in hundredths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Weight(u16);

impl Weight {
    /// Converts a weight from hundredths; `None` if the weight is below 1 or above 100.
    #[must_use]
    pub fn from_hundredths(hundredths: u16) -> Option<Weight> {
        (100..=10_000)
            .contains(&hundredths)
            .then_some(Weight(hundredths))
    }

    /// Parses a weight such as `1.25`.
    pub(crate) fn parse(text: &str) -> Option<Weight> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let part = part.trim_end_matches('0');
        let is_digit = |c: char| c.is_ascii_digit();
        if part.len() > 2 || !whole.starts_with(is_digit) || !part.chars().all(is_digit) {
            return None;
        }
        let part: u16 = format!("{part:0<2}").parse().ok()?;
        let whole: u16 = whole.parse().ok()?;
        Weight::from_hundredths(whole.checked_mul(100)?.checked_add(part)?)
    }

    /// The weight.
    #[must_use]
    pub fn get(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// Small integer factors of g and h. The factor of h divided by the factor of g is the weight.
    pub(crate) fn factors(self) -> (u32, u32) {
        let common = (1..=100).rev().find(|n| self.0 % n == 0 && 100 % n == 0);
        let common = u32::from(common.unwrap_or(1));
        (100 / common, u32::from(self.0) / common)
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.get())
    }
}
