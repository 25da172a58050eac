//! `.note.package`: metadata of the package that the output belongs to (`--package-metadata=JSON`).
//!
//! The argument passes through build systems that trip over quotes and commas, so `%` escapes are
//! decoded: two hexadecimal digits (lld, GNU ld 2.43), or a name in brackets: `%[comma]`,
//! `%[lbrace]`, `%[quot]`, `%[rbrace]`, `%[space]` (GNU ld). An empty argument removes the note.
//! Format: the UAPI Group's "Package Metadata for Executable Files": owner "FDO", type 0xcafe1a7e,
//! a NUL-terminated JSON object.

use crate::args::Options;
use skald_core::diag::{Diag, WHOLE_LINK};
use skald_linking::byte_order::ByteOrder;
use std::fmt;

const NT_FDO_PACKAGING_METADATA: u32 = 0xcafe_1a7e;
/// `n_namesz`, `n_descsz`, `n_type` and the name "FDO".
const HEADER_SIZE: usize = 16;

/// The plan of `.note.package`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageNote {
    json: Vec<u8>,
}

/// Why an argument is refused: a `%` that begins no escape, a NUL, or more bytes than a note holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadMetadata {
    /// The complaint, as the message has it.
    pub what: &'static str,
    /// Offset in the argument.
    pub offset: usize,
}

impl fmt::Display for BadMetadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--package-metadata: {} at byte {}", self.what, self.offset)
    }
}

impl std::error::Error for BadMetadata {}

impl PackageNote {
    /// The note for `--package-metadata`; `None` without it.
    pub fn asked(options: &Options, diag: &Diag) -> Option<PackageNote> {
        let text = options.package_metadata.as_ref()?;
        PackageNote::parse(text.as_bytes()).unwrap_or_else(|error| {
            diag.error(WHOLE_LINK, error.to_string());
            None
        })
    }

    /// The note for the argument of `--package-metadata`; `None` if that is empty.
    pub fn parse(argument: &[u8]) -> Result<Option<PackageNote>, BadMetadata> {
        let mut json = Vec::with_capacity(argument.len());
        let mut at = 0;
        while let Some(&byte) = argument.get(at) {
            let (byte, len) = if byte == b'%' {
                let bad = BadMetadata { what: "invalid % escape", offset: at };
                escape(&argument[at + 1..]).map(|(byte, len)| (byte, len + 1)).ok_or(bad)?
            } else {
                (byte, 1)
            };
            if byte == 0 {
                return Err(BadMetadata { what: "a NUL", offset: at });
            }
            json.push(byte);
            at += len;
        }
        if json.len() >= u32::MAX as usize {
            return Err(BadMetadata { what: "more than 4 GiB", offset: u32::MAX as usize });
        }
        Ok((!json.is_empty()).then_some(PackageNote { json }))
    }

    /// Bytes of the section; it is aligned to 4.
    pub fn size(&self) -> u64 {
        HEADER_SIZE as u64 + u64::from(self.descriptor_len()).next_multiple_of(4)
    }

    /// Bytes of the descriptor, with its NUL and without padding.
    fn descriptor_len(&self) -> u32 {
        self.json.len() as u32 + 1
    }

    /// Fills `out`, which has [`PackageNote::size`] bytes.
    pub fn write(&self, order: ByteOrder, out: &mut [u8]) {
        assert_eq!(out.len() as u64, self.size());
        order.put(out, 0, 4u32);
        order.put(out, 4, self.descriptor_len());
        order.put(out, 8, NT_FDO_PACKAGING_METADATA);
        out[12..16].copy_from_slice(b"FDO\0");
        let (json, padding) = out[HEADER_SIZE..].split_at_mut(self.json.len());
        json.copy_from_slice(&self.json);
        padding.fill(0);
    }
}

/// Decodes the escape behind a `%`: the byte that it stands for, and how many bytes the escape has.
fn escape(rest: &[u8]) -> Option<(u8, usize)> {
    let names: [(&[u8], u8); 5] = [
        (b"[comma]", b','),
        (b"[lbrace]", b'{'),
        (b"[quot]", b'"'),
        (b"[rbrace]", b'}'),
        (b"[space]", b' '),
    ];
    if let Some((name, byte)) = names.iter().find(|(name, _)| rest.starts_with(name)) {
        return Some((*byte, name.len()));
    }
    let digit = |at: usize| (*rest.get(at)? as char).to_digit(16);
    Some(((digit(0)? * 16 + digit(1)?) as u8, 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synth::blank;
    use proptest::prelude::*;

    fn json(argument: &str) -> Result<Option<String>, &'static str> {
        let note = PackageNote::parse(argument.as_bytes()).map_err(|error| error.what)?;
        Ok(note.map(|note| String::from_utf8(note.json).unwrap()))
    }

    /// The bytes are those that GNU ld 2.40 writes.
    #[test]
    fn write_fills_exactly_size() {
        let note = PackageNote::parse(br#"{"a":"b"}"#).unwrap().unwrap();
        let mut out = blank(note.size());
        note.write(ByteOrder::Little, &mut out);
        let mut expected = vec![4, 0, 0, 0, 10, 0, 0, 0, 0x7e, 0x1a, 0xfe, 0xca];
        expected.extend(b"FDO\0{\"a\":\"b\"}\0\0\0");
        assert_eq!(out, expected);
    }

    #[test]
    fn escapes() {
        assert_eq!(json(""), Ok(None));
        let escaped = "%[lbrace]%[quot]a%22:%[space]1%2c%[comma]%7D%[rbrace]";
        assert_eq!(json(escaped), Ok(Some(r#"{"a": 1,,}}"#.to_owned())));
        for bad in ["%", "%2", "%x1", "%[comma", "a%[tab]"] {
            assert_eq!(json(bad), Err("invalid % escape"), "{bad}");
        }
        assert_eq!(json("%00"), Err("a NUL"));
    }

    proptest! {
        #[test]
        fn any_argument_is_taken_or_refused(argument: Vec<u8>) {
            if let Ok(Some(note)) = PackageNote::parse(&argument) {
                note.write(ByteOrder::Little, &mut blank(note.size()));
            }
        }
    }
}
