//! Texts of system errors, in the form that users know from other tools.
//!
//! `std` appends ` (os error 2)`, which scripts that grep for `No such file or directory` at the
//! end of a line do not expect.

pub use crate::system::errors::{no_memory, too_large};

/// The C library's text for an error, for example `No space left on device`.
pub fn text(error: &std::io::Error) -> String {
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
        let missing = std::fs::read("/no/such/file").expect_err("it is not there");
        assert_eq!(text(&missing), "No such file or directory");
        let directory = std::fs::read("/").expect_err("a directory");
        assert_eq!(text(&directory), "Is a directory");
        assert_eq!(text(&too_large()).to_lowercase(), "file too large");
    }
}
