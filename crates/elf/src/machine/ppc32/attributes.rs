//! `.gnu.attributes`: which conventions the calls of each object keep to, joined to what all of
//! them need ("GNU Assembler", "PowerPC Attributes").
//!
//! Values of odd tags are texts, those of even tags are numbers.

use crate::machine::attribute_section::{AttributeSection, Described, Joined};
use crate::machine::build_attributes::{Attributes, Kind, Value, Vendor};
use object::elf::{PT_NULL, SHT_GNU_ATTRIBUTES};
use skald_linking::byte_order::ByteOrder;
use std::collections::BTreeMap;

/// The section, which no segment covers.
pub static SECTION: AttributeSection = AttributeSection {
    name: ".gnu.attributes",
    sh_type: SHT_GNU_ATTRIBUTES,
    p_type: PT_NULL,
    join,
    describe: |_, _| Described::default(),
};

const VENDOR: Vendor = Vendor {
    name: b"gnu",
    kind: |tag| match tag {
        COMPATIBILITY => Kind::Both,
        _ if tag.is_multiple_of(2) => Kind::Number,
        _ => Kind::Text,
    },
    first: None,
};

/// Tags.
const FLOATS: u64 = 4;
const VECTORS: u64 = 8;
const STRUCTURES: u64 = 12;
const COMPATIBILITY: u64 = 32;

/// A choice that objects have to agree on: its place in the value of a tag, and its words by
/// number, of which the first says nothing.
struct Choice {
    tag: u64,
    shift: u32,
    name: &'static str,
    words: [&'static str; 4],
    /// A number that any other one may replace, as it says less.
    weak: Option<u64>,
}

const CHOICES: [Choice; 4] = [
    Choice {
        tag: FLOATS,
        shift: 0,
        name: "floating point",
        words: ["", "double precision", "soft float", "single precision"],
        weak: None,
    },
    Choice {
        tag: FLOATS,
        shift: 2,
        name: "long double",
        words: ["", "IBM's of 128 bits", "64 bits", "IEEE's of 128 bits"],
        weak: None,
    },
    Choice {
        tag: VECTORS,
        shift: 0,
        name: "the vector ABI",
        words: ["", "generic", "AltiVec", "SPE"],
        weak: Some(1),
    },
    Choice {
        tag: STRUCTURES,
        shift: 0,
        name: "the return of small structures",
        words: ["", "in r3 and r4", "in memory", ""],
        weak: None,
    },
];

impl Choice {
    fn of(&self, attributes: &Attributes) -> u64 {
        let value = attributes.get(&self.tag).map_or(0, Value::number);
        value >> self.shift & 3
    }

    fn word(&self, number: u64) -> &'static str {
        self.words.get(number as usize).unwrap_or(&"")
    }

    /// Whether a number says nothing.
    fn is_open(&self, number: u64) -> bool {
        self.word(number).is_empty()
    }
}

/// Joins the sections of all objects, in their order.
fn join(order: ByteOrder, sections: &[&[u8]]) -> Joined {
    let mut joined = Joined::default();
    let mut all: Attributes = BTreeMap::new();
    // By choice, the number, and the object that it is from.
    let mut chosen: [Option<(u64, usize)>; CHOICES.len()] = [None; CHOICES.len()];
    for (at, section) in sections.iter().enumerate() {
        let own = match VENDOR.read(order, section) {
            Ok(own) => own,
            Err(error) => {
                joined.faults.push((at, error.to_string()));
                continue;
            }
        };
        for (choice, chosen) in CHOICES.iter().zip(&mut chosen) {
            let number = choice.of(&own);
            match *chosen {
                _ if choice.is_open(number) => {}
                None => *chosen = Some((number, at)),
                Some((before, _)) if choice.weak == Some(before) => *chosen = Some((number, at)),
                Some((before, _)) if before == number || choice.weak == Some(number) => {}
                Some((before, first)) => {
                    let Choice { name, .. } = choice;
                    let [before, other] = [before, number].map(|number| choice.word(number));
                    let why = format!("{name} is '{before}' in one and '{other}' in the other");
                    joined.conflicts.push((first, at, why));
                }
            }
        }
        for (tag, value) in own {
            all.entry(tag).or_insert(value);
        }
    }
    for tag in [FLOATS, VECTORS, STRUCTURES] {
        let numbers = CHOICES.iter().zip(chosen).filter(|(choice, _)| choice.tag == tag);
        let parts =
            numbers.map(|(choice, chosen)| chosen.map_or(0, |(number, _)| number) << choice.shift);
        all.insert(tag, Value::Number(parts.sum()));
    }
    joined.bytes = VENDOR.write(order, &all);
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDER: ByteOrder = ByteOrder::Big;

    fn section(values: &[(u64, u64)]) -> Vec<u8> {
        VENDOR.write(ORDER, &values.iter().map(|&(tag, n)| (tag, Value::Number(n))).collect())
    }

    fn joined(sections: &[Vec<u8>]) -> Joined {
        join(ORDER, &sections.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    #[test]
    fn choices_are_joined() {
        let a = section(&[(FLOATS, 1), (VECTORS, 1)]);
        let b = section(&[(FLOATS, 4), (VECTORS, 2), (STRUCTURES, 3), (6, 5)]);
        let c = section(&[(STRUCTURES, 2), (VECTORS, 1)]);
        let all = joined(&[a, b, c]);
        assert!(all.faults.is_empty() && all.conflicts.is_empty());
        assert_eq!(all.bytes, section(&[(FLOATS, 5), (6, 5), (VECTORS, 2), (STRUCTURES, 2)]));
        assert!(joined(&[section(&[(STRUCTURES, 3)])]).bytes.is_empty());
    }

    #[test]
    fn objects_disagree() {
        let hard = section(&[(FLOATS, 1 | 1 << 2)]);
        let soft = section(&[(FLOATS, 2 | 2 << 2)]);
        let conflicts = joined(&[hard, section(&[]), soft]).conflicts;
        let whys: Vec<&str> = conflicts.iter().map(|conflict| conflict.2.as_str()).collect();
        let float = "floating point is 'double precision' in one and 'soft float' in the other";
        let long = "long double is 'IBM's of 128 bits' in one and '64 bits' in the other";
        assert_eq!(whys, [float, long]);
    }
}
