//! Response files: `@FILE` on a command line stands for the words in FILE.
//!
//! There are two ways of quoting, chosen by `--rsp-quoting`. POSIX is how libiberty's `buildargv`
//! reads it for every GNU tool: blanks separate, `'` and `"` group, and `\` takes the next byte as
//! it is, inside quotes too. Windows is how its C runtime splits a command line. Files may name
//! further files. As for GNU ld, `@FILE` is an ordinary word if there is no such file.

use skald_host::paths::{OsStrBytes, OsStringBytes};
use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::Path;

use skald_core::diag::{Error, Result};
use skald_core::input;

/// How words are quoted in a response file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quoting {
    /// As libiberty's `buildargv` does.
    Posix,
    /// As the C runtime of Windows does.
    Windows,
}

/// How deep response files may be nested: more is a cycle.
const MAX_DEPTH: usize = 20;
/// How many response files a command line may read: a few small ones could expand to very many.
const MAX_FILES: usize = 2000;

/// The words of `argv`, program name excluded, with every response file replaced by its words.
pub fn expand(argv: &[OsString]) -> Result<Vec<OsString>> {
    let mut expansion = Expansion { words: Vec::new(), files: 0, quoting: quoting(argv)? };
    expansion.add(argv.to_vec(), 0)?;
    Ok(expansion.words)
}

/// The last `--rsp-quoting` outside of response files.
fn quoting(argv: &[OsString]) -> Result<Quoting> {
    let mut quoting = Quoting::Posix;
    for (at, word) in argv.iter().enumerate() {
        let word = word.as_bytes();
        let Some(name) = word.strip_prefix(b"--").or(word.strip_prefix(b"-")) else { continue };
        let Some(rest) = name.strip_prefix(b"rsp-quoting") else { continue };
        let value = match rest.strip_prefix(b"=") {
            Some(value) => value,
            None if rest.is_empty() => argv.get(at + 1).map_or(b"".as_slice(), |v| v.as_bytes()),
            None => continue,
        };
        quoting = match value {
            b"posix" => Quoting::Posix,
            b"windows" => Quoting::Windows,
            _ => {
                let value = OsStr::from_bytes(value).display();
                let text = format!("--rsp-quoting: bad value '{value}': expected posix or windows");
                return Err(Error(text));
            }
        };
    }
    Ok(quoting)
}

struct Expansion {
    words: Vec<OsString>,
    files: usize,
    quoting: Quoting,
}

impl Expansion {
    fn add(&mut self, words: Vec<OsString>, depth: usize) -> Result<()> {
        for word in words {
            match self.read(&word)? {
                Some(_) if depth == MAX_DEPTH => {
                    let word = word.display();
                    let text = format!("{word}: response files nested more than {MAX_DEPTH} deep");
                    return Err(Error(text));
                }
                Some(inner) => self.add(inner, depth + 1)?,
                None => self.words.push(word),
            }
        }
        Ok(())
    }

    /// The words of the response file that `word` names; `None` if it names none.
    fn read(&mut self, word: &OsStr) -> Result<Option<Vec<OsString>>> {
        let path = match word.as_bytes().strip_prefix(b"@") {
            Some(path) if !path.is_empty() => Path::new(OsStr::from_bytes(path)),
            _ => return Ok(None),
        };
        // If there is no such file it is an ordinary word.
        if path.metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            return Ok(None);
        }
        let text =
            input::open_text(path).map_err(|e| Error(format!("response file: {}", e.0)))?.data;
        self.files += 1;
        if self.files > MAX_FILES {
            return Err(Error(format!("more than {MAX_FILES} response files")));
        }
        Ok(Some(split(text, self.quoting)))
    }
}

/// The words of a response file.
pub fn split(text: &[u8], quoting: Quoting) -> Vec<OsString> {
    match quoting {
        Quoting::Posix => split_posix(text),
        Quoting::Windows => split_windows(text),
    }
}

fn split_posix(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'\\' => word.get_or_insert_default().extend(bytes.next()),
            _ if quote == Some(byte) => quote = None,
            b'\'' | b'"' if quote.is_none() => {
                word.get_or_insert_default();
                quote = Some(byte);
            }
            _ if quote.is_none() && is_blank(byte) => words.extend(word.take()),
            _ => {
                // Bytes that stand for themselves are taken in one run.
                let rest = bytes.as_slice();
                let is_plain = |&&byte: &&u8| {
                    !matches!(byte, b'\\' | b'\'' | b'"') && (quote.is_some() || !is_blank(byte))
                };
                let len = rest.iter().take_while(is_plain).count();
                let word = word.get_or_insert_default();
                word.reserve(1 + len);
                word.push(byte);
                word.extend_from_slice(&rest[..len]);
                bytes = rest[len..].iter();
            }
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

/// Backslashes are plain unless they precede `"`: then two make one, and an odd one makes the
/// quote plain. `""` inside quotes is a plain quote.
fn split_windows(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quoted = false;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'\\' => {
                let more = text[at..].iter().take_while(|&&byte| byte == b'\\').count();
                let count = more + 1;
                at += more;
                let before_quote = text.get(at) == Some(&b'"');
                let kept = if before_quote { count / 2 } else { count };
                word.get_or_insert_default().extend(std::iter::repeat_n(b'\\', kept));
                if before_quote && count % 2 == 1 {
                    word.get_or_insert_default().push(b'"');
                    at += 1;
                }
            }
            b'"' if quoted && text.get(at) == Some(&b'"') => {
                word.get_or_insert_default().push(b'"');
                at += 1;
            }
            b'"' => {
                word.get_or_insert_default();
                quoted = !quoted;
            }
            _ if !quoted && is_blank(byte) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posix(text: &str) -> Vec<OsString> {
        split(text.as_bytes(), Quoting::Posix)
    }

    fn windows(text: &str) -> Vec<OsString> {
        split(text.as_bytes(), Quoting::Windows)
    }

    #[test]
    fn posix_quoting() {
        assert_eq!(posix("a b\n\tc\r\n"), ["a", "b", "c"]);
        assert_eq!(posix(r#"'a b' "c d" e\ f"#), ["a b", "c d", "e f"]);
        assert_eq!(posix(r#"a'b'"c"d"#), ["abcd"]);
        assert_eq!(posix(r#""it's" '"'"#), ["it's", "\""]);
        assert_eq!(posix(r#""a\"b" C:\\x"#), [r#"a"b"#, r"C:\x"]);
        assert_eq!(posix("'' \"\" x"), ["", "", "x"]);
        assert_eq!(posix("  "), [] as [&str; 0]);
        assert_eq!(posix("'open"), ["open"]);
        assert_eq!(posix("end\\"), ["end"]);
    }

    #[test]
    fn windows_quoting() {
        assert_eq!(windows(r#"a "b c" d"#), ["a", "b c", "d"]);
        assert_eq!(windows(r"C:\dir\file.o -o x"), [r"C:\dir\file.o", "-o", "x"]);
        assert_eq!(windows(r#""C:\dir\\" x"#), [r"C:\dir\", "x"]);
        assert_eq!(windows(r#"a\"b "c\\\"d""#), [r#"a"b"#, r#"c\"d"#]);
        assert_eq!(windows(r#""say ""hi""" 'x y'"#), [r#"say "hi""#, "'x", "y'"]);
        assert_eq!(windows(r#""""#), [""]);
    }

    #[test]
    fn files_nest_and_missing_ones_are_words() {
        let dir = tempfile::tempdir().unwrap();
        let (outer, inner) = (dir.path().join("outer"), dir.path().join("inner"));
        std::fs::write(&inner, "c.o 'd e.o'").unwrap();
        std::fs::write(&outer, format!("b.o @{} f.o @", inner.display())).unwrap();
        let argv = ["a.o".into(), format!("@{}", outer.display()).into(), "@/no/such".into()];
        let words = expand(&argv).unwrap();
        assert_eq!(words, ["a.o", "b.o", "c.o", "d e.o", "f.o", "@", "@/no/such"]);
    }

    #[test]
    fn a_cycle_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("self");
        std::fs::write(&file, format!("x.o @{}", file.display())).unwrap();
        let error = expand(&[format!("@{}", file.display()).into()]).unwrap_err();
        assert!(error.0.contains("nested"), "{error}");
        // Two references each would be 2^20 files without a bound on their number.
        std::fs::write(&file, format!("@{0} @{0}", file.display())).unwrap();
        expand(&[format!("@{}", file.display()).into()]).unwrap_err();
    }

    #[test]
    fn an_unreadable_file_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let error = expand(&[format!("@{}", dir.path().display()).into()]).unwrap_err();
        assert!(error.0.contains("response file: cannot open"), "{error}");
    }

    #[test]
    fn quoting_is_chosen_before_files_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("r");
        std::fs::write(&file, r"a\b.o").unwrap();
        let at = OsString::from(format!("@{}", file.display()));
        let words = expand(&[at.clone(), "--rsp-quoting=windows".into()]).unwrap();
        assert_eq!(words[0], r"a\b.o");
        assert_eq!(expand(&[at]).unwrap(), ["ab.o"]);
        expand(&["--rsp-quoting=cmd".into()]).unwrap_err();
    }
}
