//! The option that was probably meant by an unknown one.

use skald_core::diag::Error;

use super::rows::THEMES;

/// The error for an option that nobody knows, with the nearest spelling if one is near.
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

/// Letters to insert, delete, replace or swap with their neighbour to get from `a` to `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    // A word of megabytes must not cost a table of that size; it is near to nothing.
    if a.len() > 100 {
        return usize::MAX;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let mut best = (above[j] + usize::from(x != y)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("abc", "acb"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

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
