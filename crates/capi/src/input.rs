//! Pointers from the caller: texts, arrays, options, and places for results.

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use puzzle::Goal;

use crate::error::CallError;
use crate::values::{read_goal, read_size};

/// Bytes in memory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stp_bytes {
    /// The first byte.
    pub data: *const u8,
    /// Length in bytes.
    pub length: usize,
}

/// A required text. The error message contains `name`.
///
/// # Safety
/// `text` is null or ends with a NUL, and is unchanged while the result is used.
pub(crate) unsafe fn text<'a>(text: *const c_char, name: &str) -> Result<&'a str, CallError> {
    // SAFETY: as the caller promises.
    let text = unsafe { optional_text(text, name) }?;
    text.ok_or_else(|| CallError::input(format!("{name} is NULL: expected a text")))
}

/// An optional text; `None` for a null pointer.
///
/// # Safety
/// As for [`text`].
pub(crate) unsafe fn optional_text<'a>(
    text: *const c_char,
    name: &str,
) -> Result<Option<&'a str>, CallError> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller promises that the text ends with a NUL and is unchanged.
    let text = unsafe { CStr::from_ptr(text) }.to_str();
    text.map(Some).map_err(|error| {
        CallError::input(format!(
            "{name} is not UTF-8: byte {} is invalid",
            error.valid_up_to()
        ))
    })
}

/// The value at a pointer.
///
/// # Safety
/// `pointer` is null or points to a value that is unchanged while the result is used.
pub(crate) unsafe fn pointee<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, CallError> {
    // SAFETY: as the caller promises.
    unsafe { pointer.as_ref() }.ok_or_else(|| CallError::input(format!("{name} is NULL")))
}

/// An array of the caller, which may be null if it has no items.
///
/// # Safety
/// `items` is null or has `count` items, which are unchanged while the result is used.
pub(crate) unsafe fn array<'a, T>(
    items: *const T,
    count: usize,
    name: &str,
) -> Result<&'a [T], CallError> {
    check_array(items, count, name)?;
    match count {
        0 => Ok(&[]),
        // SAFETY: `items` is not null, its size is valid, and the caller promises the rest.
        _ => Ok(unsafe { std::slice::from_raw_parts(items, count) }),
    }
}

/// An array of `count` numbers, set to zero. It may be null if `count` is 0.
///
/// # Safety
/// `items` is null or has room for `count` numbers, and nothing else uses it while the result is
/// used.
pub(crate) unsafe fn zeroed_array<'a>(
    items: *mut u16,
    count: usize,
    name: &str,
) -> Result<&'a mut [u16], CallError> {
    check_array(items, count, name)?;
    match count {
        0 => Ok(&mut []),
        // SAFETY: `items` is not null, its size is valid, and the caller promises the rest. The
        // numbers are initialised before a reference to them exists.
        _ => Ok(unsafe {
            items.write_bytes(0, count);
            std::slice::from_raw_parts_mut(items, count)
        }),
    }
}

fn check_array<T>(items: *const T, count: usize, name: &str) -> Result<(), CallError> {
    let bytes = count.checked_mul(size_of::<T>());
    match bytes.is_some_and(|bytes| isize::try_from(bytes).is_ok()) {
        true if count == 0 || !items.is_null() => Ok(()),
        true => Err(CallError::input(format!(
            "{name} is NULL: expected {count} items"
        ))),
        false => Err(CallError::input(format!(
            "{count} items of {name} exceed the address space: expected fewer"
        ))),
    }
}

/// Memory of the caller that receives a result. The code that creates a `Place` promises that this
/// memory can be written until the call returns, so later writes are safe.
#[derive(Debug)]
pub(crate) struct Place<T>(NonNull<T>);

impl<T> Place<T> {
    /// A required place. It is first set to `empty`, so that it is empty after a failure. The error
    /// message contains `name`.
    ///
    /// # Safety
    /// `place` is null or can be written, until the call returns.
    pub(crate) unsafe fn new(place: *mut T, empty: T, name: &str) -> Result<Place<T>, CallError> {
        // SAFETY: as the caller promises.
        unsafe { Place::optional(place, empty) }
            .ok_or_else(|| CallError::input(format!("{name} is NULL: expected a pointer")))
    }

    /// An optional place, set to `empty`; `None` for a null pointer.
    ///
    /// # Safety
    /// As for [`Place::new`].
    pub(crate) unsafe fn optional(place: *mut T, empty: T) -> Option<Place<T>> {
        let place = NonNull::new(place).map(Place)?;
        place.put(empty);
        Some(place)
    }

    /// Writes a result. The previous value is not dropped.
    pub(crate) fn put(&self, answer: T) {
        // SAFETY: the caller of [`Place::new`] promised that the place can be written.
        unsafe { self.0.write(answer) };
    }
}

/// An options struct to which later versions can add members. Its first member is the size of the
/// struct in the caller's header.
///
/// # Safety
/// All-zero bytes are a valid value, and the first member is the size, of type `usize`.
pub(crate) unsafe trait Options: Copy {
    /// The name of the struct.
    const NAME: &'static str;
    /// Size of the struct in its first version, in bytes; always accepted. It is computed from the
    /// last member of that version, because `size_of` grows with the struct.
    const SMALLEST: usize;
}

/// Reads the caller's options. Members that are missing in an older caller's struct are read as
/// zero. Members of a newer caller's struct that this library does not know must be zero.
///
/// # Safety
/// `options` is null or points to as many bytes as its first member states.
pub(crate) unsafe fn options<T: Options>(options: *const T) -> Result<T, CallError> {
    let mut known = MaybeUninit::<T>::zeroed();
    if !options.is_null() {
        // SAFETY: the trait promises that the first member is the size of the struct. No reference
        // is created, because the caller's struct may be shorter than this library's.
        let size = unsafe { options.cast::<usize>().read() };
        let (name, ours) = (T::NAME, size_of::<T>());
        if !(T::SMALLEST..=4096).contains(&size) {
            return Err(CallError::input(format!(
                "struct_size is {size}: set it to sizeof({name})"
            )));
        }
        // SAFETY: `options` points to `size` bytes, and `known` has room for the copied bytes.
        unsafe {
            let from = options.cast::<u8>();
            from.copy_to_nonoverlapping(known.as_mut_ptr().cast(), size.min(ours));
            let is_unknown = |at: &usize| from.add(*at).read() != 0;
            if let Some(at) = (ours..size).find(is_unknown) {
                return Err(CallError::input(format!(
                    "{name} has a value at byte {at}, which this version of the library does not 
                     support: update the library, or leave it zero"
                )));
            }
        }
    }
    // SAFETY: the copied bytes are from the caller's value of the same type, and the trait promises
    // that zeros are valid for the remaining bytes.
    Ok(unsafe { known.assume_init() })
}

/// Reads an optional goal with an optional size.
///
/// # Safety
/// As for [`text`].
pub(crate) unsafe fn read_goal_of_size(
    goal: *const c_char,
    size: *const c_char,
) -> Result<Goal, CallError> {
    // SAFETY: the caller promises that both texts are valid.
    let (size, goal) = unsafe { (optional_text(size, "size"), optional_text(goal, "goal")) };
    let size = read_size(size?)?;
    read_goal(goal?, size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{stp_open_options, stp_solve_options};

    /// Options with one additional member.
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    struct LongerOptions {
        struct_size: usize,
        first: u64,
        later: u64,
    }

    // SAFETY: the struct contains only numbers, and its first member is `struct_size`.
    unsafe impl Options for LongerOptions {
        const NAME: &'static str = "grown";
        const SMALLEST: usize = std::mem::offset_of!(LongerOptions, later);
    }

    #[test]
    fn members_unknown_to_older_programs_are_zero() {
        let mut given = LongerOptions {
            struct_size: LongerOptions::SMALLEST,
            first: 5,
            later: 7,
        };
        // SAFETY: the struct has at least `struct_size` bytes.
        let read = unsafe { options(&raw const given) }.unwrap();
        assert_eq!((read.first, read.later), (5, 0));
        given.struct_size = size_of::<LongerOptions>();
        // SAFETY: the struct has at least `struct_size` bytes.
        assert_eq!(unsafe { options(&raw const given) }.unwrap().later, 7);
        given.struct_size = LongerOptions::SMALLEST - 1;
        // SAFETY: the struct has at least `struct_size` bytes.
        assert!(unsafe { options(&raw const given) }.is_err());
    }

    /// Programs that were compiled with the first version pass these sizes, so the sizes must not
    /// change.
    #[test]
    #[cfg(target_pointer_width = "64")]
    fn first_version_sizes_are_accepted() {
        assert_eq!(stp_open_options::SMALLEST, 112);
        assert_eq!(stp_solve_options::SMALLEST, 104);
    }
}
