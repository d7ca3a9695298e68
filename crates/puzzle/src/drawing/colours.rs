//! Colour schemes for tiles.

use std::str::FromStr;

use crate::goal::Goal;
use crate::names::UnknownName;
use crate::partition::Partition;
use crate::pattern::Pattern;
use crate::tray::Cell;

/// Colour scheme, which assigns a class to each tile. The colours of the classes range from red
/// through green to violet and are light enough for black numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Colours {
    /// All tiles are grey.
    Plain,
    /// One class per L-shaped layer. The first layer is the row and column farthest from the
    /// blank's goal; each next layer is the farthest row and column of the remaining cells.
    #[default]
    Fringe,
    /// One class per row of the goal.
    Rows,
    /// A class, from 0, for each goal cell in reading order. A tile is grey if its class is `None`
    /// or the list ends before its goal cell.
    Classes(Vec<Option<usize>>),
}

impl Colours {
    /// One class per pattern of a partition. A tile in several patterns gets the class of the first
    /// of these patterns.
    ///
    /// ```
    /// use puzzle::{Colours, Goal, HeuristicSpec};
    /// let goal = Goal::blank_last("3x3".parse()?);
    /// let spec = HeuristicSpec::parse("1,2,3/4,5,6/7,8", &goal)?;
    /// let classes = [0, 0, 0, 1, 1, 1, 2, 2].map(Some).into_iter().chain([None]);
    /// assert_eq!(
    ///     Colours::of_partition(&spec.partitions()[0]),
    ///     Colours::Classes(classes.collect())
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_partition(partition: &Partition) -> Self {
        let patterns = partition.patterns();
        let class = |cell| patterns.iter().position(|p| p.tiles().contains(cell));
        let tray = patterns.first().map(Pattern::tray);
        Colours::Classes(tray.map_or_else(Vec::new, |tray| tray.iter().map(class).collect()))
    }

    /// The class of the tile whose goal cell is `cell`; `None` for grey.
    pub(super) fn class(&self, goal: &Goal, cell: Cell) -> Option<usize> {
        let tray = goal.tray();
        // Columns and rows are counted from the side of the tray that is farther from the blank's
        // goal.
        let from_far_side = |at: usize, blank: usize, side: usize| match blank * 2 + 1 >= side {
            true => at,
            false => side - 1 - at,
        };
        match self {
            Colours::Plain => None,
            Colours::Rows => Some(tray.row(cell)),
            Colours::Fringe => {
                let blank = goal.blank();
                let column = from_far_side(tray.column(cell), tray.column(blank), tray.width());
                let row = from_far_side(tray.row(cell), tray.row(blank), tray.height());
                Some(column.min(row))
            }
            Colours::Classes(classes) => classes.get(cell.index()).copied().flatten(),
        }
    }

    /// Number of classes.
    pub(super) fn count(&self, goal: &Goal) -> usize {
        let tiles = goal.tray().iter().filter(|&cell| cell != goal.blank());
        let classes = tiles.filter_map(|cell| self.class(goal, cell));
        classes.max().map_or(0, |last| last.saturating_add(1))
    }
}

impl FromStr for Colours {
    type Err = UnknownName;

    /// `plain`, `fringe` or `rows`.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        match text {
            "plain" => Ok(Colours::Plain),
            "fringe" => Ok(Colours::Fringe),
            "rows" => Ok(Colours::Rows),
            _ => {
                let known = &["plain", "fringe", "rows"];
                Err(UnknownName::new("colour scheme", text, known))
            }
        }
    }
}

/// Red, green and blue, 0 to 255.
pub(super) type Rgb = [u8; 3];

/// Colour of tiles without a class.
pub(super) const GREY: Rgb = [0xd5, 0xd9, 0xe0];
/// Colour of numbers.
pub(super) const INK: Rgb = [0x11, 0x11, 0x11];
/// Colour of the tray.
pub(super) const TRAY: Rgb = [0x2e, 0x34, 0x40];

/// Hue of the last class, violet: halfway between blue and magenta. Red has hue 0, yellow 256,
/// green 512, cyan 768, blue 1024, and magenta 1280.
const LAST_HUE: usize = 6 * 256 * 3 / 4;

/// Colour of class `class` out of `count` classes. The hues are equidistant, and all colours are
/// light enough for black text.
pub(super) fn rainbow(class: usize, count: usize) -> Rgb {
    let class = class.min(count.saturating_sub(1)) as u128;
    let last = count.saturating_sub(1).max(1) as u128;
    let hue = (class * LAST_HUE as u128 / last) as usize;
    let (low, high) = (0x70, 0xf4);
    let rising = low + (high - low) * (hue % 256) / 256;
    let falling = high - (rising - low);
    let [r, g, b] = match hue / 256 {
        0 => [high, rising, low],
        1 => [falling, high, low],
        2 => [low, high, rising],
        3 => [low, falling, high],
        _ => [rising, low, high],
    };
    [r as u8, g as u8, b as u8]
}

#[cfg(test)]
mod tests {
    use super::super::{LEVELS, nearest_level};
    use super::*;
    use crate::Tray;

    /// Relative luminance, as defined in the Web Content Accessibility Guidelines.
    fn luminance(colour: Rgb) -> f64 {
        let linear = colour.map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    fn contrast(a: Rgb, b: Rgb) -> f64 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn numbers_and_tiles_contrast_with_their_background() {
        for count in 0..40 {
            for class in 0..count.max(1) {
                let colour = rainbow(class, count);
                assert!(
                    contrast(colour, INK) >= 4.5,
                    "{class} of {count}: {colour:?}"
                );
                assert!(
                    contrast(colour, TRAY) >= 3.0,
                    "{class} of {count}: {colour:?}"
                );
                // As a terminal with 256 colours shows it.
                let shown = colour.map(|part| LEVELS[nearest_level(part)]);
                assert!(
                    contrast(shown, [0; 3]) >= 4.5,
                    "{class} of {count}: {shown:?}"
                );
            }
            let colours: std::collections::HashSet<Rgb> =
                (0..count).map(|class| rainbow(class, count)).collect();
            assert_eq!(colours.len(), count);
        }
        assert!(contrast(GREY, INK) >= 4.5 && contrast(GREY, TRAY) >= 3.0);
        assert_eq!(rainbow(0, 3), [0xf4, 0x70, 0x70]);
        assert_eq!(rainbow(usize::MAX, usize::MAX)[2], 0xf4);
    }

    fn classes(colours: &Colours, goal: &Goal) -> Vec<usize> {
        let tray = goal.tray();
        let class = |cell| colours.class(goal, cell).unwrap_or(9);
        tray.iter().map(class).collect()
    }

    #[test]
    fn schemes_follow_the_goal() {
        let goal = Goal::blank_last(Tray::new(4, 3).unwrap());
        assert_eq!(
            classes(&Colours::Fringe, &goal),
            [0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 2, 2]
        );
        assert_eq!(
            classes(&Colours::Rows, &goal),
            [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
        );
        let goal = Goal::blank_first(Tray::new(3, 3).unwrap());
        assert_eq!(
            classes(&Colours::Fringe, &goal),
            [2, 1, 0, 1, 1, 0, 0, 0, 0]
        );
        assert_eq!(Colours::Fringe.count(&goal), 2);
        assert_eq!(Colours::Plain.count(&goal), 0);
        let some = Colours::Classes(vec![Some(3), None]);
        assert_eq!(some.class(&goal, Cell::new(0)), Some(3));
        assert_eq!(some.class(&goal, Cell::new(5)), None);
        assert_eq!("rows".parse(), Ok(Colours::Rows));
        assert!("row".parse::<Colours>().is_err());
    }

    #[test]
    fn the_rainbow_is_pinned() {
        let all: Vec<Rgb> = (0..10).map(|class| rainbow(class, 10)).collect();
        let pinned = [
            [244, 112, 112],
            [244, 178, 112],
            [244, 244, 112],
            [178, 244, 112],
            [112, 244, 112],
            [112, 244, 178],
            [112, 244, 244],
            [112, 178, 244],
            [112, 112, 244],
            [178, 112, 244],
        ];
        assert_eq!(all, pinned);
        assert_eq!(rainbow(12, 10), rainbow(9, 10));
        assert_eq!(
            (rainbow(0, 0), rainbow(5, 1)),
            (rainbow(0, 1), rainbow(0, 1))
        );
    }

    #[test]
    fn partitions_colour_their_parts() {
        let goal = Goal::blank_last(Tray::new(3, 3).unwrap());
        let spec = crate::HeuristicSpec::parse("1,2,3/4,5,6/7,8", &goal).unwrap();
        let colours = Colours::of_partition(&spec.partitions()[0]);
        assert_eq!(classes(&colours, &goal), [0, 0, 0, 1, 1, 1, 2, 2, 9]);
        assert_eq!(colours.count(&goal), 3);
        assert_eq!("plain".parse(), Ok(Colours::Plain));
        assert_eq!("fringe".parse(), Ok(Colours::Fringe));
        let message = "row".parse::<Colours>().unwrap_err().to_string();
        assert_eq!(
            message,
            "colour scheme `row` is not known: plain, fringe or rows"
        );
    }
}
