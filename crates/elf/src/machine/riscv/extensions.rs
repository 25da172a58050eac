//! ISA strings, such as `rv64i2p1_m2p0_zicsr2p0`: the base, then extensions with their versions, in
//! the canonical order ("The RISC-V Instruction Set Manual", volume I, "ISA Extension Naming
//! Conventions").

use std::collections::BTreeMap;
use std::fmt;

/// Extensions of one letter, in their order.
const LETTERS: &[u8] = b"iemafdqlcbkjtpvnh";

/// An ISA string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extensions {
    /// 32 or 64.
    bits: u32,
    /// Versions by name, in canonical order.
    versions: BTreeMap<Name, Version>,
}

/// Major and minor number; `None` if the string has none.
type Version = Option<(u32, u32)>;

/// A name, which sorts by its place in the canonical order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    /// One letter, then `z`, `s`, `x`.
    class: u8,
    /// Of one letter or of `z`: the place of the letter, or of the one behind `z`.
    letter: usize,
    text: String,
}

impl Name {
    fn new(text: &str) -> Name {
        let bytes = text.as_bytes();
        let place = |byte: Option<&u8>| {
            let byte = byte.copied().unwrap_or(0);
            LETTERS.iter().position(|&letter| letter == byte).unwrap_or(usize::from(byte))
        };
        let (class, letter) = match (bytes.len(), bytes[0]) {
            (1, _) => (0, place(bytes.first())),
            (_, b'z') => (1, place(bytes.get(1))),
            (_, b's') => (2, 0),
            _ => (3, 0),
        };
        Name { class, letter, text: text.to_owned() }
    }
}

impl Extensions {
    /// Reads an ISA string; an error says what is wrong with it.
    pub fn parse(text: &[u8]) -> Result<Extensions, String> {
        let bad = || format!("invalid ISA string {:?}", String::from_utf8_lossy(text));
        let whole = std::str::from_utf8(text).ok().filter(|text| text.is_ascii());
        let whole = whole.ok_or_else(bad)?.to_ascii_lowercase();
        let (bits, mut rest) = match whole.split_at_checked(4) {
            Some(("rv32", rest)) => (32, rest),
            Some(("rv64", rest)) => (64, rest),
            _ => return Err(bad()),
        };
        let mut versions = BTreeMap::new();
        while let Some(&first) = rest.as_bytes().first() {
            if first == b'_' {
                rest = &rest[1..];
                continue;
            }
            if !first.is_ascii_lowercase() {
                return Err(bad());
            }
            let (name, behind) = if matches!(first, b'z' | b's' | b'x') {
                let (word, behind) = match rest.find('_') {
                    Some(end) => rest.split_at(end),
                    None => (rest, ""),
                };
                // The version is behind the name, which may have digits itself.
                let name = name_of_word(word);
                versions.insert(Name::new(name), version(&word[name.len()..]).0);
                rest = behind;
                continue;
            } else {
                rest.split_at(1)
            };
            let (found, behind) = version(behind);
            versions.insert(Name::new(name), found);
            rest = behind;
        }
        Ok(Extensions { bits, versions })
    }

    /// Adds those of another object; of two versions the later counts. An error says why the two do
    /// not fit together.
    pub fn add(&mut self, other: &Extensions) -> Result<(), String> {
        if self.bits != other.bits {
            let (a, b) = (self.bits, other.bits);
            return Err(format!("registers have {a} bits in one and {b} in the other"));
        }
        for (name, version) in &other.versions {
            let own = self.versions.entry(name.clone()).or_insert(*version);
            *own = (*own).max(*version);
        }
        Ok(())
    }
}

/// The name at the start of a word: all but the version, `2p0`, at its end.
fn name_of_word(word: &str) -> &str {
    let digits_at_end = |text: &str| text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let minor = digits_at_end(word);
    if minor == word.len() {
        return word;
    }
    match word[..minor].strip_suffix('p') {
        Some(before) if digits_at_end(before) != before.len() => &word[..digits_at_end(before)],
        _ => &word[..minor],
    }
}

/// The version at the start of a text, and what is behind it.
fn version(text: &str) -> (Version, &str) {
    let number = |text: &str| {
        let len = text.bytes().take_while(u8::is_ascii_digit).count();
        text[..len].parse::<u32>().ok().map(|number| (number, len))
    };
    let Some((major, len)) = number(text) else { return (None, text) };
    let rest = &text[len..];
    match rest.strip_prefix('p').and_then(|minor| number(minor).map(|found| (found, minor))) {
        Some(((minor, len), text)) => (Some((major, minor)), &text[len..]),
        None => (Some((major, 0)), rest),
    }
}

impl fmt::Display for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rv{}", self.bits)?;
        for (index, (name, version)) in self.versions.iter().enumerate() {
            if index != 0 {
                f.write_str("_")?;
            }
            f.write_str(&name.text)?;
            if let Some((major, minor)) = version {
                write!(f, "{major}p{minor}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(a: &str, b: &str) -> Result<String, String> {
        let mut extensions = Extensions::parse(a.as_bytes())?;
        extensions.add(&Extensions::parse(b.as_bytes())?)?;
        Ok(extensions.to_string())
    }

    #[test]
    fn extensions_stand_in_canonical_order() {
        let found = joined("rv64i2p1_zmmul1p0_zicsr2p0_c2p0", "rv64i2p0_d2p2_f2p2_m2p0_xvendor1p0");
        let expected = "rv64i2p1_m2p0_f2p2_d2p2_c2p0_zicsr2p0_zmmul1p0_xvendor1p0";
        assert_eq!(found.as_deref(), Ok(expected));
        assert_eq!(joined("rv32imac", "rv32e").as_deref(), Ok("rv32i_e_m_a_c"));
        assert_eq!(joined("rv64i2p1_zvl128b1p0", "rv64i2p1").unwrap(), "rv64i2p1_zvl128b1p0");
        assert_eq!(joined("rv64i2_sscofpmf", "rv64i2p1").unwrap(), "rv64i2p1_sscofpmf");
    }

    #[test]
    fn other_strings_are_refused() {
        assert!(joined("rv64i", "rv32i").unwrap_err().contains("64 bits in one"));
        for text in ["", "rv", "rv128i", "rv64I\u{e9}", "rv64i-m", "x86"] {
            assert!(Extensions::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
