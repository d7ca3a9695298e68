//! Pointers from the caller: texts, options, arrays, and places for results. Texts for the caller.

use std::ffi::{CStr, CString, c_char};
use std::ptr::NonNull;

use ::session::Failure;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::error::guard_quietly;

/// Frees a text that a call returned; does nothing with NULL.
///
/// Free each text once, with this function only. May be called from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_string_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller passes a text that the library returned by `CString::into_raw`, once.
        guard_quietly(|| drop(unsafe { CString::from_raw(text) }));
    }
}

/// Converts a text for C. If the text contains a NUL, the result ends there.
pub(crate) fn c_string(text: impl Into<Vec<u8>>) -> CString {
    let mut bytes = text.into();
    if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
        bytes.truncate(end);
    }
    CString::new(bytes).unwrap_or_default()
}

/// An answer as JSON. Answers have no maps, so writing them does not fail.
pub(crate) fn to_json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).unwrap_or_default()
}

/// A required text. The error message contains `name`.
///
/// # Safety
/// `text` is null or ends with a NUL, and is unchanged while the result is used.
pub(crate) unsafe fn text<'a>(text: *const c_char, name: &str) -> Result<&'a str, Failure> {
    // SAFETY: as the caller promises.
    let text = unsafe { optional_text(text, name) }?;
    text.ok_or_else(|| Failure::input(format!("{name} is NULL: expected a text")))
}

/// An optional text; `None` for a null pointer.
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
    // SAFETY: the caller promises that the text ends with a NUL and is unchanged.
    let text = unsafe { CStr::from_ptr(text) }.to_str();
    text.map(Some).map_err(|error| {
        Failure::input(format!(
            "{name} is not UTF-8: byte {} is invalid",
            error.valid_up_to()
        ))
    })
}

/// Options: a JSON object, or null for none.
///
/// # Safety
/// As for [`text`].
pub(crate) unsafe fn options(json: *const c_char) -> Result<Map<String, Json>, Failure> {
    // SAFETY: as the caller promises.
    let text = unsafe { optional_text(json, "options") }?;
    let read = serde_json::from_str(text.unwrap_or("{}"));
    read.map_err(|error| Failure::input(format_args!("options: {error}")))
}

/// The value at a pointer.
///
/// # Safety
/// `pointer` is null or points to a value that is unchanged while the result is used.
pub(crate) unsafe fn pointee<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    // SAFETY: as the caller promises.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::input(format!("{name} is NULL")))
}

/// An array of the caller, which may be null if it has no items.
///
/// # Safety
/// `items` is null or has `count` items, which are unchanged while the result is used.
pub(crate) unsafe fn array<'a, T>(
    items: *const T,
    count: usize,
    name: &str,
) -> Result<&'a [T], Failure> {
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
) -> Result<&'a mut [u16], Failure> {
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

fn check_array<T>(items: *const T, count: usize, name: &str) -> Result<(), Failure> {
    let bytes = count.checked_mul(size_of::<T>());
    match bytes.is_some_and(|bytes| isize::try_from(bytes).is_ok()) {
        true if count == 0 || !items.is_null() => Ok(()),
        true => Err(Failure::input(format!(
            "{name} is NULL: expected {count} items"
        ))),
        false => Err(Failure::input(format!(
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
    pub(crate) unsafe fn new(place: *mut T, empty: T, name: &str) -> Result<Place<T>, Failure> {
        // SAFETY: as the caller promises.
        unsafe { Place::optional(place, empty) }
            .ok_or_else(|| Failure::input(format!("{name} is NULL: expected a pointer")))
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
