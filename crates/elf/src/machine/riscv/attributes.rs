//! `.riscv.attributes`: what each object was compiled for ("RISC-V ABIs Specification",
//! "Attributes"), joined to what all of them need.
//!
//! Values of odd tags are texts, those of even tags are numbers.

use super::extensions::Extensions;
use crate::machine::attribute_section::{AttributeSection, Described, Joined};
use crate::machine::build_attributes::{Attributes, Kind, Value, Vendor};
use object::elf::{PT_LOPROC, SHT_RISCV_ATTRIBUTES};
use skald_linking::byte_order::ByteOrder;
use std::collections::BTreeMap;

/// The section, and PT_RISCV_ATTRIBUTES.
pub static SECTION: AttributeSection = AttributeSection {
    name: ".riscv.attributes",
    sh_type: SHT_RISCV_ATTRIBUTES,
    p_type: PT_LOPROC + 3,
    join,
    describe: |_, _| Described::default(),
};

const VENDOR: Vendor = Vendor {
    name: b"riscv",
    kind: |tag| if tag.is_multiple_of(2) { Kind::Number } else { Kind::Text },
    first: None,
};

/// Tags.
const STACK_ALIGN: u64 = 4;
const ARCH: u64 = 5;
const UNALIGNED_ACCESS: u64 = 6;
/// The version of the privileged architecture: its parts, the first first.
const PRIVILEGED: [u64; 3] = [8, 10, 12];
const ATOMIC_ABI: u64 = 14;
const X3_USAGE: u64 = 16;

/// Joins the sections of all objects, in their order.
fn join(order: ByteOrder, sections: &[&[u8]]) -> Joined {
    let mut joined = Joined::default();
    let mut all: Attributes = BTreeMap::new();
    // By tag, the object that gave the value.
    let mut from: BTreeMap<u64, usize> = BTreeMap::new();
    for (at, section) in sections.iter().enumerate() {
        let own = match VENDOR.read(order, section) {
            Ok(own) => own,
            Err(error) => {
                joined.faults.push((at, error.to_string()));
                continue;
            }
        };
        if privileged(&own) > privileged(&all) {
            all.retain(|tag, _| !PRIVILEGED.contains(tag));
            let parts = own.iter().filter(|(tag, _)| PRIVILEGED.contains(tag));
            all.extend(parts.map(|(tag, value)| (*tag, value.clone())));
        }
        for (tag, value) in own.into_iter().filter(|(tag, _)| !PRIVILEGED.contains(tag)) {
            let Some(before) = all.get(&tag) else {
                // Also one alone is written in the canonical form.
                match one(tag, value) {
                    Ok(value) => {
                        all.insert(tag, value);
                        from.insert(tag, at);
                    }
                    Err(why) => joined.faults.push((at, why)),
                }
                continue;
            };
            match both(tag, before, &value) {
                Ok(value) => {
                    all.insert(tag, value);
                }
                Err(why) => joined.conflicts.push((from[&tag], at, why)),
            }
        }
    }
    joined.bytes = VENDOR.write(order, &all);
    joined
}

/// The version of the privileged architecture; the newest of all objects is that of the output, as
/// in GNU ld.
fn privileged(attributes: &Attributes) -> [u64; 3] {
    PRIVILEGED.map(|tag| attributes.get(&tag).map_or(0, Value::number))
}

fn one(tag: u64, value: Value) -> Result<Value, String> {
    match (tag, value) {
        (ARCH, Value::Text(arch)) => {
            let extensions = Extensions::parse(&arch)?;
            Ok(Value::Text(extensions.to_string().into_bytes()))
        }
        (_, value) => Ok(value),
    }
}

/// The value for two objects, or what they disagree on.
fn both(tag: u64, before: &Value, other: &Value) -> Result<Value, String> {
    let (a, b) = (before.number(), other.number());
    let differ = |name: &str| Err(format!("{name} is {a} in one and {b} in the other"));
    let joined = match (tag, before, other) {
        (ARCH, Value::Text(a), Value::Text(b)) => {
            let mut extensions = Extensions::parse(a)?;
            extensions.add(&Extensions::parse(b)?)?;
            return Ok(Value::Text(extensions.to_string().into_bytes()));
        }
        (STACK_ALIGN, ..) if a != b => return differ("stack_align"),
        (UNALIGNED_ACCESS, ..) => a | b,
        (ATOMIC_ABI, ..) => match atomic_abi(a, b) {
            Some(joined) => joined,
            None => return differ("atomic_abi"),
        },
        (X3_USAGE, ..) => match (a, b) {
            (0, used) | (used, 0) => used,
            _ if a == b => a,
            _ => return differ("x3_reg_usage"),
        },
        _ => return Ok(before.clone()),
    };
    Ok(Value::Number(joined))
}

/// Which mapping of atomics code of both kinds has: unknown, A6C, A6S, A7. A6S fits either of the
/// others.
fn atomic_abi(a: u64, b: u64) -> Option<u64> {
    const A6S: u64 = 2;
    match (a, b) {
        (0, other) | (other, 0) => Some(other),
        (A6S, other) | (other, A6S) => Some(other),
        _ => (a == b).then_some(a),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDER: ByteOrder = ByteOrder::Little;

    fn section(values: &[(u64, Value)]) -> Vec<u8> {
        VENDOR.write(ORDER, &values.iter().cloned().collect())
    }

    fn arch(text: &str) -> (u64, Value) {
        (ARCH, Value::Text(text.as_bytes().to_vec()))
    }

    fn joined(sections: &[Vec<u8>]) -> Joined {
        join(ORDER, &sections.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    #[test]
    fn values_of_all_objects_are_joined() {
        let a = section(&[(STACK_ALIGN, Value::Number(16)), arch("rv64i2p1_c2p0")]);
        let b = section(&[arch("rv64i2p1_m2p0"), (UNALIGNED_ACCESS, Value::Number(1))]);
        let both = joined(&[a, b]);
        assert!(both.faults.is_empty() && both.conflicts.is_empty());
        let expected = section(&[
            (STACK_ALIGN, Value::Number(16)),
            arch("rv64i2p1_m2p0_c2p0"),
            (UNALIGNED_ACCESS, Value::Number(1)),
        ]);
        assert_eq!(both.bytes, expected);
    }

    #[test]
    fn what_cannot_be_joined_is_named() {
        let a = section(&[(STACK_ALIGN, Value::Number(16)), arch("rv64i2p1")]);
        let b = section(&[(STACK_ALIGN, Value::Number(8)), arch("rv32i2p1")]);
        let both = joined(&[a.clone(), b]);
        let why: Vec<&str> = both.conflicts.iter().map(|(_, _, why)| &**why).collect();
        assert_eq!(why.len(), 2);
        assert!(why[0].contains("stack_align is 16 in one and 8 in the other"));
        let short = joined(&[a[..a.len() - 1].to_vec(), b"B".to_vec()]);
        assert_eq!(short.faults.len(), 2);
    }

    #[test]
    fn mappings_of_atomics() {
        let of = [(0, 3), (1, 2), (2, 3), (1, 1), (1, 3)].map(|(a, b)| atomic_abi(a, b));
        assert_eq!(of, [Some(3), Some(1), Some(3), Some(1), None]);
    }
}
