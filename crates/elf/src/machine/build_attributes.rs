//! The form of sections with build attributes: `.ARM.attributes` ("Addenda to, and Errata in, the
//! ABI for the Arm Architecture", "Build attributes") and `.riscv.attributes`.
//!
//! A section is the byte `A` and subsections: a length, the name of who defines the tags, and in it
//! the tag 1 for the file, a length, and pairs of a tag and a value.

use skald_linking::byte_order::ByteOrder;
use skald_linking::cursor::{Cursor, Malformed};
use std::collections::BTreeMap;

const FORMAT: u8 = b'A';
/// The attributes of the whole file.
const FILE: u64 = 1;

/// What follows a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number, as ULEB128.
    Number,
    /// A text that NUL ends.
    Text,
    /// A number and a text.
    Both,
}

/// A value of a [`Kind`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(u64),
    /// A text.
    Text(Vec<u8>),
    /// A number and a text.
    Both(u64, Vec<u8>),
}

impl Value {
    /// The number; 0 for a text.
    pub fn number(&self) -> u64 {
        match self {
            Value::Number(number) | Value::Both(number, _) => *number,
            Value::Text(_) => 0,
        }
    }

    fn is_default(&self) -> bool {
        *self == Value::Number(0) || *self == Value::Both(0, Vec::new())
    }
}

/// Values by tag.
pub type Attributes = BTreeMap<u64, Value>;

/// Who defines the tags, and what follows each.
pub struct Vendor {
    /// The name of subsections.
    pub name: &'static [u8],
    /// What follows a tag.
    pub kind: fn(u64) -> Kind,
    /// A tag that comes first, and all others by number.
    pub first: Option<u64>,
}

impl Vendor {
    /// The attributes of the file in a section.
    pub fn read(&self, order: ByteOrder, section: &[u8]) -> Result<Attributes, Malformed> {
        const SHORT: &str = "unexpected end of attributes";
        let mut attributes = Attributes::new();
        let mut cursor = Cursor::new(section);
        if cursor.u8(SHORT)? != FORMAT {
            return Err(Malformed::new("unrecognized format-version of attributes", 0));
        }
        while !cursor.is_empty() {
            let mut subsection = inner(&mut cursor, order, 0)?;
            if subsection.c_string(SHORT)? != self.name {
                continue;
            }
            while !subsection.is_empty() {
                let start = subsection.position();
                let scope = subsection.uleb128(SHORT)?;
                // The length counts from the tag on.
                let before = subsection.position() - start;
                let mut values = inner(&mut subsection, order, before)?;
                while scope == FILE && !values.is_empty() {
                    let tag = values.uleb128(SHORT)?;
                    let value = match (self.kind)(tag) {
                        Kind::Number => Value::Number(values.uleb128(SHORT)?),
                        Kind::Text => Value::Text(values.c_string(SHORT)?.to_vec()),
                        Kind::Both => {
                            let number = values.uleb128(SHORT)?;
                            Value::Both(number, values.c_string(SHORT)?.to_vec())
                        }
                    };
                    attributes.insert(tag, value);
                }
            }
        }
        Ok(attributes)
    }

    /// A section with these attributes; nothing if all are as if they were not there.
    pub fn write(&self, order: ByteOrder, attributes: &Attributes) -> Vec<u8> {
        let mut values = Vec::new();
        let is_first = |tag: u64| self.first == Some(tag);
        let first = attributes.iter().filter(|&(&tag, _)| is_first(tag));
        let rest = attributes.iter().filter(|&(&tag, _)| !is_first(tag));
        for (&tag, value) in first.chain(rest).filter(|(_, value)| !value.is_default()) {
            put_uleb(&mut values, tag);
            if let Value::Number(number) | Value::Both(number, _) = value {
                put_uleb(&mut values, *number);
            }
            if let Value::Text(text) | Value::Both(_, text) = value {
                values.extend_from_slice(text);
                values.push(0);
            }
        }
        if values.is_empty() {
            return Vec::new();
        }
        let file = 1 + 4 + values.len();
        let subsection = 4 + self.name.len() + 1 + file;
        let mut out = vec![FORMAT];
        out.extend_from_slice(&order.bytes(subsection as u32));
        out.extend_from_slice(self.name);
        out.extend_from_slice(&[0, FILE as u8]);
        out.extend_from_slice(&order.bytes(file as u32));
        out.extend(values);
        out
    }
}

/// What follows a length that counts itself and `before` bytes.
fn inner<'a>(
    cursor: &mut Cursor<'a>,
    order: ByteOrder,
    before: usize,
) -> Result<Cursor<'a>, Malformed> {
    let start = cursor.position();
    let size = cursor.u32(order, "unexpected end of attributes")? as usize;
    let inner = size.checked_sub(4 + before).filter(|&inner| inner <= cursor.remaining());
    let inner = inner.ok_or(Malformed::new("invalid size of an attributes subsection", start))?;
    Ok(Cursor::new(cursor.take(inner, "")?))
}

fn put_uleb(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    const VENDOR: Vendor = Vendor {
        name: b"test",
        kind: |tag| match tag {
            5 => Kind::Text,
            32 => Kind::Both,
            _ => Kind::Number,
        },
        first: Some(67),
    };

    #[test]
    fn what_is_written_is_read() {
        let all = Attributes::from([
            (5, Value::Text(b"x".to_vec())),
            (6, Value::Number(200)),
            (8, Value::Number(0)),
            (32, Value::Both(1, b"y".to_vec())),
            (67, Value::Number(2)),
        ]);
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let bytes = VENDOR.write(order, &all);
            let mut known = all.clone();
            known.remove(&8);
            assert_eq!(VENDOR.read(order, &bytes), Ok(known));
            assert!(bytes.ends_with(b"\x43\x02\x05x\0\x06\xc8\x01\x20\x01y\0"));
        }
        assert!(VENDOR.write(ByteOrder::Little, &Attributes::new()).is_empty());
    }
}
