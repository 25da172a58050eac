//! How a file stores its tables: 32 or 64 bits wide, little- or big-endian.
//!
//! A record ([`Record`]: `Sym`, `Rela`, ...) has one form in memory for all files, with room for 64
//! bits. That form is the 64-bit little-endian one, so a mapped table of such a file is a slice of
//! records ([`Encoding::NATIVE`]). Tables of other files are decoded once, when they are read, and
//! encoded record by record when they are written.
//!
//! [`Record::decode`] and [`Record::encode`] list a record's fields. Data that is not a record
//! (words of a GOT, of RELR, of a bitmap) is read and written as a word.

use super::fields::{FieldReader, FieldWriter};
use crate::machine::info_layout::InfoLayout;
use crate::machine::{Class, Machine};
use object::elf::{ELFCLASS32, ELFCLASS64, ELFDATA2LSB, ELFDATA2MSB, ELFMAG};
use skald_linking::byte_order::ByteOrder;
use skald_linking::cursor::{Cursor, Malformed};
use std::borrow::Cow;
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// Class and byte order of a file, and how it divides `r_info`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
// Four bytes are passed and compared as one number; three are not.
#[repr(align(4))]
pub struct Encoding {
    /// The size of words, and the order of fields that depends on it.
    pub class: Class,
    /// The order of bytes in all numbers.
    pub order: ByteOrder,
    /// How `r_info` is divided.
    pub info: InfoLayout,
}

const LITTLE_32: Encoding = Encoding::new(Class::Elf32, ByteOrder::Little);
const BIG_32: Encoding = Encoding::new(Class::Elf32, ByteOrder::Big);
const BIG_64: Encoding = Encoding::new(Class::Elf64, ByteOrder::Big);
const LITTLE_64_BYTES: Encoding = Encoding { info: InfoLayout::Bytes, ..Encoding::NATIVE };

/// An entry of a table in a file. In memory it is the 64-bit little-endian entry.
pub trait Record:
    Copy + FromBytes + IntoBytes + KnownLayout + Immutable + Unaligned + 'static
{
    /// Bytes of the 32-bit entry.
    const SIZE_32: usize;

    /// Whether a file of this encoding stores entries as they are in memory.
    #[inline(always)]
    fn is_stored_as_is(encoding: Encoding) -> bool {
        encoding.is_native()
    }

    /// Reads the fields.
    fn decode(fields: &mut FieldReader<'_>) -> Self;

    /// The records in `bytes`, decoded; `None` if there are bytes left over. The caller knows the
    /// encoding as a constant.
    #[inline(always)]
    fn decode_all(encoding: Encoding, bytes: &[u8]) -> Option<Vec<Self>> {
        let entries = bytes.chunks_exact(encoding.size::<Self>());
        let is_whole = entries.remainder().is_empty();
        let decode = |entry| Self::decode(&mut FieldReader::new(encoding, entry));
        is_whole.then(|| entries.map(decode).collect())
    }

    /// Writes the fields.
    fn encode(self, fields: &mut FieldWriter<'_>);
}

impl Encoding {
    /// The encoding of records in memory.
    pub const NATIVE: Encoding = Encoding::new(Class::Elf64, ByteOrder::Little);

    /// The encoding of most machines with a class and a byte order.
    pub const fn new(class: Class, order: ByteOrder) -> Encoding {
        Encoding { class, order, info: InfoLayout::Number }
    }

    /// The encoding that a file states; `None` if it is not an ELF file of a known class and order.
    pub fn of_file(bytes: &[u8]) -> Option<Encoding> {
        let ident = bytes.strip_prefix(&ELFMAG)?;
        let class = match *ident.first()? {
            ELFCLASS32 => Class::Elf32,
            ELFCLASS64 => Class::Elf64,
            _ => return None,
        };
        let order = match *ident.get(1)? {
            ELFDATA2LSB => ByteOrder::Little,
            ELFDATA2MSB => ByteOrder::Big,
            _ => return None,
        };
        let info =
            Machine::of_file(bytes).map_or(InfoLayout::Number, |machine| machine.info_layout);
        Some(Encoding { class, order, info })
    }

    /// The encoding of the files of a machine.
    #[inline(always)]
    pub const fn of(machine: &Machine) -> Encoding {
        Encoding { class: machine.class, order: machine.byte_order, info: machine.info_layout }
    }

    /// Whether tables in a file are records as in memory.
    #[inline(always)]
    pub fn is_native(self) -> bool {
        self == Encoding::NATIVE
    }

    /// Size of a word in bytes.
    #[inline(always)]
    pub const fn word_size(self) -> usize {
        self.class.word_size()
    }

    /// Size of a record in bytes.
    #[inline(always)]
    pub const fn size<R: Record>(self) -> usize {
        match self.class {
            Class::Elf32 => R::SIZE_32,
            Class::Elf64 => size_of::<R>(),
        }
    }

    /// The record at the start of `bytes`; `None` if there are too few bytes.
    #[inline(always)]
    pub fn read<R: Record>(self, bytes: &[u8]) -> Option<R> {
        if self.is_native() {
            return R::read_from_prefix(bytes).ok().map(|(record, _)| record);
        }
        let bytes = bytes.get(..self.size::<R>())?;
        Some(R::decode(&mut FieldReader::new(self, bytes)))
    }

    /// Lets `fill` write the records of a table to `out`: directly, or, if they have to be encoded,
    /// through a temporary table.
    #[inline(always)]
    pub fn fill<R: Record, T>(self, out: &mut [u8], fill: impl FnOnce(&mut [R]) -> T) -> T {
        let is_native = self.is_native();
        let mut beside = Vec::new();
        let records: &mut [R] = if is_native {
            <[R]>::mut_from_bytes(out).expect("a table has no part of a record")
        } else {
            beside = self.blank(out.len());
            &mut beside
        };
        let result = fill(records);
        if !is_native {
            self.write_all(&beside, out);
        }
        result
    }

    /// Records for a table of `size` bytes.
    #[cold]
    fn blank<R: Record>(self, size: usize) -> Vec<R> {
        R::new_vec_zeroed(size / self.size::<R>()).expect("memory for a table")
    }

    /// Writes a table of `records` to `out`.
    pub fn write_all<R: Record>(self, records: &[R], out: &mut [u8]) {
        if self.is_native() {
            return out.copy_from_slice(records.as_bytes());
        }
        let size = self.size::<R>();
        assert_eq!(size * records.len(), out.len(), "a table has no part of a record");
        match self {
            LITTLE_32 => encode_all(LITTLE_32, records, out),
            BIG_32 => encode_all(BIG_32, records, out),
            BIG_64 => encode_all(BIG_64, records, out),
            LITTLE_64_BYTES => encode_all(LITTLE_64_BYTES, records, out),
            _ => encode_all(Encoding::NATIVE, records, out),
        }
    }

    /// Writes a record to `out`, which has its size.
    #[inline(always)]
    pub fn write<R: Record>(self, record: &R, out: &mut [u8]) {
        if self.is_native() {
            return out.copy_from_slice(record.as_bytes());
        }
        self.write_fields(*record, out);
    }

    #[inline(never)]
    fn write_fields<R: Record>(self, record: R, out: &mut [u8]) {
        let mut fields = FieldWriter::new(self, out);
        record.encode(&mut fields);
        fields.finish();
    }

    /// The bytes of `records`.
    pub fn bytes<'a, R: Record>(self, records: &'a [R]) -> Cow<'a, [u8]> {
        if self.is_native() {
            return Cow::Borrowed(records.as_bytes());
        }
        let mut out = vec![0; self.size::<R>() * records.len()];
        self.write_all(records, &mut out);
        Cow::Owned(out)
    }

    /// The records in `bytes`; `None` if there are bytes left over.
    pub fn records<R: Record>(self, bytes: &[u8]) -> Option<Cow<'_, [R]>> {
        if R::is_stored_as_is(self) {
            return <[R]>::ref_from_bytes(bytes).ok().map(Cow::Borrowed);
        }
        // With the encoding as a constant, a record is a few loads and stores.
        let records = match self {
            LITTLE_32 => R::decode_all(LITTLE_32, bytes),
            BIG_32 => R::decode_all(BIG_32, bytes),
            BIG_64 => R::decode_all(BIG_64, bytes),
            LITTLE_64_BYTES => R::decode_all(LITTLE_64_BYTES, bytes),
            _ => R::decode_all(Encoding::NATIVE, bytes),
        };
        records.map(Cow::Owned)
    }

    /// The records in `bytes`. The result lives until the process ends, like `bytes`, even if it
    /// had to be decoded.
    pub fn kept<R: Record>(self, bytes: &'static [u8]) -> Option<&'static [R]> {
        match self.records(bytes)? {
            Cow::Borrowed(records) => Some(records),
            Cow::Owned(records) => Some(records.leak()),
        }
    }

    /// The `count` records at `file_offset`; `None` if they do not lie inside `data`.
    #[inline]
    pub fn table<R: Record>(
        self,
        data: &'static [u8],
        file_offset: u64,
        count: u64,
    ) -> Option<&'static [R]> {
        let size = count.checked_mul(self.size::<R>() as u64)?;
        let bytes = super::elf::range(data, file_offset, size)?;
        let is_as_is = R::is_stored_as_is(self);
        if is_as_is { <[R]>::ref_from_bytes(bytes).ok() } else { self.decoded(bytes) }
    }

    /// The same for bytes that are not native. It is a function of its own so that callers keep no
    /// registers for it.
    #[cold]
    #[inline(never)]
    fn decoded<R: Record>(self, bytes: &'static [u8]) -> Option<&'static [R]> {
        self.kept(bytes)
    }

    /// Fills `field`, which is a word, with the low bytes of `value`.
    #[inline(always)]
    pub fn put_word(self, field: &mut [u8], value: u64) {
        match self.class {
            Class::Elf32 => field.copy_from_slice(&self.order.bytes(value as u32)),
            Class::Elf64 => field.copy_from_slice(&self.order.bytes(value)),
        }
    }

    /// The word that fills `field`.
    #[inline(always)]
    pub fn word(self, field: &[u8]) -> u64 {
        self.order.unsigned(field)
    }

    /// The next word of a stream.
    pub fn next_word(self, cursor: &mut Cursor<'_>, what: &'static str) -> Result<u64, Malformed> {
        match self.class {
            Class::Elf32 => cursor.u32(self.order, what).map(u64::from),
            Class::Elf64 => cursor.u64(self.order, what),
        }
    }
}

/// An entry of a table of words.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(transparent)]
pub struct Word(U64);

impl Word {
    /// A word with this value.
    #[inline(always)]
    pub fn new(value: u64) -> Word {
        Word(value.into())
    }

    /// The value.
    #[inline(always)]
    pub fn get(self) -> u64 {
        self.0.get()
    }
}

impl Record for Word {
    const SIZE_32: usize = 4;

    #[inline(always)]
    fn decode(fields: &mut FieldReader<'_>) -> Word {
        Word::new(fields.word())
    }

    #[inline(always)]
    fn encode(self, fields: &mut FieldWriter<'_>) {
        fields.word(self.get());
    }
}

macro_rules! plain_number {
    ($($record:ident, $read:ident;)*) => {
        $(impl Record for $record {
            const SIZE_32: usize = size_of::<$record>();

            #[inline(always)]
            fn is_stored_as_is(encoding: Encoding) -> bool {
                encoding.order == ByteOrder::Little
            }

            #[inline(always)]
            fn decode(fields: &mut FieldReader<'_>) -> $record {
                fields.$read().into()
            }

            #[inline(always)]
            fn encode(self, fields: &mut FieldWriter<'_>) {
                fields.$read(self.get());
            }
        })*
    };
}

plain_number! { U16, u16; U32, u32; }

/// Writes `records` as `encoding` stores them.
#[inline(always)]
fn encode_all<R: Record>(encoding: Encoding, records: &[R], out: &mut [u8]) {
    let entries = out.chunks_exact_mut(encoding.size::<R>());
    for (record, entry) in records.iter().zip(entries) {
        record.encode(&mut FieldWriter::new(encoding, entry));
    }
}

/// All encodings, for tests.
#[cfg(test)]
pub const ALL: [Encoding; 4] = {
    use ByteOrder::{Big, Little};
    use Class::{Elf32, Elf64};
    [
        Encoding::new(Elf32, Little),
        Encoding::new(Elf32, Big),
        Encoding::new(Elf64, Little),
        Encoding::new(Elf64, Big),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::elf::{Dyn, Ehdr, Phdr, Rel, Rela, Shdr, Sym};
    use std::fmt::Debug;

    /// A record whose fields are all different and fit 32 bits.
    fn sample<R: Record>() -> R {
        let fields: Vec<u8> = (1..=size_of::<R>() as u8).collect();
        // Converted through the 32-bit form, so that all fields fit a 32-bit file.
        let narrow = Encoding::new(Class::Elf32, ByteOrder::Big);
        narrow.read(&fields).expect("there are more bytes than it has")
    }

    fn round_trips<R: Record + Debug>() {
        let sample: R = sample();
        for encoding in ALL {
            let size = encoding.size::<R>();
            let mut out = vec![0; size];
            encoding.write(&sample, &mut out);
            let read: R = encoding.read(&out).expect("a whole record");
            assert_eq!(read.as_bytes(), sample.as_bytes(), "{encoding:?}: {sample:?}");
            assert!(encoding.read::<R>(&out[1..]).is_none());
            let table = encoding.bytes(&[sample, sample]).into_owned();
            assert_eq!(table, out.repeat(2));
            let records: Cow<'_, [R]> = encoding.records(&table).expect("two records");
            assert_eq!(records[1].as_bytes(), sample.as_bytes());
            assert!(encoding.records::<R>(&table[1..]).is_none() || size == 1);
            let kept: &[R] = encoding.table(table.leak(), size as u64, 1).expect("the second");
            assert_eq!(kept[0].as_bytes(), sample.as_bytes());
        }
    }

    #[test]
    fn every_record_in_every_encoding() {
        round_trips::<Ehdr>();
        round_trips::<Shdr>();
        round_trips::<Phdr>();
        round_trips::<Sym>();
        round_trips::<Rela>();
        round_trips::<Rel>();
        round_trips::<Dyn>();
        round_trips::<U16>();
        round_trips::<U32>();
        round_trips::<Word>();
    }

    #[test]
    fn symbols_as_the_abi_has_them() {
        let mut sym = Sym::with_info(1, 2);
        sym.set_st_name(0x0102_0304);
        sym.set_st_other(3);
        sym.set_st_shndx(0x0506);
        sym.set_st_value(0x0708_090a);
        sym.set_st_size(0x0b0c_0d0e);
        let stored = |at: usize| ALL[at].bytes(&[sym]).into_owned();
        assert_eq!(stored(0), [4, 3, 2, 1, 10, 9, 8, 7, 14, 13, 12, 11, 0x12, 3, 6, 5]);
        assert_eq!(stored(1), [1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 0x12, 3, 5, 6]);
        let big = [1, 2, 3, 4, 0x12, 3, 5, 6, 0, 0, 0, 0, 7, 8, 9, 10, 0, 0, 0, 0, 11, 12, 13, 14];
        assert_eq!(stored(3), big);
    }

    #[test]
    fn relocations_as_the_abi_has_them() {
        let rela = Rela::new(0x10, 7, 0x0a0b0c, -2);
        let stored = |at: usize| ALL[at].bytes(&[rela]).into_owned();
        assert_eq!(stored(0), [16, 0, 0, 0, 7, 12, 11, 10, 254, 255, 255, 255]);
        assert_eq!(stored(1), [0, 0, 0, 16, 10, 11, 12, 7, 255, 255, 255, 254]);
        let big = [[0, 0, 0, 0, 0, 0, 0, 16], [0, 10, 11, 12, 0, 0, 0, 7], [255; 8]].concat();
        assert_eq!(stored(3)[..23], big[..23]);
    }

    #[test]
    fn program_headers_as_the_abi_has_them() {
        let mut header = Phdr::default();
        header.set_p_type(1);
        header.set_p_flags(5);
        header.set_p_offset(0x40);
        header.set_p_align(0x1000);
        let stored = ALL[1].bytes(&[header]).into_owned();
        let word = |at: usize| ALL[1].word(&stored[4 * at..4 * at + 4]);
        assert_eq!([0, 1, 6, 7].map(word), [1, 0x40, 5, 0x1000]);
    }

    #[test]
    fn words_have_the_size_of_addresses() {
        for encoding in ALL {
            let size = encoding.word_size();
            let mut out = vec![0xee; 2 * size];
            encoding.fill(&mut out, |words: &mut [Word]| {
                assert_eq!(words.len(), 2);
                words[0] = Word::new(0x1234_5678);
                words[1] = Word::new(u64::MAX);
            });
            assert_eq!(encoding.word(&out[..size]), 0x1234_5678);
            assert!(out[size..].iter().all(|&byte| byte == 0xff));
            let mut again = vec![0; size];
            encoding.put_word(&mut again, 0x1234_5678);
            assert_eq!(again, out[..size]);
        }
    }
}
