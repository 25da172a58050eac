//! The encoding of a file's numbers and records: class and byte order from `e_ident`.

use object::Endianness;

/// Class and byte order of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding {
    /// ELFCLASS64: addresses, offsets and sizes have 8 bytes; otherwise they have 4.
    pub is_64: bool,
    /// ELFDATA2LSB or ELFDATA2MSB.
    pub order: Endianness,
}

impl Default for Encoding {
    /// The encoding of x86-64.
    fn default() -> Encoding {
        Encoding { is_64: true, order: Endianness::Little }
    }
}

impl Encoding {
    /// `bytes`, at most 8, as a number; 0 if there are none.
    pub fn number(self, bytes: &[u8]) -> u64 {
        let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        match self.order {
            Endianness::Little => bytes.iter().rev().fold(0, add),
            Endianness::Big => bytes.iter().fold(0, add),
        }
    }

    /// Size of an address, Elf32_Addr or Elf64_Addr, and of a RELR entry.
    pub fn word_size(self) -> u64 {
        if self.is_64 { 8 } else { 4 }
    }

    /// Bytes of Elf32_Sym or Elf64_Sym.
    pub fn symbol_size(self) -> u64 {
        if self.is_64 { 24 } else { 16 }
    }

    /// Bytes of a relocation with an addend.
    pub fn rela_size(self) -> u64 {
        3 * self.word_size()
    }

    /// Bytes of a relocation without an addend.
    pub fn rel_size(self) -> u64 {
        2 * self.word_size()
    }

    /// Bytes of an entry of .dynamic.
    pub fn dynamic_size(self) -> u64 {
        2 * self.word_size()
    }

    /// `number` as an address of this class: in 32-bit files, addresses wrap around at 4 GiB.
    pub fn address(self, number: u64) -> u64 {
        if self.is_64 { number } else { number & u64::from(u32::MAX) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_the_order_of_the_file() {
        let little = Encoding { is_64: false, order: Endianness::Little };
        let big = Encoding { is_64: false, order: Endianness::Big };
        for (bytes, in_little, in_big) in [
            (&[][..], 0, 0),
            (&[1, 2], 0x201, 0x102),
            (&[1, 2, 3, 4], 0x403_0201, 0x102_0304),
            (&[1, 2, 3, 4, 5, 6, 7, 0xff], 0xff07_0605_0403_0201, 0x0102_0304_0506_07ff),
        ] {
            assert_eq!((little.number(bytes), big.number(bytes)), (in_little, in_big));
        }
    }
}
