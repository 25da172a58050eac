//! Instructions that linking rewrites, and the bits that hold values in others ("z/Architecture
//! Principles of Operation", "Instruction Formats"; s390x psABI, "Thread-Local Storage").

use crate::machine::s390x::howto::{Field, field};
use skald_core::field as bytes;

/// `brasl %r14,...` up to its distance.
const BRASL_R14: u16 = 0xc0e5;
/// `brcl 0,.`, which branches never.
const NOP_6: [u8; 6] = [0xc0, 0x04, 0, 0, 0, 0];
/// `lg %r2,0(%r2,%r12)`.
const LOAD_FROM_GOT: [u8; 6] = [0xe3, 0x22, 0xc0, 0, 0, 0x04];
/// The register with the address of the GOT.
const GOT_REGISTER: u8 = 12;

/// What becomes of a marked call of `__tls_get_offset`, whose argument becomes the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// A load of the offset, which the loader puts into the GOT.
    Load,
    /// Nothing: the argument is the offset.
    Nothing,
}

impl Call {
    /// The instruction that replaces the call.
    pub const fn code(self) -> [u8; 6] {
        match self {
            Call::Load => LOAD_FROM_GOT,
            Call::Nothing => NOP_6,
        }
    }
}

/// The six bytes at `at`.
fn six(code: &[u8], at: usize) -> Option<[u8; 6]> {
    code.get(at..)?.first_chunk().copied()
}

/// Whether the instruction at `at` is a call that keeps its return address where it belongs.
pub fn is_call(code: &[u8], at: usize) -> bool {
    six(code, at).is_some_and(|[a, b, ..]| u16::from_be_bytes([a, b]) == BRASL_R14)
}

/// Whether the field at `at` is that of LARL, which takes an address.
pub fn takes_address(code: &[u8], at: usize) -> bool {
    let start = at.checked_sub(2).and_then(|start| code.get(start..at));
    matches!(start, Some([0xc0, second]) if second & 0xf == 0)
}

/// What a load of a thread-local offset from the GOT becomes if its address register already has
/// the offset: `lg %rX,0(%rY)` becomes `sllg %rX,%rY,0`. The GOT register may be in the sum.
pub fn without_load(code: &[u8], at: usize) -> Option<[u8; 6]> {
    let [0xe3, registers, base, 0, 0, 0x04] = six(code, at)? else { return None };
    let (result, index, base, displacement) =
        (registers >> 4, registers & 0xf, base >> 4, base & 0xf);
    let register = match (index, base) {
        _ if displacement != 0 => return None,
        (register, 0 | GOT_REGISTER) => register,
        (0 | GOT_REGISTER, register) => register,
        _ => return None,
    };
    Some([0xeb, result << 4 | register, 0, 0, 0, 0x0d])
}

/// What LGRL becomes whose field is at `at`, if the address is known that it loads: LARL.
pub fn without_got(code: &[u8], at: usize) -> Option<[u8; 2]> {
    let [first, second] = *code.get(at.checked_sub(2)?..)?.first_chunk()?;
    // The distance counts from the instruction.
    code.get(at..at.checked_add(4)?)?;
    (first == 0xc4 && second & 0xf == 0x8).then_some([0xc0, second & 0xf0])
}

/// Puts a value of type `r_type` into the field of `size` bytes at `at`; `false`, with nothing
/// written, if the field is not all there.
#[inline(always)]
pub fn put(out: &mut [u8], at: usize, r_type: u32, size: usize, value: u64) -> bool {
    let half = (value as i64 >> 1) as u64;
    match field(r_type) {
        Field::None => true,
        Field::Half if size == 4 => bytes::store(out, at, (half as u32).to_be_bytes()),
        Field::Half => put_low(out, at, size, half),
        Field::Whole => put_low(out, at, size, value),
        Field::Low12 => put_12(out, at, value),
        Field::HalfLow12 => put_12(out, at, half),
        Field::Long => bytes::update(out, at, |word| {
            let others = u32::from_be_bytes(word) & 0xf000_00ff;
            let value = value as u32;
            (others | (value & 0xfff) << 16 | (value >> 12 & 0xff) << 8).to_be_bytes()
        }),
    }
}

fn put_12(out: &mut [u8], at: usize, value: u64) -> bool {
    bytes::update(out, at, |word| {
        (u16::from_be_bytes(word) & 0xf000 | value as u16 & 0xfff).to_be_bytes()
    })
}

fn put_low(out: &mut [u8], at: usize, size: usize, value: u64) -> bool {
    let field = at.checked_add(size).and_then(|end| out.get_mut(at..end));
    field.map(|field| field.copy_from_slice(&value.to_be_bytes()[8 - size..])).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::s390x::howto::{R_390_PC12DBL, R_390_PC24DBL, howto};
    use object::elf::*;

    fn written(r_type: u32, value: i64) -> Vec<u8> {
        let mut out = vec![0xff; 10];
        let size = howto(r_type).unwrap().size;
        assert!(put(&mut out, 1, r_type, size.into(), value as u64));
        assert!(!put(&mut out, 10, r_type, size.into(), value as u64));
        assert_eq!((out[0], out[9]), (0xff, 0xff));
        out[1..9].to_vec()
    }

    #[test]
    fn fields_leave_other_bits() {
        assert_eq!(written(R_390_12, 0x5678)[..3], [0xf6, 0x78, 0xff]);
        // bprp 0,.+0xa,.+6, whose masks and distances share bytes.
        assert_eq!(written(R_390_PC12DBL, -2)[..3], [0xff, 0xff, 0xff]);
        assert_eq!(written(R_390_PC12DBL, 10)[..3], [0xf0, 0x05, 0xff]);
        assert_eq!(written(R_390_PC24DBL, 6)[..4], [0, 0, 3, 0xff]);
        // ly %r1,-0x4322(%r2)
        assert_eq!(written(R_390_20, -0x4322)[..5], [0xfc, 0xde, 0xfb, 0xff, 0xff]);
        assert_eq!(written(R_390_PC16DBL, -4)[..3], [0xff, 0xfe, 0xff]);
        assert_eq!(written(R_390_PC32DBL, 0x1_2345_6788)[..5], [0x91, 0xa2, 0xb3, 0xc4, 0xff]);
        assert_eq!(written(R_390_8, 0x17)[..2], [0x17, 0xff]);
        assert_eq!(written(R_390_64, 0x0102_0304_0506_0708), [1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn loads_of_offsets_become_moves() {
        let moved = Some([0xeb, 0x56, 0, 0, 0, 0x0d]);
        // lg %r5,0(%r6) with either register, and with %r12.
        assert_eq!(without_load(&[0xe3, 0x56, 0, 0, 0, 4], 0), moved);
        assert_eq!(without_load(&[0xe3, 0x50, 0x60, 0, 0, 4], 0), moved);
        assert_eq!(without_load(&[0xe3, 0x56, 0xc0, 0, 0, 4], 0), moved);
        assert_eq!(without_load(&[0, 0xe3, 0x5c, 0x60, 0, 0, 4], 1), moved);
        // Another sum, a displacement, another instruction, no whole one.
        assert_eq!(without_load(&[0xe3, 0x56, 0x70, 0, 0, 4], 0), None);
        assert_eq!(without_load(&[0xe3, 0x56, 0x08, 0, 0, 4], 0), None);
        assert_eq!(without_load(&[0xe3, 0x56, 0, 8, 0, 4], 0), None);
        assert_eq!(without_load(&[0xe3, 0x56, 0, 0, 0, 0x14], 0), None);
        assert_eq!(without_load(&[0xe3, 0x56, 0, 0, 0], 0), None);
    }

    #[test]
    fn loads_from_the_got_become_addresses() {
        assert_eq!(without_got(&[0xc4, 0x38, 0, 0, 0, 0], 2), Some([0xc0, 0x30]));
        // larl, which takes the address of the word, and a shorter load.
        assert_eq!(without_got(&[0xc0, 0x30, 0, 0, 0, 0], 2), None);
        assert_eq!(without_got(&[0xc4, 0x3d, 0, 0, 0, 0], 2), None);
        assert_eq!(without_got(&[0xc4, 0x38, 0, 0, 0], 2), None);
        assert_eq!(without_got(&[0xc4, 0x38], 1), None);
    }

    #[test]
    fn calls_have_their_return_register() {
        assert!(is_call(&[0xc0, 0xe5, 1, 2, 3, 4], 0));
        assert!(!is_call(&[0xc0, 0xd5, 1, 2, 3, 4], 0));
        assert!(!is_call(&[0xc0, 0xe5, 1, 2, 3], 0));
        assert!(!takes_address(&[0xc0, 0xe5, 1, 2, 3, 4], 2));
        assert!(takes_address(&[0, 0xc0, 0xe0, 1, 2, 3, 4], 3));
        assert!(!takes_address(&[0xc0], 1));
    }
}
