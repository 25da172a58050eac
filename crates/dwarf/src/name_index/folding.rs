//! The hash of names (DWARF 5, section 7.33): Bernstein's, of the name without regard to case.

/// The hash of the empty name.
const START: u32 = 5381;

/// The hash of a name.
pub fn hash(name: &[u8]) -> u32 {
    if name.is_ascii() {
        return name.iter().fold(START, |hash, byte| step(hash, byte.to_ascii_lowercase()));
    }
    let mut hash = START;
    for character in String::from_utf8_lossy(name).chars() {
        let mut bytes = [0; 4];
        hash = folded(character).encode_utf8(&mut bytes).bytes().fold(hash, step);
    }
    hash
}

#[inline(always)]
fn step(hash: u32, byte: u8) -> u32 {
    hash.wrapping_mul(33).wrapping_add(u32::from(byte))
}

/// Unicode's simple case folding, with the two special Latin letters of the standard folded to `i`.
/// Folding yields the lower case of a letter. The exceptions are lower-case letters that fold to
/// another one, and Cherokee, which folds to upper case.
fn folded(character: char) -> char {
    match character {
        '\u{130}' | '\u{131}' => 'i',
        '\u{b5}' => '\u{3bc}',
        '\u{17f}' => 's',
        '\u{345}' | '\u{1fbe}' => '\u{3b9}',
        '\u{3c2}' => '\u{3c3}',
        '\u{3d0}' => '\u{3b2}',
        '\u{3d1}' => '\u{3b8}',
        '\u{3d5}' => '\u{3c6}',
        '\u{3d6}' => '\u{3c0}',
        '\u{3f0}' => '\u{3ba}',
        '\u{3f1}' => '\u{3c1}',
        '\u{3f5}' => '\u{3b5}',
        '\u{1e9b}' => '\u{1e61}',
        '\u{13a0}'..='\u{13f5}' => character,
        '\u{13f8}'..='\u{13fd}' => moved(character, 0x13f8, 0x13f0),
        '\u{ab70}'..='\u{abbf}' => moved(character, 0xab70, 0x13a0),
        _ => {
            let mut lower = character.to_lowercase();
            match (lower.next(), lower.next()) {
                (Some(only), None) => only,
                _ => character,
            }
        }
    }
}

/// The letter whose distance from `to` is that of `character` from `from`.
fn moved(character: char, from: u32, to: u32) -> char {
    char::from_u32(u32::from(character) - from + to).unwrap_or(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_other_tools() {
        assert_eq!(hash(b""), 5381);
        assert_eq!(hash(b"cfun"), 0x7c95_1a71);
        assert_eq!(hash(b"AS"), 0x0059_7739);
        assert_eq!(hash(b"__INT_least16_t"), 0x4bd1_2c20);
    }

    #[test]
    fn case_does_not_matter() {
        let same = |a: &str, b: &str| assert_eq!(hash(a.as_bytes()), hash(b.as_bytes()), "{a}");
        same("ÄÖÜ", "äöü");
        same("Σς", "σσ");
        same("\u{130}x", "ix");
        same("\u{ab70}", "\u{13a0}");
        same("ẞ", "ß");
        assert_ne!(hash(&[0xff, 0x80]), hash(b"ab"));
    }
}
