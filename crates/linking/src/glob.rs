//! Shell-style patterns over bytes, as linker scripts, version scripts and options use them.
//!
//! The rule is `fnmatch(pattern, name, 0)` of POSIX (XCU 2.13), which GNU ld calls: `*` is any run
//! of bytes, `/` and a leading `.` included; `?` is one byte. `[a-z]` is a set, negated by `!` or
//! `^`, with classes such as `[:alpha:]`; `\` quotes the next byte, inside a set too. A `[` that is
//! never closed is an ordinary byte, but in a pattern that a user wrote it is an error, as in lld
//! ([`Glob::fault`]). There are two differences from glibc, which no known script depends on: names
//! are bytes and not characters of the locale, and a `\` at the very end stands for itself where
//! glibc never matches.
//!
//! A pattern is cut into pieces at its stars. The first and the last piece are anchored and each
//! piece in between is matched where it first fits, which is enough and needs no backtracking: the
//! time is at most length of name times length of pattern. The shapes that scripts mostly have
//! (`name`, `*`, `name*`, `*name`, `a*b`, `*name*`) skip the general algorithm.

use memchr::memmem::Finder;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub struct Glob {
    shape: Shape,
}

#[derive(Debug, Clone)]
enum Shape {
    Literal(Box<[u8]>),
    Any,
    Prefix(Box<[u8]>),
    Suffix(Box<[u8]>),
    PrefixSuffix(Box<[u8]>, Box<[u8]>),
    Contains(Box<Finder<'static>>),
    General(Box<General>),
}

/// Pieces between stars. Without a tail there is no star and the head is the whole pattern.
#[derive(Debug, Clone)]
struct General {
    head: Piece,
    middle: Box<[Piece]>,
    tail: Option<Piece>,
}

#[derive(Debug, Clone)]
enum Piece {
    Bytes(Box<Finder<'static>>),
    Atoms(Box<[Atom]>),
}

/// What a pattern asks of one byte of a name.
#[derive(Debug, Clone)]
enum Atom {
    Byte(u8),
    One,
    Set(Box<ByteSet>),
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct ByteSet([u64; 4]);

impl Glob {
    /// Compiles a pattern. Every byte string is a pattern.
    pub fn new(pattern: &[u8]) -> Glob {
        if Glob::is_plain(pattern) {
            return Glob::literal(pattern);
        }
        // Most wildcards of scripts are a literal prefix and a star.
        if let Some(prefix) = pattern.strip_suffix(b"*").filter(|prefix| Glob::is_plain(prefix)) {
            let shape = if prefix.is_empty() { Shape::Any } else { Shape::Prefix(prefix.into()) };
            return Glob { shape };
        }
        let (mut pieces, _) = cut_at_stars(pattern);
        let last = pieces.len() - 1;
        // Stars in a row are one star: only the anchored pieces may be empty.
        let mut position = 0;
        pieces.retain(|piece| {
            position += 1;
            position == 1 || position == last + 1 || !piece.is_empty()
        });
        Glob { shape: shape_of(pieces) }
    }

    /// Whether the pattern has no special byte, as most patterns of long lists.
    pub fn is_plain(pattern: &[u8]) -> bool {
        !pattern.iter().any(|byte| matches!(byte, b'*' | b'?' | b'[' | b'\\'))
    }

    /// The error in a pattern that a user wrote: a `[` without `]` is not meant as an ordinary
    /// byte.
    pub fn fault(pattern: &[u8]) -> Option<String> {
        // Checked first, because few patterns have a `[`, and there may be many patterns.
        memchr::memchr(b'[', pattern)?;
        let (_, open_bracket) = cut_at_stars(pattern);
        let text = || String::from_utf8_lossy(pattern);
        open_bracket.then(|| format!("invalid glob pattern, unmatched '[': {}", text()))
    }

    /// A pattern that matches `name` alone, whatever bytes are in it.
    pub fn literal(name: &[u8]) -> Glob {
        Glob { shape: Shape::Literal(name.into()) }
    }

    /// Whether the pattern matches the whole of `name`.
    pub fn matches(&self, name: &[u8]) -> bool {
        match &self.shape {
            Shape::Literal(literal) => **literal == *name,
            Shape::Any => true,
            Shape::Prefix(prefix) => name.starts_with(prefix),
            Shape::Suffix(suffix) => name.ends_with(suffix),
            Shape::PrefixSuffix(prefix, suffix) => {
                name.len() >= prefix.len() + suffix.len()
                    && name.starts_with(prefix)
                    && name.ends_with(suffix)
            }
            Shape::Contains(finder) => finder.find(name).is_some(),
            Shape::General(general) => general.matches(name),
        }
    }

    /// Whether it is a literal prefix and a star.
    pub fn is_prefix(&self) -> bool {
        matches!(self.shape, Shape::Any | Shape::Prefix(_))
    }

    /// The only name that the pattern matches, escapes removed, if it has no wildcard.
    pub fn as_literal(&self) -> Option<&[u8]> {
        match &self.shape {
            Shape::Literal(literal) => Some(literal),
            _ => None,
        }
    }

    /// A prefix of every matching name, as long as can be told from the pattern.
    pub fn literal_prefix(&self) -> Vec<u8> {
        match &self.shape {
            Shape::Literal(prefix) | Shape::Prefix(prefix) | Shape::PrefixSuffix(prefix, _) => {
                prefix.to_vec()
            }
            Shape::Any | Shape::Suffix(_) | Shape::Contains(_) => Vec::new(),
            Shape::General(general) => match &general.head {
                Piece::Bytes(finder) => finder.needle().to_vec(),
                Piece::Atoms(atoms) => atoms.iter().map_while(Atom::byte).collect(),
            },
        }
    }

    /// A suffix of every matching name, as long as can be told from the pattern.
    pub fn literal_suffix(&self) -> Vec<u8> {
        match &self.shape {
            Shape::Literal(suffix) | Shape::Suffix(suffix) | Shape::PrefixSuffix(_, suffix) => {
                suffix.to_vec()
            }
            Shape::Any | Shape::Prefix(_) | Shape::Contains(_) => Vec::new(),
            Shape::General(general) => {
                let last = general.tail.as_ref().unwrap_or(&general.head);
                last.literals().pop().filter(|_| last.ends_literally()).unwrap_or_default()
            }
        }
    }

    /// Byte strings that every matching name has somewhere.
    pub fn literals(&self) -> Vec<Vec<u8>> {
        let mut literals = match &self.shape {
            Shape::Any => Vec::new(),
            Shape::Literal(literal) | Shape::Prefix(literal) | Shape::Suffix(literal) => {
                vec![literal.to_vec()]
            }
            Shape::PrefixSuffix(prefix, suffix) => vec![prefix.to_vec(), suffix.to_vec()],
            Shape::Contains(finder) => vec![finder.needle().to_vec()],
            Shape::General(general) => {
                let pieces = [&general.head].into_iter().chain(&general.middle);
                pieces.chain(&general.tail).flat_map(Piece::literals).collect()
            }
        };
        literals.retain(|literal| !literal.is_empty());
        literals
    }
}

impl General {
    fn matches(&self, name: &[u8]) -> bool {
        let Some(tail) = &self.tail else {
            return name.len() == self.head.len() && self.head.matches(name);
        };
        if name.len() < self.head.len() + tail.len() {
            return false;
        }
        let (head, rest) = name.split_at(self.head.len());
        let (mut rest, end) = rest.split_at(rest.len() - tail.len());
        if !self.head.matches(head) || !tail.matches(end) {
            return false;
        }
        for piece in &self.middle {
            match piece.find(rest) {
                Some(at) => rest = &rest[at + piece.len()..],
                None => return false,
            }
        }
        true
    }
}

impl Piece {
    fn new(atoms: Vec<Atom>) -> Piece {
        match all_bytes(&atoms) {
            Some(bytes) => Piece::Bytes(Box::new(Finder::new(&bytes).into_owned())),
            None => Piece::Atoms(atoms.into()),
        }
    }

    fn len(&self) -> usize {
        match self {
            Piece::Bytes(finder) => finder.needle().len(),
            Piece::Atoms(atoms) => atoms.len(),
        }
    }

    /// The runs of plain bytes in it.
    fn literals(&self) -> Vec<Vec<u8>> {
        match self {
            Piece::Bytes(finder) => vec![finder.needle().to_vec()],
            Piece::Atoms(atoms) => {
                let runs = atoms.split(|atom| atom.byte().is_none());
                runs.map(|run| run.iter().filter_map(Atom::byte).collect()).collect()
            }
        }
    }

    /// Whether the piece ends with a plain byte, or is empty.
    fn ends_literally(&self) -> bool {
        match self {
            Piece::Bytes(_) => true,
            Piece::Atoms(atoms) => atoms.last().is_none_or(|atom| atom.byte().is_some()),
        }
    }

    /// Whether the piece matches `bytes`, which have its length.
    fn matches(&self, bytes: &[u8]) -> bool {
        match self {
            Piece::Bytes(finder) => finder.needle() == bytes,
            Piece::Atoms(atoms) => atoms.iter().zip(bytes).all(|(atom, &byte)| atom.matches(byte)),
        }
    }

    fn find(&self, bytes: &[u8]) -> Option<usize> {
        match self {
            Piece::Bytes(finder) => finder.find(bytes),
            Piece::Atoms(atoms) => {
                bytes.windows(atoms.len()).position(|window| self.matches(window))
            }
        }
    }
}

impl Atom {
    fn matches(&self, byte: u8) -> bool {
        match self {
            Atom::Byte(wanted) => *wanted == byte,
            Atom::One => true,
            Atom::Set(set) => set.contains(byte),
        }
    }

    fn byte(&self) -> Option<u8> {
        match self {
            Atom::Byte(byte) => Some(*byte),
            _ => None,
        }
    }
}

impl ByteSet {
    fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 != 0
    }

    fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    fn negate(&mut self) {
        for word in &mut self.0 {
            *word = !*word;
        }
    }
}

fn all_bytes(atoms: &[Atom]) -> Option<Box<[u8]>> {
    atoms.iter().map(Atom::byte).collect()
}

/// Picks the cheapest shape for these pieces.
fn shape_of(pieces: Vec<Vec<Atom>>) -> Shape {
    let bytes: Option<Vec<Box<[u8]>>> = pieces.iter().map(|piece| all_bytes(piece)).collect();
    match bytes.as_deref() {
        Some([whole]) => return Shape::Literal(whole.clone()),
        Some([head, tail]) => {
            return match (head.is_empty(), tail.is_empty()) {
                (true, true) => Shape::Any,
                (false, true) => Shape::Prefix(head.clone()),
                (true, false) => Shape::Suffix(tail.clone()),
                (false, false) => Shape::PrefixSuffix(head.clone(), tail.clone()),
            };
        }
        Some([head, inner, tail]) if head.is_empty() && tail.is_empty() => {
            return Shape::Contains(Box::new(Finder::new(inner).into_owned()));
        }
        _ => {}
    }
    let mut pieces: Vec<Piece> = pieces.into_iter().map(Piece::new).collect();
    let tail = if pieces.len() > 1 { pieces.pop() } else { None };
    let head = pieces.remove(0);
    Shape::General(Box::new(General { head, middle: pieces.into(), tail }))
}

/// The pieces between the stars of `pattern`, always one more than there are stars, and whether a
/// `[` is never closed.
fn cut_at_stars(pattern: &[u8]) -> (Vec<Vec<Atom>>, bool) {
    let mut pieces = vec![Vec::new()];
    let mut rest = pattern;
    // If one `[` is never closed, no later one is; searching again would take quadratic time.
    let mut open_bracket = false;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let atom = match byte {
            b'*' => {
                pieces.push(Vec::new());
                continue;
            }
            b'?' => Atom::One,
            b'[' if !open_bracket => match parse_set(rest) {
                Some((set, after)) => {
                    rest = after;
                    Atom::Set(Box::new(set))
                }
                None => {
                    open_bracket = true;
                    Atom::Byte(b'[')
                }
            },
            b'\\' => match rest.split_first() {
                Some((&escaped, after)) => {
                    rest = after;
                    Atom::Byte(escaped)
                }
                None => Atom::Byte(b'\\'),
            },
            byte => Atom::Byte(byte),
        };
        pieces.last_mut().expect("there is always a piece").push(atom);
    }
    (pieces, open_bracket)
}

/// Parses what follows a `[`; returns the set and what follows its `]`, or `None` if there is none.
fn parse_set(mut rest: &[u8]) -> Option<(ByteSet, &[u8])> {
    let mut set = ByteSet::default();
    let negated = matches!(rest.first(), Some(b'!' | b'^'));
    if negated {
        rest = &rest[1..];
    }
    let mut first = true;
    loop {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        if byte == b']' && !first {
            break;
        }
        first = false;
        if byte == b'['
            && rest.first() == Some(&b':')
            && let Some((class, after)) = split_named(rest, b":]")
        {
            (0..=u8::MAX).filter(|&byte| in_class(class, byte)).for_each(|b| set.insert(b));
            rest = after;
            continue;
        }
        let (low, after) = set_member(byte, rest)?;
        rest = after;
        // A `-` right before the `]` is a member and not a range.
        let high = match rest {
            [b'-', b']', ..] => low,
            [b'-', next, after @ ..] => {
                let (high, after) = set_member(*next, after)?;
                rest = after;
                high
            }
            _ => low,
        };
        (low..=high).for_each(|byte| set.insert(byte));
    }
    if negated {
        set.negate();
    }
    Some((set, rest))
}

/// One end of a range: a byte, an escaped byte, or a one-byte `[.x.]` or `[=x=]`.
fn set_member(byte: u8, rest: &[u8]) -> Option<(u8, &[u8])> {
    match (byte, rest) {
        (b'\\', [escaped, after @ ..]) => Some((*escaped, after)),
        (b'\\', []) => None,
        (b'[', [b'.', member, b'.', b']', after @ ..])
        | (b'[', [b'=', member, b'=', b']', after @ ..]) => Some((*member, after)),
        _ => Some((byte, rest)),
    }
}

/// Splits `:name:]...` into the name and what follows.
fn split_named<'a>(rest: &'a [u8], end: &[u8; 2]) -> Option<(&'a [u8], &'a [u8])> {
    let length = rest[1..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    let after = rest[1 + length..].strip_prefix(end)?;
    Some((&rest[1..1 + length], after))
}

/// The classes of POSIX in the C locale; an unknown class has no members.
fn in_class(class: &[u8], byte: u8) -> bool {
    match class {
        b"alnum" => byte.is_ascii_alphanumeric(),
        b"alpha" => byte.is_ascii_alphabetic(),
        b"blank" => byte == b' ' || byte == b'\t',
        b"cntrl" => byte.is_ascii_control(),
        b"digit" => byte.is_ascii_digit(),
        b"graph" => byte.is_ascii_graphic(),
        b"lower" => byte.is_ascii_lowercase(),
        b"print" => byte.is_ascii_graphic() || byte == b' ',
        b"punct" => byte.is_ascii_punctuation(),
        b"space" => byte.is_ascii_whitespace() || byte == 0x0b,
        b"upper" => byte.is_ascii_uppercase(),
        b"xdigit" => byte.is_ascii_hexdigit(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matches(pattern: &str, name: &str) -> bool {
        Glob::new(pattern.as_bytes()).matches(name.as_bytes())
    }

    /// Each row was checked against `fnmatch` of glibc 2.36.
    #[test]
    fn agrees_with_fnmatch() {
        let rows = [
            ("", "", true),
            ("", "a", false),
            ("abc", "abc", true),
            ("abc", "abcd", false),
            ("*", "", true),
            ("*", ".x", true),
            ("*", "a/b", true),
            ("**a", "bca", true),
            ("*?", "", false),
            ("?*?", "ab", true),
            ("?*?", "a", false),
            ("foo*", "foo", true),
            ("foo*", "fo", false),
            ("*foo", "xfoo", true),
            ("*foo", "foox", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("*mid*", "xmidx", true),
            ("*mid*", "xmix", false),
            ("a*b*c", "aXbXc", true),
            ("a*b*c", "aXcXb", false),
            ("a*b?*c", "abbc", true),
            ("*a?c*e", "xxabcxxe", true),
            ("[", "[", true),
            ("[a", "[a", true),
            ("[]", "[]", true),
            ("[!", "[!", true),
            ("[!a", "[!a", true),
            ("[a-z", "b", false),
            ("*[", "a[", true),
            ("a[b*", "a[bcd", true),
            ("[]a]", "]", true),
            ("[!]a]", "b", true),
            ("[!]a]", "]", false),
            ("[^a]", "b", true),
            ("[^a]", "a", false),
            ("[a-]", "-", true),
            ("[z-a]", "m", false),
            ("[--0]", ".", true),
            ("[a\\]b]", "]", true),
            ("[\\-]", "-", true),
            ("[a-\\z]", "m", true),
            ("[[:digit:]]x", "5x", true),
            ("[[:digit:]]x", "ax", false),
            ("[[:foo:]]", "f", false),
            ("[[.a.]]", "a", true),
            ("[[=a=]]", "a", true),
            ("*\\*", "a*", true),
            ("*\\*", "ab", false),
            ("fo\\o", "foo", true),
        ];
        for (pattern, name, expected) in rows {
            assert_eq!(matches(pattern, name), expected, "{pattern} on {name}");
        }
    }

    #[test]
    fn literals_and_prefixes() {
        assert_eq!(Glob::new(b"a\\*b").as_literal(), Some(&b"a*b"[..]));
        assert_eq!(Glob::new(b"a*").as_literal(), None);
        assert!(Glob::literal(b"a*").matches(b"a*"));
        assert!(!Glob::literal(b"a*").matches(b"ab"));
        let rows: [(&[u8], &[u8]); 7] = [
            (b"abc", b"abc"),
            (b"abc*", b"abc"),
            (b"ab?c", b"ab"),
            (b"ab*c*d", b"ab"),
            (b"*ab", b""),
            (b"[a]b", b""),
            (b"a\\[b*c*d", b"a[b"),
        ];
        for (pattern, prefix) in rows {
            assert_eq!(Glob::new(pattern).literal_prefix(), prefix);
        }
    }

    #[test]
    fn hostile_patterns_are_quick() {
        let name = vec![b'a'; 20_000];
        assert!(!Glob::new(&b"*a".repeat(500)).matches(&name[..499]));
        assert!(!matches(&("*a".repeat(300) + "b"), &"a".repeat(20_000)));
        assert!(!Glob::new(&b"[".repeat(200_000)).matches(&name));
    }

    /// Reference implementation that backtracks at every star.
    fn slow(atoms: &[Option<Atom>], name: &[u8]) -> bool {
        match atoms.split_first() {
            None => name.is_empty(),
            Some((None, rest)) => (0..=name.len()).any(|skip| slow(rest, &name[skip..])),
            Some((Some(atom), rest)) => {
                !name.is_empty() && atom.matches(name[0]) && slow(rest, &name[1..])
            }
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(pattern in "[ab*?]{0,9}", name in "[ab]{0,9}") {
            let atoms: Vec<Option<Atom>> = pattern
                .bytes()
                .map(|byte| match byte {
                    b'*' => None,
                    b'?' => Some(Atom::One),
                    byte => Some(Atom::Byte(byte)),
                })
                .collect();
            prop_assert_eq!(matches(&pattern, &name), slow(&atoms, name.as_bytes()));
        }

        #[test]
        fn any_bytes_are_a_pattern(pattern: Vec<u8>, name: Vec<u8>) {
            let glob = Glob::new(&pattern);
            if glob.matches(&name) {
                prop_assert!(name.starts_with(&glob.literal_prefix()));
            }
        }

        #[test]
        fn brackets_of_any_shape(
            pattern in "[\\[\\]!^a\\-\\\\:.=*]{0,12}",
            name in "[\\[\\]!a-]{0,6}",
        ) {
            Glob::new(pattern.as_bytes()).matches(name.as_bytes());
        }
    }
}
