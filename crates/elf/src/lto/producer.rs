//! The LLVM version that made a file of bitcode, and its target machine: the identification block
//! and the module block (LLVM's documentation, "LLVM Bitcode File Format").

use crate::format::elf;
use crate::format::encoding::Encoding;
use crate::read::mapped_object::MappedObject;
use object::elf::ELFMAG;
use skald_core::input::InputBytes;

/// Magic number of bitcode, and of a wrapper around it.
const BITCODE: &[u8] = b"BC\xc0\xde";
const WRAPPER: &[u8] = &0x0b17_c0de_u32.to_le_bytes();

/// The bitcode of an input: all of it, or the content of a section of an object.
pub fn bitcode_of(input: InputBytes) -> &'static [u8] {
    if !input.bytes.starts_with(&ELFMAG) {
        return input.bytes;
    }
    let Some(encoding) = Encoding::of_file(input.bytes) else { return &[] };
    let Ok((mapped, _)) = MappedObject::map(encoding, input) else { return &[] };
    let is_bitcode =
        |name| elf::string(mapped.shstrtab, name).is_some_and(|name| name == b".llvm.lto");
    let section = mapped.shdrs.iter().find(|section| is_bitcode(section.sh_name()));
    section
        .and_then(|section| elf::range(mapped.data, section.sh_offset(), section.sh_size()))
        .unwrap_or_default()
}

/// Ids of abbreviations that all blocks have.
mod abbreviation {
    pub const END_BLOCK: u64 = 0;
    pub const ENTER_SUBBLOCK: u64 = 1;
    pub const DEFINE: u64 = 2;
    pub const UNABBREVIATED: u64 = 3;
    pub const FIRST_OWN: u64 = 4;
}

/// IDENTIFICATION_BLOCK_ID, and its record with the producer's name.
const IDENTIFICATION_BLOCK: u64 = 13;
const STRING: u64 = 1;
/// MODULE_BLOCK_ID, and its record with the target triple.
const MODULE_BLOCK: u64 = 8;
const TRIPLE: u64 = 2;
/// Longest name of a producer or a target.
const LONGEST: u64 = 200;

/// Reads numbers of any width from a stream of bits.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn fixed(&mut self, width: usize) -> Option<u64> {
        let mut number = 0;
        for bit in 0..width {
            let byte = self.bytes.get(self.at / 8)?;
            number |= u64::from(byte >> (self.at % 8) & 1) << bit;
            self.at += 1;
        }
        Some(number)
    }

    /// A number in groups of `width` bits, whose highest bit says whether another group follows.
    fn variable(&mut self, width: usize) -> Option<u64> {
        let (mut number, mut shift) = (0u64, 0);
        loop {
            let group = self.fixed(width)?;
            let more = 1 << (width - 1);
            number |= (group & (more - 1)).checked_shl(shift)?;
            if group & more == 0 {
                return Some(number);
            }
            shift += width as u32 - 1;
        }
    }

    fn align(&mut self) {
        self.at = self.at.next_multiple_of(32);
    }
}

/// The bit stream in a file.
fn stream(bytes: &[u8]) -> Option<Bits<'_>> {
    let bytes = match bytes.strip_prefix(WRAPPER) {
        Some(rest) => {
            let offset = u32::from_le_bytes(*rest.get(4..)?.first_chunk()?);
            bytes.get(offset as usize..)?
        }
        None => bytes,
    };
    Some(Bits { bytes: bytes.strip_prefix(BITCODE)?, at: 0 })
}

/// Enters the block whose start has just been read. Returns its id, the width of ids in it, and its
/// end.
fn enter(bits: &mut Bits<'_>) -> Option<(u64, usize, usize)> {
    let block = bits.variable(8)?;
    let width = usize::try_from(bits.variable(4)?).ok().filter(|width| (2..=32).contains(width))?;
    bits.align();
    let words = usize::try_from(bits.fixed(32)?).ok()?;
    Some((block, width, bits.at.checked_add(words.checked_mul(32)?)?))
}

/// The target triple of the first module.
pub fn triple(bytes: &[u8]) -> Option<String> {
    let mut bits = stream(bytes)?;
    let width = loop {
        if bits.fixed(2)? != abbreviation::ENTER_SUBBLOCK {
            return None;
        }
        match enter(&mut bits)? {
            (MODULE_BLOCK, width, _) => break width,
            (.., end) => bits.at = end,
        }
    };
    loop {
        match bits.fixed(width)? {
            abbreviation::ENTER_SUBBLOCK => bits.at = enter(&mut bits)?.2,
            abbreviation::DEFINE => skip_definition(&mut bits)?,
            abbreviation::UNABBREVIATED => {
                let (code, count) = (bits.variable(6)?, bits.variable(6)?);
                if code == TRIPLE {
                    let count = count.min(LONGEST);
                    let text: Option<Vec<u8>> =
                        (0..count).map(|_| bits.variable(6).map(|c| c as u8)).collect();
                    return String::from_utf8(text?).ok();
                }
                (0..count).try_for_each(|_| bits.variable(6).map(drop))?;
            }
            // The end, or a record with an abbreviation of its own, which comes only behind the
            // triple.
            abbreviation::END_BLOCK | abbreviation::FIRST_OWN.. => return None,
        }
    }
}

/// The name of the producer, such as `LLVM19.1.7`.
pub fn name(bytes: &[u8]) -> Option<String> {
    let mut bits = stream(bytes)?;
    // The identification block is the first one; outside of blocks ids have two bits.
    if bits.fixed(2)? != abbreviation::ENTER_SUBBLOCK {
        return None;
    }
    let (block, width, _) = enter(&mut bits)?;
    if block != IDENTIFICATION_BLOCK {
        return None;
    }
    loop {
        let id = bits.fixed(width)?;
        match id {
            abbreviation::DEFINE => skip_definition(&mut bits)?,
            abbreviation::UNABBREVIATED => {
                let (code, count) = (bits.variable(6)?, bits.variable(6)?);
                let all = (0..count.min(LONGEST)).map(|_| bits.variable(6).map(|c| c as u8));
                let text: Vec<u8> = all.collect::<Option<_>>()?;
                return (code == STRING).then(|| String::from_utf8_lossy(&text).into_owned());
            }
            // The only abbreviation that is defined first: the code, and an array of characters.
            abbreviation::FIRST_OWN => {
                let count = bits.variable(6)?.min(LONGEST);
                return (0..count).map(|_| bits.fixed(6).and_then(character)).collect();
            }
            _ => return None,
        }
    }
}

/// Skips the definition of an abbreviation.
fn skip_definition(bits: &mut Bits<'_>) -> Option<()> {
    for _ in 0..bits.variable(5)? {
        if bits.fixed(1)? == 1 {
            bits.variable(8)?;
        } else if matches!(bits.fixed(3)?, 1 | 2) {
            bits.variable(5)?;
        }
    }
    Some(())
}

/// The character for a 6-bit code.
fn character(number: u64) -> Option<char> {
    let number = number as u8;
    Some(char::from(match number {
        0..26 => b'a' + number,
        26..52 => b'A' + number - 26,
        52..62 => b'0' + number - 52,
        62 => b'.',
        _ => b'_',
    }))
}

/// The major version in a producer's name.
pub fn major(name: &str) -> Option<u32> {
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{major, name};

    /// The first bytes of a file of clang 19.
    const CLANG: &[u8] = &[
        0x42, 0x43, 0xc0, 0xde, 0x35, 0x14, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x62, 0x0c, 0x30,
        0x24, 0x4a, 0x59, 0xbe, 0x66, 0xdd, 0xfb, 0xb5, 0xbf, 0x0b, 0x51, 0x80, 0x4c, 0x01, 0x00,
        0x00, 0x00,
    ];

    #[test]
    fn producers_are_named() {
        let found = name(CLANG).expect("a name");
        assert!(found.starts_with("LLVM"), "{found}");
        assert!(major(&found).is_some_and(|major| major >= 15), "{found}");
        assert_eq!(major("LLVM20.1.7-rust-1.90.0"), Some(20));
        assert_eq!((major("LLVM"), name(b"BC\xc0\xde")), (None, None));
        for end in 0..CLANG.len() {
            name(&CLANG[..end]);
        }
    }
}
