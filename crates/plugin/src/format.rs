//! The `printf` formats of plugins' messages.
//!
//! Stable Rust cannot define a variadic function. On the machines that are supported, integers and
//! pointers are passed to variadic functions as to any other. So the callback takes a fixed number
//! of words, the most that a message may have. Floating-point formats are not supported.

use std::ffi::{CStr, c_char};

/// Formats `format` with the words `arguments`; conversions without a remaining argument stay
/// unchanged.
///
/// # Safety
/// The arguments have to match the format: a word for `%s` is null or points to a string that ends
/// with a NUL.
pub unsafe fn format(format: &[u8], arguments: &[usize]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut words = arguments.iter().copied();
    let mut rest = format;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let Some(spec) = Spec::parse(rest) else {
            out.push(byte);
            continue;
        };
        rest = &rest[spec.length..];
        let precision = if spec.is_precision_given_apart { words.next() } else { spec.precision };
        let text = match spec.conversion {
            b'%' => b"%".to_vec(),
            b's' => match words.next() {
                // SAFETY: that is what the caller promises for %s.
                Some(word) => unsafe { string(word, precision) },
                None => b"%s".to_vec(),
            },
            b'c' => vec![words.next().unwrap_or(0) as u8],
            conversion => {
                let word = words.next().unwrap_or(0);
                number(
                    conversion,
                    if spec.is_long { word as u64 } else { narrow(conversion, word) },
                )
            }
        };
        let padding = spec.width.unwrap_or(0).saturating_sub(text.len());
        let fill = if spec.is_zero_padded { b'0' } else { b' ' };
        let pad = |out: &mut Vec<u8>| out.extend(std::iter::repeat_n(fill, padding));
        if !spec.is_left {
            pad(&mut out);
        }
        out.extend(text);
        if spec.is_left {
            pad(&mut out);
        }
    }
    out
}

/// A conversion of a format.
#[derive(Default)]
struct Spec {
    width: Option<usize>,
    precision: Option<usize>,
    is_precision_given_apart: bool,
    is_left: bool,
    is_zero_padded: bool,
    is_long: bool,
    conversion: u8,
    /// Length of the conversion in the format.
    length: usize,
}

impl Spec {
    /// The conversion behind a `%`; `None` if it is not supported.
    fn parse(text: &[u8]) -> Option<Spec> {
        let mut spec = Spec::default();
        let digits = |at: &mut usize| {
            let start = *at;
            while text.get(*at).is_some_and(u8::is_ascii_digit) {
                *at += 1;
            }
            let digits = str::from_utf8(text.get(start..*at)?).ok()?;
            digits.parse().ok().map(|number: usize| number.min(1 << 12))
        };
        let mut at = 0;
        while let Some(b'-' | b'0' | b'#' | b'+' | b' ') = text.get(at) {
            spec.is_left |= text[at] == b'-';
            spec.is_zero_padded |= text[at] == b'0';
            at += 1;
        }
        spec.width = digits(&mut at);
        if text.get(at) == Some(&b'.') {
            at += 1;
            spec.is_precision_given_apart = text.get(at) == Some(&b'*');
            at += usize::from(spec.is_precision_given_apart);
            spec.precision = digits(&mut at).or(Some(0));
        }
        while let Some(b'l' | b'z' | b'j' | b't' | b'h' | b'q') = text.get(at) {
            spec.is_long |= text[at] != b'h';
            at += 1;
        }
        spec.conversion = *text.get(at)?;
        spec.is_long |= spec.conversion == b'p';
        spec.length = at + 1;
        b"%scdiuxXop".contains(&spec.conversion).then_some(spec)
    }
}

/// The value of an `int`.
fn narrow(conversion: u8, word: usize) -> u64 {
    match conversion {
        b'd' | b'i' => i64::from(word as u32 as i32) as u64,
        _ => u64::from(word as u32),
    }
}

fn number(conversion: u8, value: u64) -> Vec<u8> {
    match conversion {
        b'd' | b'i' => (value as i64).to_string(),
        b'x' => format!("{value:x}"),
        b'X' => format!("{value:X}"),
        b'o' => format!("{value:o}"),
        b'p' => format!("{value:#x}"),
        _ => value.to_string(),
    }
    .into_bytes()
}

/// The string at an address, or its first `precision` bytes.
///
/// # Safety
/// `word` is null or points to a string that ends with a NUL or has `precision` bytes.
unsafe fn string(word: usize, precision: Option<usize>) -> Vec<u8> {
    let text = word as *const c_char;
    if text.is_null() {
        return b"(null)".to_vec();
    }
    match precision {
        // SAFETY: the caller's promise; the length is looked for no further than the precision.
        Some(most) => unsafe {
            let text = text.cast::<u8>();
            let length = (0..most).find(|&at| text.add(at).read() == 0).unwrap_or(most);
            std::slice::from_raw_parts(text, length).to_vec()
        },
        // SAFETY: the caller's promise.
        None => unsafe { CStr::from_ptr(text).to_bytes().to_vec() },
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn formats_are_those_of_the_c_library() {
        let text = c"text";
        let address = text.as_ptr() as usize;
        let check = |format: &str, words: &[usize], wanted: &str| {
            // SAFETY: every word for %s is that string.
            let found = unsafe { super::format(format.as_bytes(), words) };
            assert_eq!(String::from_utf8_lossy(&found), wanted);
        };
        check("%s: %d of %u%%", &[address, -3i32 as u32 as usize, 7], "text: -3 of 7%");
        check(
            "%.*s|%.2s|%6s|%-6s|",
            &[3, address, address, address, address],
            "tex|te|  text|text  |",
        );
        check(
            "%lx %08x %llu %zd %p",
            &[255, 254, 1 << 40, 5, 16],
            "ff 000000fe 1099511627776 5 0x10",
        );
        check("%f %", &[], "%f %");
        check("%s", &[], "%s");
        check("%s", &[0], "(null)");
        check("%c%i", &[65, 1], "A1");
    }
}
