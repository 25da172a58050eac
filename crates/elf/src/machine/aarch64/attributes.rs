//! Build attributes ("Build Attributes for the Arm 64-bit Architecture").
//!
//! A section is the byte `A` and subsections: a length that counts itself, a name, whether who does
//! not know the name must refuse the file, the type of the values, and pairs of a tag and a value.
//! What the linker has to know are two of them. They say the same as properties do.

use crate::machine::property::{Declared, SigningSchema};
use skald_linking::byte_order::ByteOrder;
use skald_linking::cursor::{Cursor, Malformed};

/// The type of sections of attributes.
pub const SHT_AARCH64_ATTRIBUTES: u32 = 0x7000_0003;

/// The first byte.
const FORMAT: u8 = b'A';
/// Types of values: ULEB128 numbers, and texts with a NUL.
const NUMBERS: u8 = 0;
const TEXTS: u8 = 1;

/// What a known subsection says: values of tags from 0 on. Of equal tags the first counts.
type Values<const N: usize> = [Option<u64>; N];

/// Reads a section.
pub fn read(order: ByteOrder, section: &[u8]) -> Result<Declared, Malformed> {
    const SHORT: &str = "unexpected end of attributes";
    let mut cursor = Cursor::new(section);
    if cursor.u8(SHORT)? != FORMAT {
        return Err(Malformed::new("unrecognized format-version of attributes", 0));
    }
    // Tags 0, 1 and 2 are BTI, PAC and GCS; 1 and 2 are platform and version.
    let (mut features, mut signing): (Option<Values<3>>, Option<Values<3>>) = (None, None);
    while !cursor.is_empty() {
        let start = cursor.position();
        let size = cursor.u32(order, SHORT)? as usize;
        let inner = size.checked_sub(4).filter(|&inner| inner <= cursor.remaining());
        let inner =
            inner.ok_or(Malformed::new("invalid size of an attributes subsection", start))?;
        let inner_start = cursor.position();
        let mut inside = Cursor::new(cursor.take(inner, SHORT)?);
        let read = |inside: &mut Cursor<'_>| match inside.c_string(SHORT)? {
            b"aeabi_feature_and_bits" => read_values(inside, features.get_or_insert_default()),
            b"aeabi_pauthabi" => read_values(inside, signing.get_or_insert_default()),
            _ => Ok(()),
        };
        let mut read = read;
        read(&mut inside).map_err(|error| error.moved_by(inner_start))?;
    }
    let bit = |at: usize, value: Option<u64>| u32::from(value == Some(1)) << at;
    Ok(Declared {
        features: features.map(|bits| (0..).zip(bits).map(|(at, value)| bit(at, value)).sum()),
        schema: signing.and_then(|[_, platform, version]| schema(platform, version)),
    })
}

/// The values of one subsection behind its name.
fn read_values<const N: usize>(
    inside: &mut Cursor<'_>,
    values: &mut Values<N>,
) -> Result<(), Malformed> {
    const SHORT: &str = "unexpected end of an attributes subsection";
    let at = inside.position();
    if inside.u8(SHORT)? > 1 {
        return Err(Malformed::new("invalid optionality of an attributes subsection", at));
    }
    let at = inside.position();
    match inside.u8(SHORT)? {
        NUMBERS => {}
        TEXTS => return Err(Malformed::new("attributes of this subsection must be numbers", at)),
        _ => return Err(Malformed::new("invalid type of an attributes subsection", at)),
    }
    while !inside.is_empty() {
        let tag = inside.uleb128(SHORT)?;
        let value = inside.uleb128(SHORT)?;
        let known = usize::try_from(tag).ok().and_then(|tag| values.get_mut(tag));
        if let Some(known) = known {
            known.get_or_insert(value);
        }
    }
    Ok(())
}

/// Zeros are the same as no attributes; version 1 of platform 0 stands for the property with zeros,
/// which forbids to link with signed pointers.
fn schema(platform: Option<u64>, version: Option<u64>) -> Option<SigningSchema> {
    match (platform.unwrap_or(0), version.unwrap_or(0)) {
        (0, 0) => None,
        (0, 1) => Some(SigningSchema::INVALID),
        (platform, version) => Some(SigningSchema { platform, version }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn subsection(order: ByteOrder, name: &str, body: &[u8]) -> Vec<u8> {
        let size = 4 + name.len() + 1 + body.len();
        let mut out = vec![0; 4];
        order.put(&mut out, 0, size as u32);
        out.extend(name.as_bytes());
        out.push(0);
        out.extend(body);
        out
    }

    fn section(order: ByteOrder, all: &[(&str, &[u8])]) -> Vec<u8> {
        let parts = all.iter().flat_map(|(name, body)| subsection(order, name, body));
        std::iter::once(FORMAT).chain(parts).collect()
    }

    #[test]
    fn features_and_signing_in_both_orders() {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let bytes = section(
                order,
                &[
                    ("vendor", &[0, 1, 1, b'x', 0]),
                    ("aeabi_pauthabi", &[0, 0, 1, 0xb1, 0x01, 2, 19]),
                    ("aeabi_feature_and_bits", &[1, 0, 0, 1, 1, 0, 2, 1, 9, 1, 1, 1]),
                ],
            );
            let schema = SigningSchema { platform: 0xb1, version: 19 };
            assert_eq!(
                read(order, &bytes),
                Ok(Declared { features: Some(5), schema: Some(schema) })
            );
        }
    }

    #[test]
    fn zeros_are_no_schema_and_one_alone_is_the_invalid_one() {
        let schema = |body: &[u8]| {
            let bytes = section(ByteOrder::Little, &[("aeabi_pauthabi", body)]);
            read(ByteOrder::Little, &bytes).unwrap().schema
        };
        assert_eq!(schema(&[0, 0, 1, 0, 2, 0]), None);
        assert_eq!(schema(&[0, 0, 2, 1]), Some(SigningSchema::INVALID));
        assert_eq!(schema(&[0, 0, 1, 4]), Some(SigningSchema { platform: 4, version: 0 }));
    }

    #[test]
    fn damaged_sections_are_refused() {
        let refused = |bytes: &[u8]| read(ByteOrder::Little, bytes).unwrap_err();
        assert_eq!(refused(&[]), Malformed::new("unexpected end of attributes", 0));
        assert_eq!(refused(b"B").what, "unrecognized format-version of attributes");
        let size = "invalid size of an attributes subsection";
        assert_eq!(refused(b"A\x03\0\0\0"), Malformed::new(size, 1));
        assert_eq!(refused(b"A\x05\0\0\0"), Malformed::new(size, 1));
        let with = |body: &[u8]| {
            refused(&section(ByteOrder::Little, &[("aeabi_feature_and_bits", body)])).what
        };
        assert_eq!(with(&[2, 0]), "invalid optionality of an attributes subsection");
        assert_eq!(with(&[1, 2]), "invalid type of an attributes subsection");
        assert_eq!(with(&[1, 1]), "attributes of this subsection must be numbers");
        assert_eq!(with(&[1, 0, 0]), "unexpected end of an attributes subsection");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(mut bytes: Vec<u8>) {
            bytes.insert(0, FORMAT);
            let _ = read(ByteOrder::Little, &bytes);
        }
    }
}
