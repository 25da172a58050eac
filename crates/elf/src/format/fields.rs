//! Fields of a record one after the other, as an encoding stores them.

use super::encoding::Encoding;
use crate::machine::Class;
use skald_linking::byte_order::Number;

/// Reads the fields of a record.
pub struct FieldReader<'a> {
    encoding: Encoding,
    rest: &'a [u8],
}

impl<'a> FieldReader<'a> {
    /// Reads `bytes`, which have to be a whole record.
    #[inline(always)]
    pub fn new(encoding: Encoding, bytes: &'a [u8]) -> FieldReader<'a> {
        FieldReader { encoding, rest: bytes }
    }

    /// The class, on which the order of fields may depend.
    #[inline(always)]
    pub fn class(&self) -> Class {
        self.encoding.class
    }

    /// How the bytes are stored.
    #[inline(always)]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The next `N` bytes.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        let (field, rest) = self.rest.split_first_chunk().expect("the bytes are a whole record");
        self.rest = rest;
        *field
    }

    #[inline(always)]
    fn number<N: Number<Bytes = [u8; S]>, const S: usize>(&mut self) -> N {
        let bytes = self.array();
        self.encoding.order.number(bytes)
    }

    /// A byte.
    #[inline(always)]
    pub fn u8(&mut self) -> u8 {
        self.number()
    }

    /// A number of 2 bytes.
    #[inline(always)]
    pub fn u16(&mut self) -> u16 {
        self.number()
    }

    /// A number of 4 bytes.
    #[inline(always)]
    pub fn u32(&mut self) -> u32 {
        self.number()
    }

    /// A word.
    #[inline(always)]
    pub fn word(&mut self) -> u64 {
        match self.encoding.class {
            Class::Elf32 => self.u32().into(),
            Class::Elf64 => self.number(),
        }
    }

    /// A word with a sign.
    #[inline(always)]
    pub fn signed_word(&mut self) -> i64 {
        match self.encoding.class {
            Class::Elf32 => self.number::<i32, 4>().into(),
            Class::Elf64 => self.number(),
        }
    }
}

/// Writes the fields of a record, or of several records.
pub struct FieldWriter<'a> {
    encoding: Encoding,
    rest: &'a mut [u8],
}

impl<'a> FieldWriter<'a> {
    /// Writes to `out`, which has as many bytes as the fields.
    #[inline(always)]
    pub fn new(encoding: Encoding, out: &'a mut [u8]) -> FieldWriter<'a> {
        FieldWriter { encoding, rest: out }
    }

    /// The class, on which the order of fields may depend.
    #[inline(always)]
    pub fn class(&self) -> Class {
        self.encoding.class
    }

    /// How the bytes are stored.
    #[inline(always)]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Bytes as they are.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self, field: [u8; N]) {
        let rest = std::mem::take(&mut self.rest);
        let (head, rest) = rest.split_first_chunk_mut::<N>().expect("the size counts every field");
        *head = field;
        self.rest = rest;
    }

    /// A byte.
    #[inline(always)]
    pub fn u8(&mut self, value: u8) {
        self.array([value]);
    }

    /// A number of 2 bytes.
    #[inline(always)]
    pub fn u16(&mut self, value: u16) {
        self.array(self.encoding.order.bytes(value));
    }

    /// A number of 4 bytes.
    #[inline(always)]
    pub fn u32(&mut self, value: u32) {
        self.array(self.encoding.order.bytes(value));
    }

    /// A word: the low bytes of `value`.
    #[inline(always)]
    pub fn word(&mut self, value: u64) {
        match self.encoding.class {
            Class::Elf32 => self.u32(value as u32),
            Class::Elf64 => self.array(self.encoding.order.bytes(value)),
        }
    }

    /// Ends the writing; all bytes must be written.
    #[inline(always)]
    pub fn finish(self) {
        assert!(self.rest.is_empty(), "the size counts no more than the fields");
    }
}
