//! What objects say of their code, joined for kernels and loaders: `.MIPS.abiflags`, `.reginfo` or
//! `.MIPS.options`, and `.gnu.attributes` for tools (MIPS ABI project, "O32 ABI - FR0 and FR1
//! Interlinking"; MIPS 64-bit ELF object file specification, "Options Section").

use crate::machine::attribute_section::Joined;
use crate::machine::loaded_attributes::LoadedAttributes;
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

const SHT_MIPS_ABIFLAGS: u32 = 0x7000_002a;

const ABI_FLAGS: LoadedAttributes = LoadedAttributes {
    name: ".MIPS.abiflags",
    sh_type: SHT_MIPS_ABIFLAGS,
    sh_flags: SHF_ALLOC,
    p_type: Some(PT_MIPS_ABIFLAGS),
    align: 8,
    entsize: 24,
    join: join_abi_flags,
    pointer: None,
};

const ATTRIBUTES: LoadedAttributes = LoadedAttributes {
    name: ".gnu.attributes",
    sh_type: SHT_GNU_ATTRIBUTES,
    sh_flags: 0,
    p_type: None,
    align: 1,
    entsize: 0,
    join: join_attributes,
    pointer: None,
};

/// The sections of 64-bit files.
pub static OF_64: [LoadedAttributes; 3] = [
    ABI_FLAGS,
    LoadedAttributes {
        name: ".MIPS.options",
        sh_type: SHT_MIPS_OPTIONS,
        sh_flags: SHF_ALLOC | SHF_MIPS_NOSTRIP,
        p_type: None,
        align: 8,
        entsize: 1,
        join: join_options,
        pointer: Some((32, 8)),
    },
    ATTRIBUTES,
];

/// The sections of 32-bit files.
pub static OF_32: [LoadedAttributes; 3] = [
    ABI_FLAGS,
    LoadedAttributes {
        name: ".reginfo",
        sh_type: SHT_MIPS_REGINFO,
        sh_flags: SHF_ALLOC,
        p_type: Some(PT_MIPS_REGINFO),
        align: 4,
        entsize: 24,
        join: join_register_use,
        pointer: Some((20, 4)),
    },
    ATTRIBUTES,
];

/// Registers of floating-point numbers, and how they are passed: Val_GNU_MIPS_ABI_FP_*.
mod fp {
    pub const ANY: u8 = 0;
    pub const DOUBLE: u8 = 1;
    pub const SINGLE: u8 = 2;
    pub const SOFT: u8 = 3;
    pub const OLD_64: u8 = 4;
    pub const EITHER: u8 = 5;
    pub const NEW_64: u8 = 6;
    pub const NEW_64A: u8 = 7;
}

fn fp_name(abi: u8) -> &'static str {
    match abi {
        fp::ANY => "no floating-point code",
        fp::DOUBLE => "-mdouble-float",
        fp::SINGLE => "-msingle-float",
        fp::SOFT => "-msoft-float",
        fp::OLD_64 => "-mips32r2 -mfp64 (12 callee-saved)",
        fp::EITHER => "-mfpxx",
        fp::NEW_64 => "-mgp32 -mfp64",
        fp::NEW_64A => "-mgp32 -mfp64 -mno-odd-spreg",
        _ => "an unknown floating-point ABI",
    }
}

/// The floating-point ABI of code of both kinds; `None` if they do not fit together.
fn join_fp(before: u8, other: u8) -> Option<u8> {
    let takes = |wide: u8, narrow: u8| match narrow {
        _ if wide == narrow => true,
        fp::ANY => true,
        fp::EITHER => matches!(wide, fp::DOUBLE | fp::NEW_64 | fp::NEW_64A),
        fp::NEW_64A => wide == fp::NEW_64,
        _ => false,
    };
    if takes(before, other) { Some(before) } else { takes(other, before).then_some(other) }
}

/// `Elf_ABIFlags_v0`: 24 bytes.
fn join_abi_flags(order: ByteOrder, sections: &[&[u8]]) -> Joined {
    let mut joined = Joined::default();
    let mut first_with_fp = 0;
    for (index, section) in sections.iter().enumerate() {
        if section.is_empty() {
            continue;
        }
        if section.len() != 24 {
            joined.faults.push((index, format!("has {} bytes, not 24", section.len())));
            continue;
        }
        let version: u16 = order.get(section, 0).unwrap_or_default();
        if version != 0 {
            joined.faults.push((index, format!("has unknown version {version}")));
            continue;
        }
        if joined.bytes.is_empty() {
            joined.bytes = section.to_vec();
            first_with_fp = index;
            continue;
        }
        let all = &mut joined.bytes;
        if (section[2], section[3]) > (all[2], all[3]) {
            all[2..4].copy_from_slice(&section[2..4]);
        }
        for size in 4..7 {
            all[size] = all[size].max(section[size]);
        }
        match join_fp(all[7], section[7]) {
            Some(abi) => {
                if all[7] == fp::ANY {
                    first_with_fp = index;
                }
                all[7] = abi;
            }
            None => {
                let (before, other) = (fp_name(all[7]), fp_name(section[7]));
                let why = format!("compiled with {before} and with {other}");
                joined.conflicts.push((first_with_fp, index, why));
            }
        }
        let word = |of: &[u8], at: usize| order.get::<u32>(of, at).unwrap_or_default();
        // Extensions of processors have numbers; the header's flags say whether they fit.
        let extension = word(all, 8).max(word(section, 8));
        order.put_low(&mut all[8..12], extension.into());
        for at in [12, 16, 20] {
            let bits = word(all, at) | word(section, at);
            order.put_low(&mut all[at..at + 4], bits.into());
        }
    }
    joined
}

/// The words of register masks, ORed: 4 bytes each.
fn join_masks(order: ByteOrder, all: &mut [u8], section: &[u8]) {
    for (own, other) in all.chunks_exact_mut(4).zip(section.chunks_exact(4)) {
        let bits = order.unsigned(own) | order.unsigned(other);
        order.put_low(own, bits);
    }
}

/// `Elf32_RegInfo`: masks of general registers and of those of four coprocessors, and the global
/// pointer, which is put in later.
fn join_register_use(order: ByteOrder, sections: &[&[u8]]) -> Joined {
    let mut joined = Joined { bytes: vec![0; 24], ..Joined::default() };
    for (index, section) in sections.iter().enumerate() {
        if section.len() == 24 {
            join_masks(order, &mut joined.bytes[..20], &section[..20]);
        } else {
            joined.faults.push((index, format!("has {} bytes, not 24", section.len())));
        }
    }
    joined
}

const ODK_REGINFO: u8 = 1;

/// Records, of which only that with the use of registers (`Elf64_RegInfo`) is joined.
fn join_options(order: ByteOrder, sections: &[&[u8]]) -> Joined {
    let mut joined = Joined { bytes: vec![0; 40], ..Joined::default() };
    joined.bytes[..2].copy_from_slice(&[ODK_REGINFO, 40]);
    for (index, section) in sections.iter().enumerate() {
        let mut rest = *section;
        while let [kind, size, ..] = *rest {
            let size = usize::from(size);
            if size < 8 || size > rest.len() || kind == ODK_REGINFO && size != 40 {
                joined.faults.push((index, format!("has a record of {size} bytes")));
                break;
            }
            if kind == ODK_REGINFO {
                join_masks(order, &mut joined.bytes[8..32], &rest[8..32]);
            }
            rest = &rest[size..];
        }
    }
    joined
}

const TAG_FP: u8 = 4;
const TAG_VECTORS: u8 = 8;

/// Attributes of the vendor `gnu` for whole files. Floating-point ABIs that do not fit are told by
/// [`join_abi_flags`].
fn join_attributes(order: ByteOrder, sections: &[&[u8]]) -> Joined {
    let mut joined = Joined::default();
    let (mut fp_abi, mut vectors) = (fp::ANY, 0);
    for (index, section) in sections.iter().enumerate() {
        match file_attributes(order, section) {
            Some(pairs) => {
                for (tag, value) in pairs {
                    match tag {
                        TAG_FP => fp_abi = join_fp(fp_abi, value).unwrap_or(fp_abi),
                        TAG_VECTORS => vectors = vectors.max(value),
                        _ => {}
                    }
                }
            }
            None => joined.faults.push((index, "is damaged".to_owned())),
        }
    }
    let mut pairs = Vec::new();
    for (tag, value) in [(TAG_FP, fp_abi), (TAG_VECTORS, vectors)] {
        if value != 0 {
            pairs.extend([tag, value]);
        }
    }
    if !pairs.is_empty() {
        let word = |value: usize| order.bytes(value as u32);
        let own = pairs.len() + 5;
        joined.bytes.push(b'A');
        joined.bytes.extend(word(own + 8));
        joined.bytes.extend(b"gnu\0\x01");
        joined.bytes.extend(word(own));
        joined.bytes.extend(pairs);
    }
    joined
}

/// Tags and values of the subsection of `gnu` for the whole file; `None` if it cannot be read.
fn file_attributes(order: ByteOrder, section: &[u8]) -> Option<Vec<(u8, u8)>> {
    let mut rest = match section {
        [] => return Some(Vec::new()),
        [b'A', rest @ ..] => rest,
        _ => return None,
    };
    let mut pairs = Vec::new();
    while !rest.is_empty() {
        let size = order.get::<u32>(rest, 0)? as usize;
        let vendor = rest.get(4..size)?;
        rest = &rest[size..];
        let Some(mut parts) = vendor.strip_prefix(b"gnu\0") else { continue };
        while let [scope, ..] = *parts {
            let size = order.get::<u32>(parts, 1)? as usize;
            let values = parts.get(5..size)?;
            parts = &parts[size..];
            if scope == 1 {
                let (pair, _) = values.as_chunks::<2>();
                // Both tags and all their values are below 128, so each is one byte.
                pairs.extend(pair.iter().map(|&[tag, value]| (tag, value)));
            }
        }
    }
    Some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags([level, revision]: [u8; 2], fp: u8) -> Vec<u8> {
        let mut bytes = vec![0; 24];
        bytes[2..8].copy_from_slice(&[level, revision, 1, 1, 0, fp]);
        bytes
    }

    #[test]
    fn floating_point_abis() {
        assert_eq!(join_fp(fp::EITHER, fp::NEW_64), Some(fp::NEW_64));
        assert_eq!(join_fp(fp::DOUBLE, fp::ANY), Some(fp::DOUBLE));
        assert_eq!(join_fp(fp::NEW_64, fp::NEW_64A), Some(fp::NEW_64));
        assert_eq!(join_fp(fp::DOUBLE, fp::SOFT), None);
    }

    #[test]
    fn abi_flags_are_those_of_all() {
        let (old, new) = (flags([32, 2], fp::EITHER), flags([64, 1], fp::DOUBLE));
        let joined = join_abi_flags(ByteOrder::Little, &[&old, &new]);
        assert_eq!(joined.bytes, flags([64, 1], fp::DOUBLE));
        let soft = flags([32, 1], fp::SOFT);
        let joined = join_abi_flags(ByteOrder::Big, &[&old, &new, &soft, &[1]]);
        assert_eq!(joined.conflicts[0].1, 2);
        assert_eq!(joined.faults[0].0, 3);
    }

    #[test]
    fn registers_of_all_objects() {
        let record = |mask: u8| {
            let mut bytes = vec![0; 40];
            (bytes[0], bytes[1], bytes[11]) = (ODK_REGINFO, 40, mask);
            bytes
        };
        let joined = join_options(ByteOrder::Big, &[&record(1), &record(4)]);
        assert_eq!(joined.bytes, record(5));
        assert_eq!(join_options(ByteOrder::Big, &[&[1, 4, 0, 0]]).faults.len(), 1);
        assert_eq!(join_register_use(ByteOrder::Big, &[&[1; 24]]).bytes[..4], [1; 4]);
    }

    #[test]
    fn attributes_of_files() {
        let one = |value: u8| {
            let mut bytes = b"A\x0f\0\0\0gnu\0\x01\x07\0\0\0\x04".to_vec();
            bytes.push(value);
            bytes
        };
        let joined = join_attributes(ByteOrder::Little, &[&one(5), &one(1)]);
        assert_eq!(joined.bytes, one(1));
        assert_eq!(join_attributes(ByteOrder::Little, &[b"B"]).faults.len(), 1);
    }
}
