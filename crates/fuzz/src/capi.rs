//! The C API: all calls in the header, with valid and invalid arguments. No call crashes; each
//! failed call reports its reason in one line, and nothing is leaked.

#![allow(unsafe_code, reason = "calls of C")]

use std::ffi::{CStr, CString, c_char};
use std::ptr::{null, null_mut};
use std::sync::LazyLock;

use arbitrary::{Arbitrary, Result, Unstructured};
use slidingtilepdb::*;

mod calls;
mod results;

/// Texts of all kinds: boards, sizes, moves and invalid texts.
const TEXTS: [&CStr; 40] = [
    c"8 6 7/2 5 4/3 0 1",
    c"1 2 3/4 5 6/7 0 8",
    c"1 2 3/4 5 6/8 7 0",
    c"2 5 3 4/1 6 7 8/9 10 11 12/13 14 0 15",
    c"0 3/2 1",
    c"3 2 1/5 4 0",
    c"[[1,2],[3,0]]",
    c"1 2 3 4 0",
    c"2x2",
    c"3x3",
    c"3x2",
    c"4x4",
    c"20x20",
    c"99999x1",
    c"0x0",
    c"blank-last",
    c"blank-first",
    c"single",
    c"multi",
    c"manhattan",
    c"lines",
    c"runs",
    c"3",
    c"5-3",
    c"2-2-1",
    c"1,2,3",
    c"1,2,3/4,5",
    c"best",
    c"fringe",
    c"R",
    c"LRUD",
    c"U2RD",
    c"L1000000",
    c"8 6",
    c"text",
    c"svg",
    c"",
    c"\xff\xfe",
    c"\x1b[2J\n\xc2\x85",
    c"7 7 7/a b c",
];
/// Sizes whose tables are built within milliseconds.
const SIZES: [&CStr; 4] = [c"2x2", c"3x2", c"2x3", c"3x3"];
/// Maximum number of nodes per search.
const MAX_NODES: u64 = 2000;

/// Solvers for the calls: one per metric, and null. They are never freed.
static SOLVERS: LazyLock<[usize; 3]> = LazyLock::new(|| {
    let open = |size: &CStr, partition: &CStr, metric: &CStr| {
        let options = stp_open_options {
            struct_size: size_of::<stp_open_options>(),
            size: size.as_ptr(),
            partition: partition.as_ptr(),
            metric: metric.as_ptr(),
            threads: 1,
            ..zeroed()
        };
        let mut solver = null_mut();
        // SAFETY: all pointers are to local variables.
        let code = unsafe { stp_solver_open(&raw const options, &raw mut solver, null_mut()) };
        assert_eq!(code, STP_OK);
        solver as usize
    };
    [
        open(c"3x3", c"5-3", c"single"),
        open(c"3x2", c"runs", c"multi"),
        0,
    ]
});

/// A value whose bytes are all 0. C programs initialise structs in this way.
fn zeroed<T>() -> T {
    // SAFETY: this function is called only for structs of numbers, pointers and optional functions.
    unsafe { std::mem::zeroed() }
}

/// The bytes select calls and their arguments.
pub fn body(bytes: &[u8]) {
    let mut choices = Unstructured::new(bytes);
    // A call ends early if the bytes do not suffice for its arguments.
    while !choices.is_empty() && Caller(&mut choices).call().is_ok() {}
}

/// A text, or null. A text from the input ends at its first NUL.
enum Text {
    Null,
    Known(&'static CStr),
    Own(CString),
}

impl Text {
    fn as_ptr(&self) -> *const c_char {
        match self {
            Text::Null => null(),
            Text::Known(text) => text.as_ptr(),
            Text::Own(text) => text.as_ptr(),
        }
    }
}

struct Caller<'a, 'b>(&'a mut Unstructured<'b>);

impl Caller<'_, '_> {
    fn any<T: for<'x> Arbitrary<'x>>(&mut self) -> Result<T> {
        self.0.arbitrary()
    }

    fn text(&mut self) -> Result<Text> {
        let choice = usize::from(self.any::<u8>()?);
        Ok(match choice {
            0..16 => Text::Null,
            16..64 => {
                let length = usize::from(self.any::<u8>()? % 64);
                let mut bytes = self.0.bytes(length.min(self.0.len()))?.to_vec();
                bytes.push(0);
                let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(0);
                Text::Own(CString::new(&bytes[..end]).expect("it ends at its first NUL"))
            }
            _ => Text::Known(TEXTS[choice % TEXTS.len()]),
        })
    }

    fn solver(&mut self) -> Result<*const stp_solver> {
        Ok(SOLVERS[usize::from(self.any::<u8>()?) % SOLVERS.len()] as *const stp_solver)
    }

    /// A number for options: often 0, sometimes invalid.
    fn real(&mut self) -> Result<f64> {
        Ok(match self.any::<u8>()? {
            0..180 => 0.0,
            180..200 => 1e-3,
            200..210 => f64::NAN,
            210..220 => f64::INFINITY,
            220..230 => -1.0,
            _ => f64::from_bits(self.any()?),
        })
    }

    /// Returns `usual` in `most` of 256 cases, else `other`.
    fn either<T>(&mut self, most: u8, usual: T, other: T) -> Result<T> {
        Ok(if self.any::<u8>()? < most {
            usual
        } else {
            other
        })
    }

    /// Returns `usual` in `most` of 256 cases, else any value.
    fn mostly<T: for<'x> Arbitrary<'x>>(&mut self, most: u8, usual: T) -> Result<T> {
        if self.any::<u8>()? < most {
            Ok(usual)
        } else {
            self.any()
        }
    }

    /// Value of a C enumeration: usually 0, 1 or 2, sometimes an arbitrary number.
    fn small(&mut self) -> Result<i32> {
        let choice = self.any::<u8>()?;
        if choice < 250 {
            Ok(i32::from(choice % 3))
        } else {
            self.any()
        }
    }

    /// Copies a struct of options as if the calling program were compiled for another version of
    /// the library. The size field can differ from the struct's size in this version. The returned
    /// memory is as long as the size field states.
    fn sized<T: Copy>(&mut self, options: T) -> Result<Vec<u64>> {
        let ours = size_of::<T>();
        let size = match self.any::<u8>()? {
            0..200 => ours,
            200..220 => ours - 8 * usize::from(self.any::<u8>()? % 4),
            220..240 => ours + 8 * usize::from(self.any::<u8>()?),
            _ => usize::from(self.any::<u16>()?) & !7,
        };
        let filler = self.mostly(128, 0)?;
        let mut words = vec![0_u64; (size.max(8)) / 8];
        // SAFETY: the copy is no longer than the shorter of the two buffers. Any bytes are valid
        // integers.
        unsafe {
            let to = words.as_mut_ptr().cast::<u8>();
            let from = (&raw const options).cast::<u8>();
            from.copy_to_nonoverlapping(to, ours.min(8 * words.len()));
        }
        if let Some(last) = words.get_mut(ours / 8..).and_then(<[u64]>::last_mut) {
            *last = filler;
        }
        words[0] = size as u64;
        Ok(words)
    }

    fn call(&mut self) -> Result<()> {
        match self.any::<u8>()? % 22 {
            0..5 => self.open(),
            5..12 => self.search(),
            12 => self.list(),
            13..15 => self.advice(),
            15..18 => self.look(),
            18..21 => self.boards(),
            _ => self.scramble(),
        }
    }
}
