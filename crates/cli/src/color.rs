//! Whether messages are coloured if no option says so.

use std::ffi::OsStr;
use std::io::IsTerminal;

/// Whether standard error is a terminal that supports colours.
pub fn is_wanted() -> bool {
    let term = std::env::var_os("TERM");
    std::io::stderr().is_terminal() && has_colors(term.as_deref())
}

/// Whether a terminal of type `term` supports colours: editors that show the output of commands set
/// `dumb`.
fn has_colors(term: Option<&OsStr>) -> bool {
    term.is_some_and(|term| !term.is_empty() && term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dumb_terminals_are_not_coloured() {
        assert!(has_colors(Some(OsStr::new("xterm-256color"))));
        for term in [None, Some(""), Some("dumb")] {
            assert!(!has_colors(term.map(OsStr::new)), "{term:?}");
        }
    }
}
