//! Records of `.eh_frame` input sections.
//!
//! A section is a run of records: a length (4 bytes, or 0xffffffff and 8 bytes), a 4-byte CIE
//! pointer, and the body. A CIE pointer of 0 makes the record a CIE; any other is the distance from
//! the pointer itself back to the FDE's CIE. A length of 0 ends the section: records behind it are
//! not read, because unwinders that walk the section stop there (`crtend.o` has the last one).
//!
//! [`EhFrame`] iterates the records and [`Cie::parse`] reads the parts of an augmentation that a
//! linker needs: the places of the personality and LSDA pointers, and the encoding of addresses in
//! FDEs. Nothing is allocated. Source: LSB 5.0 core, 10.6.1 "DWARF extensions" and "The .eh_frame
//! section"; 'B' and 'G' are from the AArch64 DWARF ABI.

use skald_linking::byte_order::ByteOrder;
use skald_linking::cursor::{Cursor, Malformed};

/// `DW_EH_PE_*`: how pointers in unwind tables are encoded (LSB, "DWARF Exception Header
/// Encoding").
pub mod encoding {
    /// A pointer-sized absolute value.
    pub const ABSPTR: u8 = 0x00;
    /// Unsigned LEB128.
    pub const ULEB128: u8 = 0x01;
    /// Unsigned, 2 bytes.
    pub const UDATA2: u8 = 0x02;
    /// Unsigned, 4 bytes.
    pub const UDATA4: u8 = 0x03;
    /// Unsigned, 8 bytes.
    pub const UDATA8: u8 = 0x04;
    /// A pointer-sized signed value.
    pub const SIGNED: u8 = 0x08;
    /// Signed LEB128.
    pub const SLEB128: u8 = 0x09;
    /// Signed, 2 bytes.
    pub const SDATA2: u8 = 0x0a;
    /// Signed, 4 bytes.
    pub const SDATA4: u8 = 0x0b;
    /// Signed, 8 bytes.
    pub const SDATA8: u8 = 0x0c;
    /// The bits that say what the value is relative to.
    pub const APPLICATION: u8 = 0x70;
    /// Relative to the address of the field.
    pub const PCREL: u8 = 0x10;
    /// Relative to the start of `.eh_frame_hdr`.
    pub const DATAREL: u8 = 0x30;
    /// Absolute, at the next multiple of the pointer size in the section.
    pub const ALIGNED: u8 = 0x50;
    /// The value is the address of the pointer.
    pub const INDIRECT: u8 = 0x80;
    /// There is no pointer (DW_EH_PE_omit).
    pub const OMIT: u8 = 0xff;

    /// Size in bytes of a pointer in `encoding`, with addresses of `word_size` bytes. `None` for
    /// the LEB128 forms, whose length is in the data, and for unknown forms. `OMIT` has size 0.
    pub const fn size(encoding: u8, word_size: usize) -> Option<usize> {
        if encoding == OMIT {
            return Some(0);
        }
        match encoding & 0x0f {
            ABSPTR | SIGNED => Some(word_size),
            UDATA8 | SDATA8 => Some(8),
            UDATA2 | SDATA2 => Some(2),
            UDATA4 | SDATA4 => Some(4),
            _ => None,
        }
    }
}

/// The kind of a record of `.eh_frame`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// A common information entry.
    Cie,
    /// A frame description entry.
    Fde {
        /// Start of its CIE, in bytes from the start of the section: before this record, but not
        /// yet known to be a record.
        cie_offset: usize,
    },
    /// The zero length that ends the section.
    Terminator,
}

/// One record of `.eh_frame`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// Offset in the section of the length field.
    pub offset: usize,
    /// Bytes, with the length field.
    pub size: usize,
    /// Bytes from the start of the record to its body: 8, or 16 with an extended length. The
    /// CIE pointer is the last 4 of them. 4 for a terminator.
    pub header_size: usize,
    /// CIE, FDE or terminator.
    pub kind: RecordKind,
}

impl Record {
    /// Offset in the section of the end of the record.
    pub const fn end(&self) -> usize {
        self.offset + self.size
    }

    /// Offset in the section of the body: for an FDE, of its initial location.
    pub const fn body_offset(&self) -> usize {
        self.offset + self.header_size
    }
}

/// The records of an `.eh_frame` section in order. The iterator ends after an error or, unless
/// asked to go on, after a terminator.
#[derive(Debug, Clone)]
pub struct EhFrame<'a> {
    order: ByteOrder,
    section: &'a [u8],
    next: usize,
    /// Whether records behind a terminator are read, too.
    goes_on: bool,
    is_behind: bool,
}

impl<'a> EhFrame<'a> {
    /// Starts at the first record of `section`.
    pub const fn new(order: ByteOrder, section: &'a [u8]) -> EhFrame<'a> {
        EhFrame { order, section, next: 0, goes_on: false, is_behind: false }
    }

    /// The same, but records behind terminators are included, up to the first malformed one.
    pub const fn with_all(order: ByteOrder, section: &'a [u8]) -> EhFrame<'a> {
        EhFrame { order, section, next: 0, goes_on: true, is_behind: false }
    }

    /// The record if it has a short length and a valid CIE pointer, as nearly all have. Big-endian
    /// files are left to the general path, so that this one tests the order only once.
    #[inline(always)]
    fn short_record(&self) -> Option<Record> {
        let offset = self.next;
        let rest = self.section.get(offset..)?;
        let head = rest.first_chunk::<8>()?;
        if self.order != ByteOrder::Little {
            return None;
        }
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
        let distance = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let is_short = (4..0xffff_fff0).contains(&length) && length as usize <= rest.len() - 4;
        let kind = match distance {
            0 => RecordKind::Cie,
            _ => RecordKind::Fde { cie_offset: (offset + 4).checked_sub(distance)? },
        };
        // With a distance below 4 the CIE would begin within this record.
        (is_short && distance.wrapping_sub(1) >= 4).then_some(Record {
            offset,
            size: length as usize + 4,
            header_size: 8,
            kind,
        })
    }

    #[cold]
    fn record(&self) -> Result<Record, Malformed> {
        let offset = self.next;
        let mut cursor = Cursor::starting_at(self.section, offset);
        let short_length = cursor.u32(self.order, "CIE/FDE too small")?;
        if short_length == 0 {
            return Ok(Record { offset, size: 4, header_size: 4, kind: RecordKind::Terminator });
        }
        let length = match short_length {
            u32::MAX => cursor.u64(self.order, "truncated extended length of a CIE/FDE")?,
            0xffff_fff0.. => return Err(Malformed::new("reserved CIE/FDE length", offset)),
            length => u64::from(length),
        };
        let id_offset = cursor.position();
        if length > cursor.remaining() as u64 {
            return Err(Malformed::new("CIE/FDE ends past the end of the section", offset));
        }
        let size = id_offset - offset + length as usize;
        if length < 4 {
            return Err(Malformed::new("CIE/FDE too small", offset));
        }
        let kind = match cursor.u32(self.order, "CIE/FDE too small")? as usize {
            0 => RecordKind::Cie,
            distance => RecordKind::Fde {
                cie_offset: id_offset
                    .checked_sub(distance)
                    .filter(|&cie_offset| cie_offset < offset)
                    .ok_or(Malformed::new("invalid CIE pointer", id_offset))?,
            },
        };
        Ok(Record { offset, size, header_size: id_offset + 4 - offset, kind })
    }
}

impl Iterator for EhFrame<'_> {
    type Item = Result<Record, Malformed>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.section.len() {
            return None;
        }
        if let Some(record) = self.short_record() {
            self.next = record.end();
            return Some(Ok(record));
        }
        let record = self.record();
        if self.is_behind && record.is_err() {
            self.next = self.section.len();
            return None;
        }
        self.next = match &record {
            Ok(record) if record.kind == RecordKind::Terminator && self.goes_on => {
                self.is_behind = true;
                record.end()
            }
            Ok(Record { kind: RecordKind::Terminator, .. }) | Err(_) => self.section.len(),
            Ok(record) => record.end(),
        };
        Some(record)
    }
}

/// A pointer in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodedPointer {
    /// `DW_EH_PE_*`: see [`encoding`].
    pub encoding: u8,
    /// Offset in the section.
    pub offset: usize,
}

/// The properties of a CIE and its FDEs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cie {
    /// Version of the CIE: 1 or 3.
    pub version: u8,
    /// Whether the augmentation begins with 'z', so that FDEs carry augmentation data.
    pub has_augmentation_data: bool,
    /// How FDEs write their initial location, and its size for the range ('R').
    pub fde_encoding: u8,
    /// How FDEs write the pointer to their LSDA ('L'); `None` if they have none.
    pub lsda_encoding: Option<u8>,
    /// The personality routine ('P').
    pub personality: Option<EncodedPointer>,
    /// 'S': FDEs describe signal trampolines.
    pub is_signal_frame: bool,
    /// 'B': return addresses are signed with the B key.
    pub has_b_key: bool,
    /// 'G': frames may hold MTE tags.
    pub is_mte_tagged: bool,
}

impl Cie {
    /// Reads the CIE `record` of `section`, whose file has words of `word_size` bytes.
    ///
    /// Fails if `record` is no CIE, on truncation, on versions other than 1 and 3 (the only ones
    /// allowed in `.eh_frame`), and on augmentations whose meaning is unknown: their FDEs could not
    /// be read.
    pub fn parse(section: &[u8], record: &Record, word_size: usize) -> Result<Cie, Malformed> {
        const TRUNCATED: &str = "truncated CIE";
        if record.kind != RecordKind::Cie {
            return Err(Malformed::new("FDE's CIE pointer does not point to a CIE", record.offset));
        }
        let mut cursor = body_of(section, record)?;
        let body = section.get(record.body_offset()..record.end());
        if let Some(cie) = body.and_then(Cie::plain) {
            return Ok(cie);
        }
        let version_offset = cursor.position();
        let version = cursor.u8(TRUNCATED)?;
        if version != 1 && version != 3 {
            return Err(Malformed::new("CIE version is neither 1 nor 3", version_offset));
        }
        let augmentation_offset = cursor.position();
        let augmentation = cursor.c_string("unterminated CIE augmentation string")?;
        // GCC 2: the CIE has a pointer to the function's exception table, and nothing else.
        let letters = match augmentation.strip_prefix(b"eh") {
            Some(letters) => {
                cursor.take(word_size, TRUNCATED)?;
                letters
            }
            None => augmentation,
        };
        cursor.uleb128(TRUNCATED)?; // code alignment factor
        cursor.sleb128(TRUNCATED)?; // data alignment factor
        match version {
            1 => u64::from(cursor.u8(TRUNCATED)?), // return address register
            _ => cursor.uleb128(TRUNCATED)?,
        };
        let mut cie = Cie {
            version,
            has_augmentation_data: letters.first() == Some(&b'z'),
            fde_encoding: encoding::ABSPTR,
            lsda_encoding: None,
            personality: None,
            is_signal_frame: false,
            has_b_key: false,
            is_mte_tagged: false,
        };
        let letters = if cie.has_augmentation_data {
            let len = cursor.uleb128(TRUNCATED)?;
            if len > cursor.remaining() as u64 {
                let what = "CIE augmentation data ends past the end of the CIE";
                return Err(Malformed::new(what, cursor.position()));
            }
            let end = cursor.position() + len as usize;
            cursor = Cursor::starting_at(&section[..end], cursor.position());
            &letters[1..]
        } else {
            letters
        };
        for (index, &letter) in letters.iter().enumerate() {
            cie.augment(letter, &mut cursor, augmentation_offset + index, word_size)?;
        }
        Ok(cie)
    }

    /// Parses the CIE of functions without clean-up code, as compilers write it: "zR", with factors
    /// and register of one byte each.
    #[inline]
    fn plain(body: &[u8]) -> Option<Cie> {
        let [1, b'z', b'R', 0, code, data, _, 1, fde_encoding, ..] = *body else { return None };
        let is_plain = (code | data) & 0x80 == 0
            && fde_encoding != encoding::OMIT
            && encoding::size(fde_encoding, 0).is_some();
        is_plain.then_some(Cie {
            version: 1,
            has_augmentation_data: true,
            fde_encoding,
            lsda_encoding: None,
            personality: None,
            is_signal_frame: false,
            has_b_key: false,
            is_mte_tagged: false,
        })
    }

    fn augment(
        &mut self,
        letter: u8,
        cursor: &mut Cursor<'_>,
        letter_offset: usize,
        word_size: usize,
    ) -> Result<(), Malformed> {
        const TRUNCATED: &str = "truncated CIE augmentation data";
        match letter {
            b'R' => {
                self.fde_encoding = cursor.u8(TRUNCATED)?;
                // An FDE without an initial location, or with one of unknown size, describes
                // nothing.
                if self.fde_encoding == encoding::OMIT
                    || encoding::size(self.fde_encoding, word_size).is_none()
                {
                    return Err(Malformed::new("unknown FDE encoding", cursor.position() - 1));
                }
            }
            b'L' => match cursor.u8(TRUNCATED)? {
                encoding::OMIT => self.lsda_encoding = None,
                lsda => self.lsda_encoding = Some(lsda),
            },
            b'P' => {
                let personality = cursor.u8(TRUNCATED)?;
                if personality == encoding::ALIGNED {
                    let padding = cursor.position().wrapping_neg() & (word_size - 1);
                    cursor.take(padding, TRUNCATED)?;
                }
                let offset = cursor.position();
                let size = encoding::size(personality, word_size)
                    .ok_or(Malformed::new("unknown personality encoding", offset - 1))?;
                cursor.take(size, TRUNCATED)?;
                if personality != encoding::OMIT {
                    self.personality = Some(EncodedPointer { encoding: personality, offset });
                }
            }
            b'S' => self.is_signal_frame = true,
            b'B' => self.has_b_key = true,
            b'G' => self.is_mte_tagged = true,
            _ => return Err(Malformed::new("unknown CIE augmentation", letter_offset)),
        }
        Ok(())
    }
}

/// Makes absolute pointers of the CIE in `record`, and of its FDEs, relative to their places: their
/// encodings say so then. That of the personality routine stays as it is unless `personality`. A
/// CIE without encodings, or one that is damaged, is left alone.
pub fn make_relative(order: ByteOrder, record: &mut [u8], word_size: usize, personality: bool) {
    for at in encodings(order, record, word_size, personality).unwrap_or_default() {
        let encoding = &mut record[at];
        if *encoding != encoding::OMIT && *encoding & encoding::APPLICATION == encoding::ABSPTR {
            *encoding |= encoding::PCREL;
        }
    }
}

/// Offsets of the encodings in a CIE.
fn encodings(
    order: ByteOrder,
    record: &[u8],
    word_size: usize,
    personality: bool,
) -> Option<Vec<usize>> {
    let length: u32 = order.get(record, 0)?;
    let mut cursor = Cursor::starting_at(record, if length == u32::MAX { 20 } else { 8 });
    let version = cursor.u8("").ok()?;
    let letters = cursor.c_string("").ok()?.strip_prefix(b"z")?;
    cursor.uleb128("").ok()?;
    cursor.sleb128("").ok()?;
    match version {
        1 => u64::from(cursor.u8("").ok()?),
        _ => cursor.uleb128("").ok()?,
    };
    cursor.uleb128("").ok()?;
    let mut found = Vec::new();
    for letter in letters {
        let at = cursor.position();
        match letter {
            b'R' | b'L' => {
                cursor.u8("").ok()?;
                found.push(at);
            }
            b'P' => {
                let encoding = cursor.u8("").ok()?;
                cursor.take(encoding::size(encoding, word_size)?, "").ok()?;
                found.extend(personality.then_some(at));
            }
            _ => {}
        }
    }
    Some(found)
}

/// The pointers in an FDE.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fde {
    /// The first address that the FDE describes.
    pub initial_location: EncodedPointer,
    /// Offset in the section of the number of bytes that are described: as wide as the initial
    /// location, and never relative.
    pub address_range_offset: usize,
    /// Pointer to the language-specific data area (LSDA); `None` if the function has none.
    pub lsda: Option<EncodedPointer>,
}

impl Fde {
    /// Reads the FDE `record` of `section`, whose CIE is `cie`.
    pub fn parse(
        section: &[u8],
        record: &Record,
        cie: &Cie,
        word_size: usize,
    ) -> Result<Fde, Malformed> {
        const TRUNCATED: &str = "truncated FDE";
        let mut cursor = body_of(section, record)?;
        let size = encoding::size(cie.fde_encoding, word_size)
            .ok_or(Malformed::new("unknown FDE encoding", record.offset))?;
        let initial_location =
            EncodedPointer { encoding: cie.fde_encoding, offset: cursor.position() };
        cursor.take(size, TRUNCATED)?;
        let address_range_offset = cursor.position();
        cursor.take(size, TRUNCATED)?;
        let mut lsda = None;
        if cie.has_augmentation_data {
            let len = cursor.uleb128(TRUNCATED)?;
            if len > cursor.remaining() as u64 {
                let what = "FDE augmentation data ends past the end of the FDE";
                return Err(Malformed::new(what, cursor.position()));
            }
            let offset = cursor.position();
            // An FDE without an LSDA may omit the pointer altogether.
            lsda = cie
                .lsda_encoding
                .filter(|_| len != 0)
                .map(|e| EncodedPointer { encoding: e, offset });
            if let Some(pointer) = lsda
                && encoding::size(pointer.encoding, word_size).is_some_and(|size| size as u64 > len)
            {
                return Err(Malformed::new(TRUNCATED, offset));
            }
        }
        Ok(Fde { initial_location, address_range_offset, lsda })
    }
}

/// A cursor that begins at the body of `record` and ends with the record.
fn body_of<'a>(section: &'a [u8], record: &Record) -> Result<Cursor<'a>, Malformed> {
    let section = section
        .get(..record.end())
        .ok_or(Malformed::new("CIE/FDE ends past the end of the section", record.offset))?;
    Ok(Cursor::starting_at(section, record.body_offset()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `g++ -O1 -fPIC -c` of a function with a destructor to run and of one without.
    const GXX: [u8; 0x78] = [
        0x1c, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'P', b'L', b'R', 0, 1, 0x78, // 0x00 CIE
        0x10, 7, 0x9b, 0, 0, 0, 0, 0x1b, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0, //
        0x24, 0, 0, 0, 0x24, 0, 0, 0, 0, 0, 0, 0, 0x2f, 0, 0, 0, // 0x20 FDE
        4, 0, 0, 0, 0, 0x41, 0x0e, 0x10, 0x83, 2, 0x44, 0x0e, 0x20, 0x53, 0x0a, 0x0e, //
        0x10, 0x41, 0x0e, 8, 0x41, 0x0b, 0, 0, 0x14, 0, 0, 0, 0, 0, 0, 0, // 0x48 CIE
        1, b'z', b'R', 0, 1, 0x78, 0x10, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0, //
        0x14, 0, 0, 0, 0x1c, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, // 0x60 FDE
        0, 0, 0, 0, 0, 0, 0, 0,
    ];

    fn records(section: &[u8]) -> Result<Vec<Record>, Malformed> {
        EhFrame::new(ByteOrder::Little, section).collect()
    }

    #[test]
    fn splits_what_gxx_writes() {
        let records = records(&GXX).unwrap();
        let found: Vec<_> = records.iter().map(|r| (r.offset, r.size, r.kind)).collect();
        let expected = [
            (0, 0x20, RecordKind::Cie),
            (0x20, 0x28, RecordKind::Fde { cie_offset: 0 }),
            (0x48, 0x18, RecordKind::Cie),
            (0x60, 0x18, RecordKind::Fde { cie_offset: 0x48 }),
        ];
        assert_eq!(found, expected);
        assert_eq!(records[1].body_offset(), 0x28);
    }

    /// The offsets are those of the relocations that g++ wrote for the section.
    #[test]
    fn finds_the_pointers_of_what_gxx_writes() {
        let records = records(&GXX).unwrap();
        let cie = Cie::parse(&GXX, &records[0], 8).unwrap();
        assert_eq!(cie.personality, Some(EncodedPointer { encoding: 0x9b, offset: 0x13 }));
        assert_eq!(cie.lsda_encoding, Some(0x1b));
        assert_eq!(cie.fde_encoding, encoding::PCREL | encoding::SDATA4);
        assert!(!cie.is_signal_frame && !cie.has_b_key && !cie.is_mte_tagged);
        let fde = Fde::parse(&GXX, &records[1], &cie, 8).unwrap();
        assert_eq!(fde.initial_location, EncodedPointer { encoding: 0x1b, offset: 0x28 });
        assert_eq!(fde.address_range_offset, 0x2c);
        assert_eq!(fde.lsda, Some(EncodedPointer { encoding: 0x1b, offset: 0x31 }));

        let cie = Cie::parse(&GXX, &records[2], 8).unwrap();
        assert_eq!((cie.personality, cie.lsda_encoding), (None, None));
        let fde = Fde::parse(&GXX, &records[3], &cie, 8).unwrap();
        assert_eq!((fde.initial_location.offset, fde.lsda), (0x68, None));
        assert!(Cie::parse(&GXX, &records[1], 8).is_err(), "an FDE is not a CIE");
    }

    #[test]
    fn words_are_those_of_the_file() {
        let augmentation = [1, b'z', b'P', b'R', 0, 1, 0x7c, 14, 6, encoding::ABSPTR];
        let mut section = [&[0, 0, 0, 19, 0, 0, 0, 0][..], &augmentation, &[0; 4]].concat();
        section.push(encoding::ABSPTR);
        let fde = [[0, 0, 0, 13], [0, 0, 0, 27], [0, 0, 0x10, 0], [0, 0, 0, 0x20], [0; 4]].concat();
        section.extend(&fde[..17]);
        let records: Vec<Record> =
            EhFrame::new(ByteOrder::Big, &section).collect::<Result<_, _>>().unwrap();
        assert_eq!(records[1].kind, RecordKind::Fde { cie_offset: 0 });
        let cie = Cie::parse(&section, &records[0], 4).unwrap();
        assert_eq!(cie.personality.unwrap().offset, 18);
        let fde = Fde::parse(&section, &records[1], &cie, 4).unwrap();
        let at = fde.initial_location.offset;
        assert_eq!(ByteOrder::Big.get::<u32>(&section, at), Some(0x1000));
        assert_eq!(fde.address_range_offset, at + 4);
    }

    #[test]
    fn a_terminator_ends_the_section() {
        let mut section = GXX[..0x20].to_vec();
        section.extend([0; 4]);
        section.extend(&GXX[..0x20]);
        let records = records(&section).unwrap();
        assert_eq!(records.len(), 2);
        assert_eq!(records[1].kind, RecordKind::Terminator);
        assert_eq!((records[1].offset, records[1].size), (0x20, 4));
    }

    #[test]
    fn an_extended_length_moves_the_body() {
        let mut section = vec![0xff; 4];
        section.extend(0x1cu64.to_le_bytes());
        section.extend(&GXX[4..0x20]);
        let fde_at = section.len();
        section.extend([0xff; 4]);
        section.extend(0x24u64.to_le_bytes());
        section.extend((fde_at as u32 + 12).to_le_bytes());
        section.extend(&GXX[0x28..0x48]);
        let records = records(&section).unwrap();
        assert_eq!((records[0].size, records[0].header_size), (0x28, 16));
        assert_eq!(records[1].kind, RecordKind::Fde { cie_offset: 0 });
        let cie = Cie::parse(&section, &records[0], 8).unwrap();
        assert_eq!(cie.personality.unwrap().offset, 0x13 + 8);
        let fde = Fde::parse(&section, &records[1], &cie, 8).unwrap();
        assert_eq!(fde.initial_location.offset, fde_at + 16);
        assert_eq!(fde.lsda.unwrap().offset, fde_at + 16 + 9);
    }

    #[test]
    fn says_what_is_wrong() {
        let what = |section: &[u8]| records(section).unwrap_err().what;
        assert_eq!(what(&[1, 0]), "CIE/FDE too small");
        assert_eq!(what(&[3, 0, 0, 0, 0, 0, 0]), "CIE/FDE too small");
        assert_eq!(what(&GXX[..0x1f]), "CIE/FDE ends past the end of the section");
        assert_eq!(what(&GXX[0x20..0x48]), "invalid CIE pointer");
        assert_eq!(what(&[0xf0, 0xff, 0xff, 0xff]), "reserved CIE/FDE length");
        assert_eq!(what(&[0xff; 12]), "CIE/FDE ends past the end of the section");
        let cie_what = |at: usize, byte: u8| {
            let mut section = GXX;
            section[at] = byte;
            let record = records(&section).unwrap()[0];
            Cie::parse(&section, &record, 8).unwrap_err().what
        };
        assert_eq!(cie_what(8, 4), "CIE version is neither 1 nor 3");
        assert_eq!(cie_what(10, b'X'), "unknown CIE augmentation");
        assert_eq!(cie_what(0x11, 1), "truncated CIE augmentation data");
        assert_eq!(cie_what(0x11, 0x7f), "CIE augmentation data ends past the end of the CIE");
        assert_eq!(cie_what(0x18, 0xff), "unknown FDE encoding");
        assert_eq!(cie_what(0x12, 0x0f), "unknown personality encoding");
    }

    fn read_all(section: &[u8]) {
        let mut last_cie = None;
        let mut end = 0;
        for record in EhFrame::new(ByteOrder::Little, section) {
            let Ok(record) = record else { return };
            assert_eq!(record.offset, end);
            assert!(record.size >= 4);
            end = record.end();
            match record.kind {
                RecordKind::Cie => last_cie = Cie::parse(section, &record, 8).ok().or(last_cie),
                RecordKind::Fde { cie_offset } => {
                    assert!(cie_offset < record.offset);
                    if let Some(Ok(fde)) = last_cie.map(|cie| Fde::parse(section, &record, &cie, 8))
                    {
                        assert!(fde.address_range_offset < record.end());
                    }
                }
                RecordKind::Terminator => {}
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            read_all(&bytes);
        }

        #[test]
        fn damaged_sections_are_read_or_refused(
            at in 0usize..0x78,
            byte: u8,
            len in 0usize..=0x78,
        ) {
            let mut section = GXX;
            section[at] = byte;
            read_all(&section[..len]);
        }
    }
}
