//! The option that was probably meant by an unknown one.

use skald_core::diag::Error;

use super::rows::THEMES;
use skald_linking::spelling::distance;

/// The error for an unknown option, with the nearest spelling if one is near.
pub fn unknown(word: &[u8]) -> Error {
    let word = String::from_utf8_lossy(word);
    match nearest(&word) {
        Some(name) => Error(format!("unknown command line option: {word}; did you mean {name}?")),
        None => Error(format!("unknown command line option: {word}")),
    }
}

/// The spelling that differs from `word` in the fewest letters, if that is at most a third of
/// them. The argument after `=` and the dashes do not count.
fn nearest(word: &str) -> Option<&'static str> {
    let bare = |name: &str| name.trim_start_matches('-').to_owned();
    let typed = bare(word.split('=').next().unwrap_or(word));
    let names = THEMES.iter().flat_map(|theme| theme.rows).flat_map(|row| row.spellings());
    let long = names.filter(|name| bare(name).len() > 1);
    let (distance, name) =
        long.map(|name| (distance(&typed, &bare(name)), name)).min_by_key(|(d, _)| *d)?;
    if distance <= typed.len() / 3 { Some(name) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions() {
        assert_eq!(nearest("--gc-section"), Some("--gc-sections"));
        assert_eq!(nearest("-as-neded"), Some("--as-needed"));
        assert_eq!(nearest("--build_id=sha1"), Some("--build-id"));
        assert_eq!(nearest("--whole-archvie"), Some("--whole-archive"));
        assert_eq!(nearest("--completely-different"), None);
        assert_eq!(
            unknown(b"--sharde").0,
            "unknown command line option: --sharde; did you mean -shared?"
        );
    }

    #[test]
    fn a_huge_word_has_no_suggestion() {
        assert_eq!(nearest(&"x".repeat(1 << 20)), None);
    }
}
