//! Class and byte order of a file (`e_ident`).

use object::elf::{ELFCLASS32, ELFCLASS64, ELFDATA2LSB, ELFDATA2MSB};
use skald_linking::byte_order::ByteOrder;

/// The size of addresses, and the form of records: `EI_CLASS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Class {
    /// ELFCLASS32: words of 4 bytes.
    Elf32,
    /// ELFCLASS64: words of 8 bytes.
    #[default]
    Elf64,
}

impl Class {
    /// `EI_CLASS`.
    pub const fn ident(self) -> u8 {
        match self {
            Class::Elf32 => ELFCLASS32,
            Class::Elf64 => ELFCLASS64,
        }
    }

    /// Size in bytes of a word: of an address, and of a size in memory.
    pub const fn word_size(self) -> usize {
        match self {
            Class::Elf32 => 4,
            Class::Elf64 => 8,
        }
    }
}

/// `EI_DATA` of files with this byte order.
pub const fn data_ident(order: ByteOrder) -> u8 {
    match order {
        ByteOrder::Little => ELFDATA2LSB,
        ByteOrder::Big => ELFDATA2MSB,
    }
}
