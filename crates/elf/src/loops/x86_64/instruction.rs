//! Decodes and encodes instructions with one RIP-relative operand.
//!
//! GOT loads, initial-exec loads and TLS descriptor `lea`s all look alike: a prefix, an opcode, a
//! ModRM byte with mod=00 rm=101, and the 32-bit displacement that the relocation points at. Their
//! rewrites change the opcode, and where the memory operand becomes an immediate, the register
//! moves from ModRM.reg to ModRM.rm and its high bits move with it from the R bits of the prefix to
//! the B bits. This file knows the four kinds of prefix (none, REX, REX2, EVEX; Intel SDM volume 2
//! and the Intel APX specification); the rewrites are in `relax.rs` and `tls.rs`.
//!
//! The number of bytes between the start of the instruction and the field comes from the relocation
//! type (`GOTPCRELX` 2, `REX_GOTPCRELX` 3, `CODE_4_…` 4 and so on). Bytes before that belong to
//! another instruction and must not be read.

/// REX.W, and REX2's W bit.
const W: u8 = 0x08;
/// REX.R: high bit of ModRM.reg.
const R: u8 = 0x04;
/// REX.X and REX.B: high bits of index and ModRM.rm.
const XB: u8 = 0x03;
/// The first byte of a REX2 prefix.
const REX2: u8 = 0xd5;
/// The first byte of an EVEX prefix.
const EVEX: u8 = 0x62;
/// The CS segment override, ignored in 64-bit mode: pads a shorter instruction.
const PADDING: u8 = 0x2e;

/// The prefix of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefix {
    /// No prefix that belongs to the encoding.
    None,
    /// REX: `0100 W R X B`.
    Rex(u8),
    /// The byte after `d5`: `M0 R4 X4 B4 W R3 X3 B3`.
    Rex2(u8),
    /// The three bytes after `62`, of opcode map 4: `~R3 ~X3 ~B3 ~R4 B4 100`, `W ~V3..~V0 1 00` and
    /// `000 ND ~V4 NF 00` (the last four bits are a condition in `ccmp` and `ctest`).
    Evex([u8; 3]),
}

/// An opcode with its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opcode {
    /// Of the one-byte map, or of EVEX map 4, which holds the same instructions.
    Base(u8),
    /// `imul reg, r/m`: `0f af`, or `af` in EVEX map 4.
    Imul,
    /// `movrs`: `0f 38 8b`, or `8b` in EVEX map 4. A `mov` with a cache hint.
    Movrs,
}

/// An instruction whose memory operand is `disp32(%rip)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instruction {
    /// Bytes before the field: 2 to 6.
    pub(super) length: u8,
    pub(super) prefix: Prefix,
    pub(super) opcode: Opcode,
    /// ModRM.reg: the register without its high bits, or an opcode extension.
    pub(super) reg: u8,
}

impl Prefix {
    /// Whether the operand size is 64 bits.
    pub(super) const fn is_wide(self) -> bool {
        match self {
            Prefix::None => false,
            Prefix::Rex(rex) | Prefix::Rex2(rex) => rex & W != 0,
            Prefix::Evex([_, p1, _]) => p1 & 0x80 != 0,
        }
    }

    /// Whether EVEX.ND is set: the result goes to the register in the V bits.
    pub(super) const fn has_new_destination(self) -> bool {
        matches!(self, Prefix::Evex([_, _, p2]) if p2 & 0x10 != 0)
    }

    /// The prefix when the register moves from ModRM.reg to ModRM.rm.
    pub(super) const fn moving_reg_to_rm(self) -> Prefix {
        match self.copying_reg_to_rm() {
            Prefix::None => Prefix::None,
            Prefix::Rex(rex) => Prefix::Rex(rex & !R),
            Prefix::Rex2(rex2) => Prefix::Rex2(rex2 & !(R | R << 4)),
            Prefix::Evex([p0, p1, p2]) => Prefix::Evex([p0 | 0x90, p1, p2]),
        }
    }

    /// The prefix when ModRM.reg is copied to ModRM.rm. The X and B bits of the memory form mean
    /// nothing in RIP-relative addressing, so whatever they hold is dropped.
    pub(super) const fn copying_reg_to_rm(self) -> Prefix {
        match self {
            Prefix::None => Prefix::None,
            Prefix::Rex(rex) => Prefix::Rex(rex & !XB | (rex & R) >> 2),
            Prefix::Rex2(rex2) => Prefix::Rex2(rex2 & !(XB | XB << 4) | (rex2 & (R | R << 4)) >> 2),
            Prefix::Evex([p0, p1, p2]) => {
                let b3 = (p0 & 0x80) >> 2;
                let b4 = (!p0 & 0x10) >> 1;
                Prefix::Evex([p0 & !0x28 | b3 | b4, p1, p2])
            }
        }
    }

    /// The REX2 prefix with the same register and operand size as an EVEX prefix; any other prefix
    /// is returned unchanged.
    pub(super) const fn without_evex(self) -> Prefix {
        match self {
            Prefix::Evex([p0, p1, _]) => {
                let r4 = (!p0 & 0x10) << 2;
                let r3 = (!p0 & 0x80) >> 5;
                let w = (p1 & 0x80) >> 4;
                Prefix::Rex2(r4 | w | r3)
            }
            other => other,
        }
    }
}

impl Instruction {
    /// Decodes the instruction that starts `length` bytes before the 32-bit field at `r_offset`.
    /// `None` if it does not lie within the section, its operand is not RIP-relative, or the prefix
    /// is not one that an instruction of this length can have.
    pub(super) fn decode(section: &[u8], r_offset: usize, length: u8) -> Option<Instruction> {
        section.get(r_offset..r_offset.checked_add(4)?)?;
        let bytes = section.get(r_offset.checked_sub(usize::from(length))?..r_offset)?;
        let (prefix, opcode) = match *bytes {
            [opcode, _] => (Prefix::None, Opcode::Base(opcode)),
            [rex @ 0x40..=0x4f, opcode, _] => (Prefix::Rex(rex), Opcode::Base(opcode)),
            [0x0f, 0x38, 0x8b, _] => (Prefix::None, Opcode::Movrs),
            // M0 selects the 0f map, of which only imul matters.
            [REX2, rex2, 0xaf, _] if rex2 & 0x80 != 0 => (Prefix::Rex2(rex2), Opcode::Imul),
            [REX2, rex2, opcode, _] if rex2 & 0x80 == 0 => {
                (Prefix::Rex2(rex2), Opcode::Base(opcode))
            }
            [rex @ 0x40..=0x4f, 0x0f, 0x38, 0x8b, _] => (Prefix::Rex(rex), Opcode::Movrs),
            [EVEX, p0, p1, p2, opcode, _] => decode_evex([p0, p1, p2], opcode)?,
            _ => return None,
        };
        let modrm = *bytes.last()?;
        // mod=00 rm=101: disp32(%rip).
        (modrm & 0xc7 == 0x05).then_some(Instruction {
            length,
            prefix,
            opcode,
            reg: modrm >> 3 & 7,
        })
    }

    /// Writes `prefix`, `opcode` and `modrm` so that they end at `r_offset`, over those of this
    /// instruction, with padding prefixes before them if they are shorter.
    pub(super) fn replace(
        &self,
        section: &mut [u8],
        r_offset: usize,
        prefix: Prefix,
        opcode: u8,
        modrm: u8,
    ) {
        let place = &mut section[r_offset - usize::from(self.length)..r_offset];
        let (head, tail) = place.split_at_mut(place.len() - 2);
        tail.copy_from_slice(&[opcode, modrm]);
        match prefix {
            Prefix::None => end_with(head, &[]),
            Prefix::Rex(rex) => end_with(head, &[rex]),
            Prefix::Rex2(rex2) => end_with(head, &[REX2, rex2]),
            Prefix::Evex([p0, p1, p2]) => end_with(head, &[EVEX, p0, p1, p2]),
        }
    }

    /// Rewrites to `opcode` with the register in ModRM.rm, `extension` in ModRM.reg and the field
    /// as an immediate.
    pub(super) fn replace_with_immediate(
        &self,
        section: &mut [u8],
        r_offset: usize,
        opcode: u8,
        extension: u8,
    ) {
        let modrm = 0xc0 | extension << 3 | self.reg;
        self.replace(section, r_offset, self.prefix.moving_reg_to_rm(), opcode, modrm);
    }

    /// Rewrites to `opcode` with the same register and a RIP-relative operand.
    pub(super) fn replace_keeping_operand(&self, section: &mut [u8], r_offset: usize, opcode: u8) {
        let modrm = self.reg << 3 | 0x05;
        self.replace(section, r_offset, self.prefix, opcode, modrm);
    }

    /// Rewrites a load to `mov $imm32, %reg`.
    pub(super) fn replace_with_mov_immediate(&self, section: &mut [u8], r_offset: usize) {
        self.without_evex().replace_with_immediate(section, r_offset, 0xc7, 0);
    }

    /// The instruction with a prefix that `mov` and `lea` can have: EVEX has neither.
    pub(super) fn without_evex(&self) -> Instruction {
        Instruction { prefix: self.prefix.without_evex(), ..*self }
    }
}

/// The prefix and opcode of an EVEX instruction of map 4 with 32- or 64-bit operands.
fn decode_evex(payload: [u8; 3], opcode: u8) -> Option<(Prefix, Opcode)> {
    let [p0, p1, p2] = payload;
    // Map 4; pp=00 (66 would make the immediate 16 bits); z and the vector length are zero.
    if p0 & 0x07 != 4 || p1 & 0x03 != 0 || p2 & 0xe0 != 0 {
        return None;
    }
    match opcode {
        // movrs takes no new destination, no NF, and no register in the V bits.
        0x8b => (p1 & 0x78 == 0x78 && p2 == 0x08).then_some((Prefix::Evex(payload), Opcode::Movrs)),
        0xaf => Some((Prefix::Evex(payload), Opcode::Imul)),
        _ => Some((Prefix::Evex(payload), Opcode::Base(opcode))),
    }
}

/// Writes padding and then `prefix`, which is at most as long as `place`.
fn end_with(place: &mut [u8], prefix: &[u8]) {
    let (padding, end) = place.split_at_mut(place.len() - prefix.len());
    padding.fill(PADDING);
    end.copy_from_slice(prefix);
}
