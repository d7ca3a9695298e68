//! Texts and options that come in.

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::time::Duration;

use puzzle::{Goal, Tray};

use crate::error::Failure;

/// Bytes in memory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stp_bytes {
    /// The first byte.
    pub data: *const u8,
    /// How many there are.
    pub length: usize,
}

/// A text that must be there. `name` is for the message.
///
/// # Safety
/// `text` is null or ends with a NUL, and stays as it is for as long as the answer is used.
pub(crate) unsafe fn text<'a>(text: *const c_char, name: &str) -> Result<&'a str, Failure> {
    // SAFETY: as the caller promises.
    let text = unsafe { optional_text(text, name) }?;
    text.ok_or_else(|| Failure::input(format!("{name} is NULL: expected a text")))
}

/// A text, or none where there is a null pointer.
///
/// # Safety
/// As for [`text`].
pub(crate) unsafe fn optional_text<'a>(
    text: *const c_char,
    name: &str,
) -> Result<Option<&'a str>, Failure> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller promises that it ends with a NUL and stays.
    let text = unsafe { CStr::from_ptr(text) }.to_str();
    text.map(Some).map_err(|error| {
        Failure::input(format!(
            "{name} is not UTF-8: byte {} is wrong",
            error.valid_up_to()
        ))
    })
}

/// What a pointer points to.
///
/// # Safety
/// `pointer` is null or points to a value that stays as it is for as long as the answer is used.
pub(crate) unsafe fn pointee<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    // SAFETY: as the caller promises.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::input(format!("{name} is NULL")))
}

/// An array of the caller's, which may be null where it has no items.
///
/// # Safety
/// `items` is null or has `count` items, which stay as they are for as long as the answer is used.
pub(crate) unsafe fn array<'a, T>(
    items: *const T,
    count: usize,
    name: &str,
) -> Result<&'a [T], Failure> {
    check_array(items, count, name)?;
    match count {
        0 => Ok(&[]),
        // SAFETY: not null, small enough for memory, and as the caller promises.
        _ => Ok(unsafe { std::slice::from_raw_parts(items, count) }),
    }
}

/// An array for numbers, which may be null where it has none. All are set to zero.
///
/// # Safety
/// `items` is null or has room for `count` numbers, which nobody else uses for as long as the
/// answer is used.
pub(crate) unsafe fn zeroed_array<'a>(
    items: *mut u16,
    count: usize,
    name: &str,
) -> Result<&'a mut [u16], Failure> {
    check_array(items, count, name)?;
    match count {
        0 => Ok(&mut []),
        // SAFETY: not null, small enough for memory, and as the caller promises. The numbers are
        // initialised before there is a reference to them.
        _ => Ok(unsafe {
            items.write_bytes(0, count);
            std::slice::from_raw_parts_mut(items, count)
        }),
    }
}

fn check_array<T>(items: *const T, count: usize, name: &str) -> Result<(), Failure> {
    let bytes = count.checked_mul(size_of::<T>());
    match bytes.is_some_and(|bytes| isize::try_from(bytes).is_ok()) {
        true if count == 0 || !items.is_null() => Ok(()),
        true => Err(Failure::input(format!(
            "{name} is NULL: expected {count} of them"
        ))),
        false => Err(Failure::input(format!(
            "{count} items of {name} are more than memory has: expected fewer"
        ))),
    }
}

/// A place of the caller's for an answer. Whoever makes one promises that it can be written until
/// the call returns; from then on, writing there is safe.
#[derive(Debug)]
pub(crate) struct Place<T>(NonNull<T>);

impl<T> Place<T> {
    /// A place that must be there. It is set to `empty` before anything else is done, so that
    /// callers find nothing there after a failure. `name` is for the message.
    ///
    /// # Safety
    /// `place` is null or can be written, until the call returns.
    pub(crate) unsafe fn new(place: *mut T, empty: T, name: &str) -> Result<Place<T>, Failure> {
        // SAFETY: as the caller promises.
        unsafe { Place::optional(place, empty) }
            .ok_or_else(|| Failure::input(format!("{name} is NULL: expected where to put it")))
    }

    /// A place, set to `empty`, or none where there is a null pointer.
    ///
    /// # Safety
    /// As for [`Place::new`].
    pub(crate) unsafe fn optional(place: *mut T, empty: T) -> Option<Place<T>> {
        let place = NonNull::new(place).map(Place)?;
        place.write(empty);
        Some(place)
    }

    /// Puts an answer there. What was there is not dropped.
    pub(crate) fn put(self, answer: T) {
        self.write(answer);
    }

    fn write(&self, value: T) {
        // SAFETY: who made the place has promised that it can be written.
        unsafe { self.0.write(value) };
    }
}

/// Options whose struct may grow: it begins with its size as the caller knows it.
///
/// # Safety
/// All bytes zero are a value of the type, and its first member is its size, of type `usize`.
pub(crate) unsafe trait Options: Copy {
    /// The name of the struct.
    const NAME: &'static str;
    /// Its size in the first version, with which programs are accepted for ever: up to the last
    /// member of that version, and not `size_of`, which grows with the struct.
    const SMALLEST: usize;
}

/// The caller's options; what an older caller does not know is zero. A newer caller must leave zero
/// what this library does not know.
///
/// # Safety
/// `options` is null or points to as many bytes as its first member says.
pub(crate) unsafe fn options<T: Options>(options: *const T) -> Result<T, Failure> {
    let mut known = MaybeUninit::<T>::zeroed();
    if !options.is_null() {
        // SAFETY: the first member is the size. No reference is made: the caller's struct may be
        // shorter than this library's.
        let size = unsafe { options.cast::<usize>().read() };
        let (name, ours) = (T::NAME, size_of::<T>());
        if !(T::SMALLEST..=4096).contains(&size) {
            return Err(Failure::input(format!(
                "struct_size is {size}: set it to sizeof({name})"
            )));
        }
        // SAFETY: the caller has that many bytes, and this struct at least as many as are copied.
        unsafe {
            let from = options.cast::<u8>();
            from.copy_to_nonoverlapping(known.as_mut_ptr().cast(), size.min(ours));
            let is_unknown = |at: &usize| from.add(*at).read() != 0;
            if let Some(at) = (ours..size).find(is_unknown) {
                return Err(Failure::input(format!(
                    "{name} has something at byte {at}, which this version of the library does \
                     not know: update the library, or leave it zero"
                )));
            }
        }
    }
    // SAFETY: the trait promises that zeros are a value, and the rest are the caller's bytes of the
    // same type.
    Ok(unsafe { known.assume_init() })
}

/// A number that is neither negative nor NaN.
pub(crate) fn number(value: f64, name: &str) -> Result<f64, Failure> {
    match value {
        value if value >= 0.0 => Ok(value),
        value => Err(Failure::input(format!(
            "{name} is {value}: expected a number of at least 0"
        ))),
    }
}

/// Reads a goal, by default with the blank last.
pub(crate) fn read_goal(goal: Option<&str>, size: Option<Tray>) -> Result<Goal, Failure> {
    let goal = Goal::parse(goal.unwrap_or("blank-last"), size);
    goal.map_err(|error| Failure::input(format!("goal: {error}")))
}

/// Reads a size, if there is one.
pub(crate) fn read_size(size: Option<&str>) -> Result<Option<Tray>, Failure> {
    size.map(|size| size.parse().map_err(Failure::input))
        .transpose()
}

/// A time in seconds; `None` for 0, and for times that never end.
pub(crate) fn seconds(value: f64, name: &str) -> Result<Option<Duration>, Failure> {
    /// Three hundred years.
    const MOST: f64 = 1e10;
    let value = number(value, name)?;
    Ok((value > 0.0 && value < MOST).then(|| Duration::from_secs_f64(value)))
}

/// A whole number that may be left out by 0.
pub(crate) fn unless_zero(value: u64) -> Option<u64> {
    (value > 0).then_some(value)
}

/// A number of threads; `all` of them for 0. More than any machine has would exhaust the system.
pub(crate) fn threads(number: u32, all: impl FnOnce() -> usize) -> Result<usize, Failure> {
    const MOST: u32 = 4096;
    match number {
        0 => Ok(all()),
        1..=MOST => Ok(number as usize),
        _ => Err(Failure::input(format!(
            "threads is {number}: expected at most {MOST}, or 0 for all cores"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{stp_open_options, stp_solve_options};

    /// Options that have grown by a member.
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    struct Grown {
        struct_size: usize,
        first: u64,
        later: u64,
    }

    // SAFETY: numbers, of which the first is the size.
    unsafe impl Options for Grown {
        const NAME: &'static str = "grown";
        const SMALLEST: usize = std::mem::offset_of!(Grown, later);
    }

    #[test]
    fn an_older_program_leaves_zero_what_it_does_not_know() {
        let mut given = Grown {
            struct_size: Grown::SMALLEST,
            first: 5,
            later: 7,
        };
        // SAFETY: the struct is as long as it says.
        let read = unsafe { options(&raw const given) }.unwrap();
        assert_eq!((read.first, read.later), (5, 0));
        given.struct_size = size_of::<Grown>();
        // SAFETY: the same.
        assert_eq!(unsafe { options(&raw const given) }.unwrap().later, 7);
        given.struct_size = Grown::SMALLEST - 1;
        // SAFETY: the same.
        assert!(unsafe { options(&raw const given) }.is_err());
    }

    /// The numbers that programs were compiled with: they never change.
    #[test]
    #[cfg(target_pointer_width = "64")]
    fn the_sizes_of_the_first_version_are_accepted() {
        assert_eq!(stp_open_options::SMALLEST, 112);
        assert_eq!(stp_solve_options::SMALLEST, 104);
    }
}
