//! `.ARM.attributes`: what each object was compiled for ("Addenda to, and Errata in, the ABI for
//! the Arm Architecture", "Build attributes"), joined as GNU ld does.
//!
//! A tag that an object does not give is zero there. An object without the section says nothing.

use super::processor::{self, Architecture};
use crate::machine::attribute_section::{AttributeSection, Described, Doubt, Joined};
use crate::machine::build_attributes::{Attributes, Kind, Value, Vendor};
use object::elf::{EF_ARM_ABI_FLOAT_HARD, EF_ARM_ABI_FLOAT_SOFT, SHT_ARM_ATTRIBUTES};
use skald_linking::byte_order::ByteOrder;
use std::collections::BTreeSet;

/// The section. No segment covers it.
pub static SECTION: AttributeSection = AttributeSection {
    name: ".ARM.attributes",
    sh_type: SHT_ARM_ATTRIBUTES,
    p_type: 0,
    join,
    describe,
};

const VENDOR: Vendor = Vendor {
    name: b"aeabi",
    kind: |tag| match tag {
        CPU_RAW_NAME | CPU_NAME => Kind::Text,
        COMPATIBILITY => Kind::Both,
        _ if tag < 32 || tag.is_multiple_of(2) => Kind::Number,
        _ => Kind::Text,
    },
    first: Some(CONFORMANCE),
};

// Tags.
const CPU_RAW_NAME: u64 = 4;
const CPU_NAME: u64 = 5;
const CPU_ARCH: u64 = 6;
const CPU_ARCH_PROFILE: u64 = 7;
const ARM_ISA_USE: u64 = 8;
const THUMB_ISA_USE: u64 = 9;
const FP_ARCH: u64 = 10;
const WMMX_ARCH: u64 = 11;
const ADVANCED_SIMD_ARCH: u64 = 12;
const PCS_CONFIG: u64 = 13;
const R9_USE: u64 = 14;
const RW_DATA: u64 = 15;
const RO_DATA: u64 = 16;
const GOT_USE: u64 = 17;
const WCHAR_T: u64 = 18;
const FP_ROUNDING: u64 = 19;
const FP_DENORMAL: u64 = 20;
const FP_EXCEPTIONS: u64 = 21;
const FP_USER_EXCEPTIONS: u64 = 22;
const FP_NUMBER_MODEL: u64 = 23;
const ALIGN_NEEDED: u64 = 24;
const ALIGN_PRESERVED: u64 = 25;
const ENUM_SIZE: u64 = 26;
const VFP_ARGS: u64 = 28;
const WMMX_ARGS: u64 = 29;
const OPTIMIZATION_GOALS: u64 = 30;
const FP_OPTIMIZATION_GOALS: u64 = 31;
const COMPATIBILITY: u64 = 32;
const UNALIGNED_ACCESS: u64 = 34;
const FP_HP_EXTENSION: u64 = 36;
const FP_16BIT_FORMAT: u64 = 38;
const MP_EXTENSION: u64 = 42;
const DIV_USE: u64 = 44;
const DSP_EXTENSION: u64 = 46;
const MVE_ARCH: u64 = 48;
const PAC_EXTENSION: u64 = 50;
const BTI_EXTENSION: u64 = 52;
const NODEFAULTS: u64 = 64;
const ALSO_COMPATIBLE: u64 = 65;
const T2EE_USE: u64 = 66;
const CONFORMANCE: u64 = 67;
const VIRTUALIZATION: u64 = 68;
/// The number that [`MP_EXTENSION`] had first.
const OLD_MP_EXTENSION: u64 = 70;
const FRAME_POINTER_USE: u64 = 72;
const BTI_USE: u64 = 74;
const PAC_RET_USE: u64 = 76;

/// Values of [`R9_USE`]: the static base, and no use.
const R9_IS_BASE: u64 = 1;
const R9_UNUSED: u64 = 3;
/// Of [`RW_DATA`]: relative to the static base.
const RELATIVE_TO_BASE: u64 = 2;
/// Of [`VFP_ARGS`]: in registers, and either way.
const IN_REGISTERS: u64 = 1;
const EITHER: u64 = 3;
/// Of [`ENUM_SIZE`]: always 32 bits, and so in interfaces only.
const FORCED_WIDE: u64 = 3;

fn describe(order: ByteOrder, section: &[u8]) -> Described {
    let all = VENDOR.read(order, section).unwrap_or_default();
    let number = |tag| all.get(&tag).map_or(0, Value::number);
    let is_hard = number(VFP_ARGS) == IN_REGISTERS;
    let architecture =
        Architecture { number: number(CPU_ARCH), profile: number(CPU_ARCH_PROFILE) as u8 };
    Described {
        header_flags: if is_hard { EF_ARM_ABI_FLOAT_HARD } else { EF_ARM_ABI_FLOAT_SOFT },
        processor: architecture.features(),
    }
}

/// Joins the sections of all objects, in their order.
fn join(order: ByteOrder, sections: &[&[u8]]) -> Joined {
    let mut joined = Joined::default();
    let mut all: Option<(usize, Attributes)> = None;
    for (at, section) in sections.iter().enumerate() {
        let mut own = match VENDOR.read(order, section) {
            Ok(own) => own,
            Err(error) => {
                joined.faults.push((at, error.to_string()));
                continue;
            }
        };
        if let Some(value) = own.remove(&OLD_MP_EXTENSION) {
            own.entry(MP_EXTENSION).or_insert(value);
        }
        let unknown = own.iter().find(|&(&tag, value)| is_mandatory(tag) && value.number() != 0);
        if let Some((tag, _)) = unknown.filter(|(tag, _)| !is_known(**tag)) {
            joined.faults.push((at, format!("unknown mandatory attribute {tag}")));
        }
        match &mut all {
            None => all = Some((at, own)),
            Some((first, all)) => Join { first: *first, at, joined: &mut joined }.add(all, &own),
        }
    }
    joined.bytes = all.map_or_else(Vec::new, |(_, all)| VENDOR.write(order, &all));
    joined
}

/// Whether who does not know a tag must refuse the object.
const fn is_mandatory(tag: u64) -> bool {
    tag % 128 < 64
}

const fn is_known(tag: u64) -> bool {
    matches!(tag, 4..=32 | 34 | 36 | 38 | 42 | 44 | 46 | 48 | 50 | 52) || !is_mandatory(tag)
}

/// Another object is joined to those before.
struct Join<'a> {
    first: usize,
    at: usize,
    joined: &'a mut Joined,
}

impl Join<'_> {
    fn conflict(&mut self, why: String) {
        self.joined.conflicts.push((self.first, self.at, why));
    }

    fn doubt(&mut self, why: String, kind: Doubt) {
        self.joined.doubts.push((self.first, self.at, why, kind));
    }

    fn add(&mut self, all: &mut Attributes, other: &Attributes) {
        let number = |of: &Attributes, tag| of.get(&tag).map_or(0, Value::number);
        let [before, own] = [&*all, other].map(|of| number(of, CPU_ARCH));
        self.floating_point(all, other);
        let base = [&*all, other].map(|of| (number(of, R9_USE), number(of, RW_DATA)));
        self.static_base(base);
        let mut tags: BTreeSet<u64> = all.keys().copied().collect();
        tags.extend(other.keys());
        let mut joined = Attributes::new();
        for tag in tags {
            let value = match (VENDOR.kind)(tag) {
                Kind::Number => {
                    let (a, b) = (number(all, tag), number(other, tag));
                    Some(Value::Number(self.number(tag, a, b)))
                }
                _ => text(tag, all.get(&tag), other.get(&tag)),
            };
            joined.extend(value.map(|value| (tag, value)));
        }
        // The processor's name is that of the object with the architecture of the output.
        let architecture = number(&joined, CPU_ARCH);
        for tag in [CPU_RAW_NAME, CPU_NAME] {
            let of = match architecture {
                _ if architecture == before => Some(&*all),
                _ if architecture == own => Some(other),
                _ => None,
            };
            joined.remove(&tag);
            joined.extend(of.and_then(|of| Some((tag, of.get(&tag)?.clone()))));
        }
        *all = joined;
    }

    /// Where arguments are; an object that does not compute with such numbers fits both.
    fn floating_point(&mut self, all: &mut Attributes, other: &Attributes) {
        let number = |of: &Attributes, tag| of.get(&tag).map_or(0, Value::number);
        let (a, b) = (number(all, VFP_ARGS), number(other, VFP_ARGS));
        let (model, own_model) = (number(all, FP_NUMBER_MODEL), number(other, FP_NUMBER_MODEL));
        if a == b {
            return;
        }
        if model == 0 || (own_model != 0 && a == EITHER) {
            all.insert(VFP_ARGS, Value::Number(b));
            all.insert(FP_NUMBER_MODEL, Value::Number(own_model));
        } else if own_model != 0 && b != EITHER {
            self.conflict("only one has VFP register arguments".to_string());
        }
    }

    fn static_base(&mut self, [before, own]: [(u64, u64); 2]) {
        let has_base = |(r9, _): (u64, u64)| r9 == R9_IS_BASE || r9 == R9_UNUSED;
        for (data, r9) in [(own, before), (before, own)] {
            if data.1 == RELATIVE_TO_BASE && !has_base(r9) {
                self.conflict("SB relative addressing conflicts with use of R9".to_string());
                return;
            }
        }
    }

    /// The number for both.
    fn number(&mut self, tag: u64, a: u64, b: u64) -> u64 {
        match tag {
            CPU_ARCH => processor::joined(a, b).unwrap_or_else(|| {
                self.conflict(format!("conflicting CPU architectures {a}/{b}"));
                a
            }),
            CPU_ARCH_PROFILE => self.profile(a, b),
            ARM_ISA_USE | THUMB_ISA_USE | WMMX_ARCH | ADVANCED_SIMD_ARCH | FP_ROUNDING
            | FP_EXCEPTIONS | FP_USER_EXCEPTIONS | FP_NUMBER_MODEL | FP_HP_EXTENSION
            | UNALIGNED_ACCESS | T2EE_USE | MP_EXTENSION | DSP_EXTENSION | MVE_ARCH
            | PAC_EXTENSION | BTI_EXTENSION | FRAME_POINTER_USE => a.max(b),
            RW_DATA | RO_DATA | ALIGN_PRESERVED | BTI_USE | PAC_RET_USE => a.min(b),
            GOT_USE | FP_DENORMAL | ALIGN_NEEDED => {
                // 0, 2, 1, and then all others.
                let rank = |value| {
                    if value == 1 {
                        2
                    } else if value == 2 {
                        1
                    } else {
                        value
                    }
                };
                if rank(a) < rank(b) { b } else { a }
            }
            FP_ARCH => floating_point(a, b),
            PCS_CONFIG | R9_USE | WCHAR_T | ENUM_SIZE | WMMX_ARGS | FP_16BIT_FORMAT => {
                self.convention(tag, a, b)
            }
            DIV_USE => division(a, b),
            VIRTUALIZATION if a != b && a.max(b) < 3 && a.min(b) > 0 => 3,
            VIRTUALIZATION => a.max(b),
            OPTIMIZATION_GOALS | FP_OPTIMIZATION_GOALS | VFP_ARGS => a,
            NODEFAULTS => 0,
            _ if a == b => a,
            _ => 0,
        }
    }

    /// A number by which code of two objects agrees on something.
    fn convention(&mut self, tag: u64, a: u64, b: u64) -> u64 {
        match tag {
            PCS_CONFIG => {
                if a != 0 && b != 0 && a != b {
                    self.doubt("conflicting platform configurations".to_string(), Doubt::Other);
                }
                if a == 0 { b } else { a }
            }
            R9_USE => {
                if a != b && a != R9_UNUSED && b != R9_UNUSED {
                    self.conflict("conflicting uses of R9".to_string());
                }
                if a == R9_UNUSED { b } else { a }
            }
            WCHAR_T => {
                if a != 0 && b != 0 && a != b {
                    let text = format!(
                        "the one uses {a}-byte wchar_t and the other {b}-byte wchar_t; \
                         use of wchar_t values across objects may fail"
                    );
                    self.doubt(text, Doubt::WideCharacters);
                }
                if a == 0 { b } else { a }
            }
            ENUM_SIZE => self.enumerations(a, b),
            WMMX_ARGS => {
                if a != b {
                    self.conflict("only one uses iWMMXt register arguments".to_string());
                }
                a
            }
            _ => {
                if a != 0 && b != 0 && a != b {
                    self.conflict("fp16 formats differ".to_string());
                }
                if a == 0 { b } else { a }
            }
        }
    }

    fn profile(&mut self, a: u64, b: u64) -> u64 {
        let is = |value: u64, letters: &[u8]| letters.iter().any(|&one| u64::from(one) == value);
        match (a, b) {
            _ if a == b || b == 0 => a,
            (0, _) => b,
            // 'S' is either of the others.
            _ if is(a, b"S") && is(b, b"AR") => b,
            _ if is(b, b"S") && is(a, b"AR") => a,
            _ => {
                let letter = |value: u64| char::from(value as u8);
                let (a, b) = (letter(a), letter(b));
                self.conflict(format!("conflicting architecture profiles {a}/{b}"));
                a as u64
            }
        }
    }

    fn enumerations(&mut self, a: u64, b: u64) -> u64 {
        match (a, b) {
            (_, 0) => a,
            (0 | FORCED_WIDE, _) => b,
            (_, FORCED_WIDE) => a,
            _ if a == b => a,
            _ => {
                let name = |value| if value == 1 { "variable-size" } else { "32-bit" };
                let text = format!(
                    "the one uses {} enums and the other {} enums; \
                     use of enum values across objects may fail",
                    name(a),
                    name(b)
                );
                self.doubt(text, Doubt::Enumerations);
                a
            }
        }
    }
}

/// The text for both, where it does not depend on the architecture.
fn text(tag: u64, a: Option<&Value>, b: Option<&Value>) -> Option<Value> {
    match tag {
        COMPATIBILITY => a.or(b).cloned(),
        // Claims of both.
        ALSO_COMPATIBLE | CONFORMANCE => a.filter(|_| a == b).cloned(),
        _ => a.filter(|_| a == b).cloned(),
    }
}

/// The floating-point unit that has the instructions and the registers of both.
fn floating_point(a: u64, b: u64) -> u64 {
    // Version, and how many registers.
    const UNITS: [(u8, u8); 9] =
        [(0, 0), (1, 16), (2, 16), (3, 32), (3, 16), (4, 32), (4, 16), (8, 32), (8, 16)];
    let unit = |value: u64| usize::try_from(value).ok().and_then(|value| UNITS.get(value));
    let (Some(one), Some(other)) = (unit(a), unit(b)) else { return a.max(b) };
    let both = (one.0.max(other.0), one.1.max(other.1));
    UNITS.iter().position(|&unit| unit == both).map_or(a.max(b), |at| at as u64)
}

/// Use of SDIV: where the architecture has it, nowhere, also where it is an extension.
fn division(a: u64, b: u64) -> u64 {
    match (a, b) {
        _ if a == b => a,
        (2, _) | (_, 2) => 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDER: ByteOrder = ByteOrder::Little;

    fn section(numbers: &[(u64, u64)]) -> Vec<u8> {
        let values = numbers.iter().map(|&(tag, number)| (tag, Value::Number(number)));
        VENDOR.write(ORDER, &values.collect())
    }

    fn joined(sections: &[Vec<u8>]) -> Joined {
        join(ORDER, &sections.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    #[test]
    fn the_output_has_what_all_objects_need() {
        let a = section(&[(CPU_ARCH, 2), (FP_ARCH, 4), (ALIGN_PRESERVED, 1), (GOT_USE, 2)]);
        let b = section(&[(CPU_ARCH, 10), (CPU_ARCH_PROFILE, 65), (FP_ARCH, 5), (GOT_USE, 1)]);
        let both = joined(&[a, b]);
        assert!(both.faults.is_empty() && both.conflicts.is_empty() && both.doubts.is_empty());
        let expected = [(CPU_ARCH, 10), (CPU_ARCH_PROFILE, 65), (FP_ARCH, 5), (GOT_USE, 1)];
        assert_eq!(both.bytes, section(&expected));
    }

    #[test]
    fn arguments_are_in_one_place() {
        let hard = section(&[(FP_NUMBER_MODEL, 3), (VFP_ARGS, 1)]);
        let soft = section(&[(FP_NUMBER_MODEL, 3)]);
        let none = section(&[(CPU_ARCH, 10)]);
        assert_eq!(joined(&[hard.clone(), soft.clone()]).conflicts.len(), 1);
        assert_eq!(joined(&[soft.clone(), hard.clone()]).conflicts.len(), 1);
        for sections in [[&none, &hard], [&hard, &none]] {
            let both = joined(&sections.map(Clone::clone));
            assert!(both.conflicts.is_empty());
            let flags = describe(ORDER, &both.bytes).header_flags;
            assert_eq!(flags, EF_ARM_ABI_FLOAT_HARD);
        }
        assert_eq!(describe(ORDER, &soft).header_flags, EF_ARM_ABI_FLOAT_SOFT);
    }

    #[test]
    fn sizes_that_differ_are_doubts() {
        let a = section(&[(WCHAR_T, 2), (ENUM_SIZE, 1)]);
        let b = section(&[(WCHAR_T, 4), (ENUM_SIZE, 2)]);
        let kinds: Vec<Doubt> = joined(&[a, b]).doubts.iter().map(|doubt| doubt.3).collect();
        assert_eq!(kinds, [Doubt::WideCharacters, Doubt::Enumerations]);
    }

    #[test]
    fn profiles_and_unknown_tags_may_be_refused() {
        let a = section(&[(CPU_ARCH_PROFILE, 65)]);
        let m = section(&[(CPU_ARCH_PROFILE, 77)]);
        let both = joined(&[a, m]);
        assert_eq!(both.conflicts[0].2, "conflicting architecture profiles A/M");
        assert_eq!(joined(&[section(&[(40, 1)])]).faults[0].1, "unknown mandatory attribute 40");
        assert!(joined(&[section(&[(98, 1)])]).faults.is_empty());
    }
}
