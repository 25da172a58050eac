//! The words of the C library for an error number, as users know them from other tools.
//!
//! `std` appends ` (os error 2)`, which scripts that grep for `No such file or directory` at the
//! end of a line do not expect.

use rustix::io::Errno;

/// `strerror` of `errno`, for example `No space left on device`.
pub fn text(errno: Errno) -> String {
    of(&std::io::Error::from(errno))
}

/// [`text`] for an error of `std`.
pub fn of(error: &std::io::Error) -> String {
    let full = error.to_string();
    match full.find(" (os error") {
        Some(end) => full[..end].to_owned(),
        None => full,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_text_of_strerror_alone() {
        assert_eq!(text(Errno::NOENT), "No such file or directory");
        assert_eq!(text(Errno::NOSPC), "No space left on device");
        let error = std::fs::read("/").expect_err("a directory");
        assert_eq!(of(&error), "Is a directory");
    }
}
