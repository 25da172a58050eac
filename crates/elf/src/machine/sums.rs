//! Relocations that change a number which data holds: distances in code that shrinks are written as
//! sums of two or three of them (RISC-V, LoongArch).

use skald_linking::byte_order::ByteOrder;

/// What a relocation type does to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The value takes its place.
    Set,
    /// The value is added.
    Add,
    /// The value is subtracted.
    Subtract,
}

/// The form of the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// The lowest 6 bits of a byte, of which the others stay.
    Bits6,
    /// This many bytes.
    Bytes(u8),
    /// ULEB128 (DWARF 5, 7.6) of as many bytes as there are.
    Uleb,
}

/// One part of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SumPart {
    /// What is done.
    pub step: Step,
    /// To which number.
    pub width: Width,
}

impl SumPart {
    /// Changes the number at `at` of `data` by `value`; `None`, with nothing written, if it does
    /// not lie inside.
    pub fn apply(self, order: ByteOrder, data: &mut [u8], at: usize, value: u64) -> Option<()> {
        let with = |before: u64| match self.step {
            Step::Set => value,
            Step::Add => before.wrapping_add(value),
            Step::Subtract => before.wrapping_sub(value),
        };
        match self.width {
            Width::Bits6 => {
                let byte = data.get_mut(at)?;
                *byte = *byte & 0xc0 | with(u64::from(*byte)) as u8 & 0x3f;
            }
            Width::Bytes(size) => {
                let field = data.get_mut(at..at.checked_add(size.into())?)?;
                let new = with(order.unsigned(field));
                order.put_low(field, new);
            }
            Width::Uleb => put_uleb(data.get_mut(at..)?, with)?,
        }
        Some(())
    }
}

/// Replaces a number of ULEB128, which keeps its length. The first part of a sum may leave a number
/// that does not fit; its lowest bits are what the next one needs.
fn put_uleb(data: &mut [u8], with: impl FnOnce(u64) -> u64) -> Option<()> {
    let last = data.iter().position(|byte| byte & 0x80 == 0)?;
    let bytes = &mut data[..=last];
    let part = |byte: u8, index: usize| u64::from(byte & 0x7f).checked_shl(7 * index as u32);
    let parts = bytes.iter().enumerate().map(|(index, &byte)| part(byte, index).unwrap_or(0));
    let new = with(parts.fold(0, |number, part| number | part));
    for (index, byte) in bytes.iter_mut().enumerate() {
        let part = new.checked_shr(7 * index as u32).unwrap_or(0) as u8 & 0x7f;
        *byte = if index == last { part } else { part | 0x80 };
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(step: Step, width: Width) -> SumPart {
        SumPart { step, width }
    }

    #[test]
    fn numbers_of_bytes_have_the_order_of_the_file() {
        let mut data = [0, 1, 0xff, 0];
        let half = Width::Bytes(2);
        assert_eq!(part(Step::Add, half).apply(ByteOrder::Big, &mut data, 1, 2), Some(()));
        assert_eq!(data, [0, 2, 1, 0]);
        let subtract = part(Step::Subtract, half);
        assert_eq!(subtract.apply(ByteOrder::Little, &mut data, 1, 0x103), Some(()));
        assert_eq!(data, [0, 0xff, 0xff, 0]);
        assert_eq!(subtract.apply(ByteOrder::Little, &mut data, 3, 1), None);
    }

    #[test]
    fn six_bits_leave_the_others() {
        let mut data = [0x45];
        part(Step::Set, Width::Bits6).apply(ByteOrder::Little, &mut data, 0, 0xff);
        part(Step::Subtract, Width::Bits6).apply(ByteOrder::Little, &mut data, 0, 0x3e);
        assert_eq!(data, [0x41]);
    }

    #[test]
    fn uleb_keeps_its_length() {
        let mut data = [0x80, 0x80, 0];
        let set = part(Step::Set, Width::Uleb);
        let subtract = part(Step::Subtract, Width::Uleb);
        assert_eq!(set.apply(ByteOrder::Little, &mut data, 0, 0x1_2345_6789), Some(()));
        assert_eq!(subtract.apply(ByteOrder::Little, &mut data, 0, 0x1_2345_6780), Some(()));
        assert_eq!(data, [0x89, 0x80, 0]);
        assert_eq!(set.apply(ByteOrder::Little, &mut data[..2], 0, 1), None);
        let mut long = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0];
        assert_eq!(set.apply(ByteOrder::Little, &mut long, 0, u64::MAX), Some(()));
        assert_eq!(long[9..], [0x81, 0]);
    }
}
