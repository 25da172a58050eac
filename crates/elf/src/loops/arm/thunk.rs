//! Thunks: code through which a branch reaches a distant function, or one of the other kind ("ELF
//! for the Arm Architecture", "Call and Jump relocations"), and the code that calls a descriptor.
//!
//! The ABI leaves `ip` to the code between a caller and a function. A thunk begins with code of its
//! caller's kind. What it has depends on the processor: MOVW and MOVT load an address without data;
//! BX changes to Thumb, and a load of the program counter does so from version 5 on. Version 6-M
//! has nothing that reaches `ip` but a register that it has to save. Where the loader chooses
//! addresses, a thunk adds a distance.

use super::branch::{self, Goal, Kind};
use crate::format::elf::Rela;
use crate::layout::islands::{Thunk, ThunkKind};
use crate::loops::operands::Operands;
use crate::loops::thunks::{Branch, CodeMarks, FarBranch, Reach, Thunks};
use crate::machine::arm::code_addend::{self, put, read};
use crate::machine::arm::howto::*;
use crate::machine::arm::processor::{HAS_BLX, HAS_MOVES, IS_THUMB_ONLY};
use crate::synth::image::Image;
use crate::synth::patch::Patch;
use crate::synth::values::{self, Value};
use skald_linking::byte_order::ByteOrder;

/// Thunks for branches.
pub static THUNKS: Thunks = Thunks {
    kinds: &KINDS,
    // Code of the other kind may be near.
    span: 0,
    leads_to_data: true,
    // Conditional branches of Thumb reach 1 MiB.
    spacing: 1 << 18,
    find,
    thunk_for,
    second: |_| None,
    write,
    marks: Some(&MARKS),
};

/// From A32: `ldr pc, [pc, #-4]` and a word.
const LOAD: u8 = 0;
/// From A32: `ldr ip; bx ip` and a word.
const LOAD_BX: u8 = 1;
/// From A32: `ldr ip; add ip, pc; bx ip` and a distance.
const RELATIVE: u8 = 2;
/// From A32: `movw; movt; bx ip`.
const MOVES: u8 = 3;
/// From A32: `movw; movt; add ip, pc; bx ip`.
const RELATIVE_MOVES: u8 = 4;
/// From Thumb: `bx pc` and [`LOAD_BX`].
const THUMB_LOAD: u8 = 5;
/// From Thumb: `bx pc` and [`RELATIVE`].
const THUMB_RELATIVE: u8 = 6;
/// From Thumb: `movw; movt; bx ip`.
const THUMB_MOVES: u8 = 7;
/// From Thumb: `movw; movt; add ip, pc; bx ip`.
const THUMB_RELATIVE_MOVES: u8 = 8;
/// From Thumb, 6-M: through the stack, and a word.
const SMALL_LOAD: u8 = 9;
/// From Thumb, 6-M: `add pc, ip`, and a distance.
const SMALL_RELATIVE: u8 = 10;
/// From Thumb, 6-M: through the stack, byte by byte.
const SMALL_PURE: u8 = 11;
/// From Thumb, 6-M: the same with a distance.
const SMALL_PURE_RELATIVE: u8 = 12;
/// `add r0, lr, r0; ldr r1, [r0, #4]; bx r1`: calls the function of a descriptor.
const TRAMPOLINE: u8 = 13;

const fn kind(size: u64) -> ThunkKind {
    ThunkKind { size, align: 4 }
}

static KINDS: [ThunkKind; 14] = [
    kind(8),
    kind(12),
    kind(16),
    kind(12),
    kind(16),
    kind(16),
    kind(20),
    kind(12),
    kind(12),
    kind(12),
    kind(16),
    kind(20),
    kind(24),
    kind(12),
];

const fn a32(data: u64) -> CodeMarks {
    CodeMarks { code: "$a", bit: 0, second: None, data }
}

const fn thumb(data: u64) -> CodeMarks {
    CodeMarks { code: "$t", bit: 1, second: None, data }
}

/// Thumb of four bytes, and then A32.
const fn both(data: u64) -> CodeMarks {
    CodeMarks { code: "$t", bit: 1, second: Some((4, "$a")), data }
}

static MARKS: [CodeMarks; 14] = [
    a32(4),
    a32(4),
    a32(4),
    a32(0),
    a32(0),
    both(4),
    both(4),
    thumb(0),
    thumb(0),
    thumb(4),
    thumb(4),
    thumb(0),
    thumb(0),
    a32(0),
];

/// The call of a descriptor's code: BL, or BLX from Thumb.
pub fn trampoline_call(r_type: u32) -> Kind {
    let stand_in = if r_type == R_ARM_THM_TLS_CALL { R_ARM_THM_CALL } else { R_ARM_CALL };
    Kind::of(stand_in, 0xeb00_0000, !0).expect("both are calls")
}

fn find(image: &Image<'_>, patch: &Patch<'_>, _: &mut Vec<u8>, found: &mut Vec<FarBranch>) {
    let object = patch.section.object;
    let values = image.values_of(object);
    for reloc in patch.relocs {
        let r_type = reloc.r_type();
        let place = patch.address.wrapping_add(reloc.r_offset());
        let mut add = |reach: &'static Reach, destination: u64| {
            let branch = Branch { object, reloc: *reloc, place, reach };
            found.push(FarBranch { branch, destination });
        };
        if matches!(r_type, R_ARM_TLS_CALL | R_ARM_THM_TLS_CALL) {
            if needs_trampoline(image, patch, reloc) {
                add(trampoline_call(r_type).reach, 0);
            }
            continue;
        }
        let Some((kind, goal)) = leads(image, patch, reloc, values.get(reloc.symbol()).copied())
        else {
            continue;
        };
        if !kind.leads_to(place, goal) {
            add(kind.reach, goal.with_bit());
        }
    }
}

/// What kind of branch a relocation is for, and where it leads.
fn leads(
    image: &Image<'_>,
    patch: &Patch<'_>,
    reloc: &Rela,
    value: Option<u64>,
) -> Option<(Kind, Goal)> {
    let r_type = reloc.r_type();
    // Most relocations are for no branch: the instruction is not looked at.
    Kind::of(r_type, 0, 0)?;
    let at = usize::try_from(reloc.r_offset()).ok()?;
    let word = read(image.machine.byte_order, field(r_type)?, patch.original, at)?;
    let kind = Kind::of(r_type, word, image.described.processor)?;
    let target = match values::decode(value?) {
        Value::Plain(s) => branch::Target::Here(s),
        Value::Called(_) | Value::Indirect => branch::Target::Indirect,
        Value::Merged(section) => {
            let sum = image.place_in(section, reloc.r_addend() as u64)?;
            branch::Target::Here(sum.wrapping_sub(reloc.r_addend() as u64))
        }
        Value::Dead => return None,
    };
    Some((kind, branch::goal(Operands { image, patch }, reloc, kind, target)?))
}

fn needs_trampoline(image: &Image<'_>, patch: &Patch<'_>, reloc: &Rela) -> bool {
    use crate::loops::tls_model::{TlsModel, tls_model};
    let operands = Operands { image, patch };
    let view = operands.view(reloc);
    tls_model(image.shape, operands.relaxes_tls(), view) == TlsModel::Dynamic
}

fn thunk_for(image: &Image<'_>, position: u32, branch: &Branch, destination: u64) -> Thunk {
    let r_type = branch.reloc.r_type();
    if matches!(r_type, R_ARM_TLS_CALL | R_ARM_THM_TLS_CALL) {
        return Thunk::to(TRAMPOLINE, 0);
    }
    let from_thumb = field(r_type).is_some_and(Field::is_thumb);
    let form = Form {
        features: image.described.processor,
        from_thumb,
        to_thumb: destination & 1 != 0,
        is_pic: image.shape.is_pic || image.pic_thunks,
        is_pure: image.is_pure_code(position),
    };
    Thunk::to(form.kind(), destination)
}

/// What decides about the code of a thunk.
#[derive(Debug, Clone, Copy)]
struct Form {
    features: u32,
    from_thumb: bool,
    to_thumb: bool,
    is_pic: bool,
    is_pure: bool,
}

impl Form {
    fn kind(self) -> u8 {
        let has = |feature: u32| self.features & feature != 0;
        let moves = has(HAS_MOVES);
        match (self.from_thumb, self.is_pic) {
            (false, false) if self.is_pure && moves => MOVES,
            // BX is not in version 4; a load of the counter does not change to Thumb there.
            (false, false) if has(HAS_BLX) || !self.to_thumb => LOAD,
            (false, false) => LOAD_BX,
            (false, true) if self.is_pure && moves => RELATIVE_MOVES,
            (false, true) => RELATIVE,
            (true, false) if moves => THUMB_MOVES,
            (true, true) if moves => THUMB_RELATIVE_MOVES,
            (true, false) if has(IS_THUMB_ONLY) && self.is_pure => SMALL_PURE,
            (true, true) if has(IS_THUMB_ONLY) && self.is_pure => SMALL_PURE_RELATIVE,
            (true, false) if has(IS_THUMB_ONLY) => SMALL_LOAD,
            (true, true) if has(IS_THUMB_ONLY) => SMALL_RELATIVE,
            (true, false) => THUMB_LOAD,
            (true, true) => THUMB_RELATIVE,
        }
    }
}

/// A piece of code.
enum Piece {
    /// An instruction of A32.
    A32(u32),
    /// One of Thumb, of two bytes.
    Half(u32),
    /// One of Thumb, of four bytes.
    Wide(u32),
    /// Data.
    Word(u64),
}

use Piece::{A32, Half, Wide, Word};

fn write(image: &Image<'_>, thunk: Thunk, address: u64, out: &mut [u8]) {
    let data_order = image.machine.byte_order;
    let code_order = if image.turn_code.is_some() { ByteOrder::Little } else { data_order };
    let mut at = 0;
    for piece in code(thunk.kind, address, thunk.destination) {
        let (order, field, word) = match piece {
            A32(word) => (code_order, Field::Load, word),
            Half(word) => (code_order, Field::ThumbByte, word),
            Wide(word) => (code_order, Field::ThumbLoad, word),
            Word(word) => (data_order, Field::Data, word as u32),
        };
        code_addend::write(order, field, out, at, word);
        at += usize::from(field.size());
    }
    // A no-op of two bytes fills what is left.
    if let Some(rest) = out.get_mut(at..).filter(|rest| rest.len() == 2) {
        code_order.put_low(rest, 0x46c0);
    }
}

fn code(kind: u8, address: u64, destination: u64) -> Vec<Piece> {
    let from = |counter: u64| destination.wrapping_sub(address.wrapping_add(counter));
    let moves = |field: Field, value: u64| {
        let [low, high] = match field {
            // movw ip, movt ip
            Field::Move => [0xe300_c000, 0xe340_c000],
            _ => [0xf240_0c00, 0xf2c0_0c00],
        };
        [put(field, low, value as i64), put(field, high, (value >> 16) as i64)]
    };
    // bx pc, and a no-op: what follows is A32.
    let change = || [Half(0x4778), Half(0x46c0)];
    match kind {
        LOAD => vec![A32(0xe51f_f004), Word(destination)],
        LOAD_BX => vec![A32(0xe59f_c000), A32(0xe12f_ff1c), Word(destination)],
        RELATIVE => {
            // ldr ip, [pc, #4]; add ip, pc, ip; bx ip
            vec![A32(0xe59f_c004), A32(0xe08f_c00c), A32(0xe12f_ff1c), Word(from(12))]
        }
        MOVES => {
            let [low, high] = moves(Field::Move, destination);
            vec![A32(low), A32(high), A32(0xe12f_ff1c)]
        }
        RELATIVE_MOVES => {
            let [low, high] = moves(Field::Move, from(16));
            vec![A32(low), A32(high), A32(0xe08c_c00f), A32(0xe12f_ff1c)]
        }
        THUMB_LOAD => {
            let rest = [A32(0xe59f_c000), A32(0xe12f_ff1c), Word(destination)];
            change().into_iter().chain(rest).collect()
        }
        THUMB_RELATIVE => {
            let rest = [A32(0xe59f_c004), A32(0xe08f_c00c), A32(0xe12f_ff1c), Word(from(16))];
            change().into_iter().chain(rest).collect()
        }
        THUMB_MOVES => {
            let [low, high] = moves(Field::ThumbMove, destination);
            vec![Wide(low), Wide(high), Half(0x4760)]
        }
        THUMB_RELATIVE_MOVES => {
            let [low, high] = moves(Field::ThumbMove, from(12));
            // add ip, pc; bx ip
            vec![Wide(low), Wide(high), Half(0x44fc), Half(0x4760)]
        }
        SMALL_LOAD..=SMALL_PURE_RELATIVE => small(kind, destination, from),
        // add r0, lr, r0; ldr r1, [r0, #4]; bx r1
        _ => vec![A32(0xe08e_0000), A32(0xe590_1004), A32(0xe12f_ff11)],
    }
}

/// The code for version 6-M. `from` gives the distance from so many bytes behind the start.
fn small(kind: u8, destination: u64, from: impl Fn(u64) -> u64) -> Vec<Piece> {
    match kind {
        SMALL_LOAD => vec![
            Half(0xb403), // push {r0, r1}
            Half(0x4801), // ldr r0, [pc, #4]
            Half(0x9001), // str r0, [sp, #4]
            Half(0xbd01), // pop {r0, pc}
            Word(destination | 1),
        ],
        SMALL_RELATIVE => vec![
            Half(0xb401), // push {r0}
            Half(0x4802), // ldr r0, [pc, #8]
            Half(0x4684), // mov ip, r0
            Half(0xbc01), // pop {r0}
            Half(0x44e7), // add pc, ip
            Half(0x46c0), // a no-op
            Word(from(12)),
        ],
        SMALL_PURE => {
            let mut code = bytes(destination | 1);
            code.extend([Half(0x9001), Half(0xbd01)]);
            code
        }
        _ => {
            // add r0, pc, whose counter is 20 behind the start
            let mut code = bytes(from(20) | 1);
            code.extend([Half(0x4478), Half(0x9001), Half(0xbd01)]);
            code
        }
    }
}

/// `push {r0, r1}`, and a number in `r0`, byte by byte.
fn bytes(number: u64) -> Vec<Piece> {
    let byte = |shift: u32| (number >> shift & 0xff) as u32;
    let mut code = vec![Half(0xb403), Half(0x2000 | byte(24))];
    for shift in [16, 8, 0] {
        // lsls r0, r0, #8; adds r0, #byte
        code.extend([Half(0x0200), Half(0x3000 | byte(shift))]);
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::arm::processor::Architecture;

    fn size(kind: u8) -> u64 {
        let of = |piece: &Piece| match piece {
            Half(_) => 2,
            _ => 4,
        };
        let bytes: u64 = code(kind, 0x1000, 0x2001).iter().map(of).sum();
        bytes.next_multiple_of(4)
    }

    #[test]
    fn kinds_have_the_size_of_their_code() {
        for (at, kind) in (0..).zip(&KINDS) {
            assert_eq!(size(at), kind.size, "{at}");
        }
    }

    #[test]
    fn processors_get_what_they_can_do() {
        let of = |number, profile, from_thumb, to_thumb, is_pic, is_pure| {
            let features = Architecture { number, profile }.features();
            Form { features, from_thumb, to_thumb, is_pic, is_pure }.kind()
        };
        // Version 4T: BX for Thumb.
        assert_eq!(of(2, 0, false, true, false, false), LOAD_BX);
        assert_eq!(of(2, 0, false, false, false, false), LOAD);
        assert_eq!(of(2, 0, true, false, false, false), THUMB_LOAD);
        assert_eq!(of(2, 0, true, false, true, false), THUMB_RELATIVE);
        assert_eq!(of(3, 0, false, true, false, false), LOAD);
        // Version 7-A.
        assert_eq!(of(10, b'A', true, false, false, false), THUMB_MOVES);
        assert_eq!(of(10, b'A', true, false, true, false), THUMB_RELATIVE_MOVES);
        assert_eq!(of(10, b'A', false, true, false, true), MOVES);
        assert_eq!(of(10, b'A', false, true, true, false), RELATIVE);
        // Versions 6-M and 8-M.
        assert_eq!(of(11, b'M', true, true, false, false), SMALL_LOAD);
        assert_eq!(of(11, b'M', true, true, true, false), SMALL_RELATIVE);
        assert_eq!(of(11, b'M', true, true, false, true), SMALL_PURE);
        assert_eq!(of(11, b'M', true, true, true, true), SMALL_PURE_RELATIVE);
        assert_eq!(of(16, b'M', true, true, false, true), THUMB_MOVES);
    }

    #[test]
    fn bytes_make_a_number() {
        let halves = |code: Vec<Piece>| -> Vec<u32> {
            let half = |piece: Piece| match piece {
                Half(half) => half,
                _ => panic!("all have two bytes"),
            };
            code.into_iter().map(half).collect()
        };
        let code = halves(bytes(0x1234_5678));
        assert_eq!(code, [0xb403, 0x2012, 0x0200, 0x3034, 0x0200, 0x3056, 0x0200, 0x3078]);
    }
}
