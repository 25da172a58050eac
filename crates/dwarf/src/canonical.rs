//! The canonical spelling of C and C++ types, by which gdb looks them up: `const` behind the type
//! that it qualifies, and the words of integer types in one order.
//!
//! Compilers write `pair<const Key, long unsigned int>`, gdb `pair<Key const, unsigned long>`.

use std::borrow::Cow;

/// The words that make integer types.
const INTEGER_WORDS: [&[u8]; 5] = [b"int", b"long", b"short", b"signed", b"unsigned"];
/// Words that may follow [`INTEGER_WORDS`] in types whose spelling does not change.
const OTHER_WORDS: [&[u8]; 4] = [b"char", b"double", b"__int128", b"wchar_t"];
/// Names that are nested deeper stay unchanged.
const MAX_DEPTH: usize = 64;

/// `name` as gdb spells it.
pub fn canonical(name: &[u8]) -> Cow<'_, [u8]> {
    let may_change = memchr::memchr_iter(b' ', name).any(|space| may_change(name, space));
    if !may_change || !is_understood(name) {
        return Cow::Borrowed(name);
    }
    let mut out = Vec::with_capacity(name.len());
    match rewrite(name, &mut out, 0) {
        Some(()) if out != name => Cow::Owned(out),
        _ => Cow::Borrowed(name),
    }
}

/// Whether gdb parses a name. Names that gdb does not understand stay unchanged: templates of
/// operators, empty lists of arguments, types of functions without a space before the parameters.
fn is_understood(name: &[u8]) -> bool {
    let is_operator = name.strip_prefix(b"operator").is_some_and(|rest| {
        rest.first().is_some_and(|byte| byte.is_ascii_punctuation() && *byte != b'_')
    });
    let glued = |at: usize| {
        let before = at.checked_sub(1).map_or(b' ', |before| name[before]);
        is_word_byte(before) || matches!(before, b'>' | b'*' | b'&')
    };
    !is_operator
        && memchr::memmem::find(name, b"<>").is_none()
        && memchr::memmem::find(name, b"__int128").is_none()
        && !memchr::memchr_iter(b'(', name).any(glued)
}

/// Whether the word before the space is one that canonicalization may move.
fn may_change(name: &[u8], space: usize) -> bool {
    let before = &name[..space];
    match before.last() {
        Some(b't') => {
            let words: [&[u8]; 3] = [b"const", b"int", b"short"];
            words.iter().any(|word| before.ends_with(word))
        }
        Some(b'g') => before.ends_with(b"long"),
        Some(b'd') => before.ends_with(b"signed"),
        Some(b'e') => before.ends_with(b"volatile"),
        _ => false,
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The word at the start of `text`; empty if none begins there.
fn word(text: &[u8]) -> &[u8] {
    let len = text.iter().position(|&byte| !is_word_byte(byte));
    &text[..len.unwrap_or(text.len())]
}

/// Appends `text` with its types in gdb's spelling; `None` if `text` looks like a type but cannot
/// be parsed.
fn rewrite(text: &[u8], out: &mut Vec<u8>, depth: usize) -> Option<()> {
    if depth > MAX_DEPTH {
        return None;
    }
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let first = word(rest);
        match first {
            b"" => {
                // A reference to an array.
                if rest[0] == b'[' && out.last() == Some(&b')') {
                    out.push(b' ');
                }
                out.push(rest[0]);
                at += 1;
            }
            b"const" | b"volatile" => {
                let len = qualifiers(rest);
                let type_len = if len == 0 { 0 } else { type_len(&rest[len..])? };
                if type_len == 0 {
                    // The qualifier stands behind its type already.
                    out.extend_from_slice(first);
                    at += first.len();
                    continue;
                }
                rewrite(&rest[len..][..type_len], out, depth + 1)?;
                out.push(b' ');
                out.extend_from_slice(rest[..len].trim_ascii_end());
                at += len + type_len;
                // Drops the space between two closing brackets.
                if text[at..].starts_with(b" >") && rest[..len + type_len].ends_with(b">") {
                    at += 1;
                }
            }
            b"lambda" => return None,
            _ if INTEGER_WORDS.contains(&first) => {
                let len = integer_len(rest);
                spell(&rest[..len], out);
                at += len;
            }
            _ => {
                out.extend_from_slice(first);
                at += first.len();
            }
        }
    }
    Some(())
}

/// Length of the qualifiers at the start of `text`, with the space behind each.
fn qualifiers(text: &[u8]) -> usize {
    let mut len = 0;
    while let first @ (b"const" | b"volatile") = word(&text[len..])
        && text.get(len + first.len()) == Some(&b' ')
    {
        len += first.len() + 1;
    }
    len
}

/// Length of the words of an integer type at the start of `text`.
fn integer_len(text: &[u8]) -> usize {
    let mut len = 0;
    let mut next = 0;
    loop {
        let word = word(&text[next..]);
        if !INTEGER_WORDS.contains(&word) && (len == 0 || !OTHER_WORDS.contains(&word)) {
            return len;
        }
        len = next + word.len();
        if text.get(len) != Some(&b' ') {
            return len;
        }
        next = len + 1;
    }
}

/// Appends the canonical spelling of the integer type whose words are in `run`.
fn spell(run: &[u8], out: &mut Vec<u8>) {
    let words = || run.split(|&byte| byte == b' ');
    let count = |wanted: &[u8]| words().filter(|&word| word == wanted).count();
    let (longs, shorts) = (count(b"long"), count(b"short"));
    if longs + shorts == 0 || words().any(|word| OTHER_WORDS.contains(&word)) {
        return out.extend_from_slice(run);
    }
    if count(b"unsigned") != 0 {
        out.extend_from_slice(b"unsigned ");
    }
    for at in 0..longs + shorts {
        if at != 0 {
            out.push(b' ');
        }
        out.extend_from_slice(if at < longs { b"long" } else { b"short" });
    }
}

/// Length of the type name at the start of `text`, 0 if there is none. `None` if brackets do not
/// match.
fn type_len(text: &[u8]) -> Option<usize> {
    let integer = integer_len(text);
    if integer != 0 {
        return Some(integer);
    }
    let mut len = 0;
    loop {
        let rest = &text[len..];
        match rest.first() {
            Some(&byte) if is_word_byte(byte) => len += word(rest).len(),
            Some(b'<' | b'{') => len += bracketed_len(rest)?,
            Some(b'(') if rest.starts_with(b"(anonymous namespace)") => len += bracketed_len(rest)?,
            Some(b':') if rest.get(1) == Some(&b':') => len += 2,
            _ => return Some(len),
        }
    }
}

/// Length of the start of `text` up to the bracket that closes the first one.
fn bracketed_len(text: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'<' | b'(' | b'{' | b'[' => depth += 1,
            b'>' if at != 0 && text[at - 1] == b'-' => {}
            b'>' | b')' | b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::canonical;

    fn check(name: &str, expected: &str) {
        let found = canonical(name.as_bytes());
        assert_eq!(String::from_utf8_lossy(&found), expected, "{name}");
    }

    #[test]
    fn integer_types_have_one_spelling() {
        check("long unsigned int", "unsigned long");
        check("short int", "short");
        check("long long int", "long long");
        check("unsigned int", "unsigned int");
        check("unsigned char", "unsigned char");
        check("long double", "long double");
        check("pair<long unsigned int, short unsigned int>", "pair<unsigned long, unsigned short>");
        check("along unsigned", "along unsigned");
        check("lengthy<longish, int>", "lengthy<longish, int>");
        check("f<long int*>", "f<long*>");
        check("", "");
    }

    #[test]
    fn qualifiers_stand_behind_what_they_qualify() {
        check("pair<const Key, const A::B<const C>*>", "pair<Key const, A::B<C const> const*>");
        check("f<const volatile long int&>", "f<long const volatile&>");
        check("f<char* const>", "f<char* const>");
        check("f<long int const, T>", "f<long const, T>");
        check("operator==<const T>", "operator==<const T>");
        check("f<const A<B> >", "f<A<B> const>");
        check("f<const tuple<> >", "f<const tuple<> >");
        check("function<void(const T&)>", "function<void(const T&)>");
        check("f<const char (&)[16]>", "f<char const (&) [16]>");
        check("f<const (anonymous namespace)::T>", "f<(anonymous namespace)::T const>");
        check("operator const char*", "operator char const*");
        check("f<void (C::*)(const T&) const>", "f<void (C::*)(T const&) const>");
    }

    #[test]
    fn what_is_no_type_stays() {
        check("f<const T<", "f<const T<");
        check("f<g()::<lambda(const T&)> >", "f<g()::<lambda(const T&)> >");
        let deep = format!("{}x{}", "const T<".repeat(500), ">".repeat(500));
        check(&deep, &deep);
    }
}
