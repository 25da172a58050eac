//! Byte orders of files, and numbers of all widths read and written in one.
//!
//! The order of a file is known only at run time, so every access tests it. In a loop the test has
//! the same result each time, and the compiler hoists it or the processor predicts it.

/// The order of the bytes of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum ByteOrder {
    /// The lowest byte comes first.
    #[default]
    Little,
    /// The highest byte comes first.
    Big,
}

/// A number of a fixed width.
pub trait Number: Copy {
    /// The bytes that hold it.
    type Bytes: AsRef<[u8]> + for<'a> TryFrom<&'a [u8]> + IntoIterator<Item = u8>;
    /// Bytes of the number.
    const SIZE: usize = size_of::<Self::Bytes>();

    /// The bytes of the number, in `order`.
    fn to_bytes(self, order: ByteOrder) -> Self::Bytes;

    /// The number that `bytes` hold in `order`.
    fn from_bytes(bytes: Self::Bytes, order: ByteOrder) -> Self;
}

macro_rules! number {
    ($($number:ty),*) => {
        $(impl Number for $number {
            type Bytes = [u8; size_of::<$number>()];

            #[inline(always)]
            fn to_bytes(self, order: ByteOrder) -> Self::Bytes {
                if order == ByteOrder::Little { self.to_le_bytes() } else { self.to_be_bytes() }
            }

            #[inline(always)]
            fn from_bytes(bytes: Self::Bytes, order: ByteOrder) -> $number {
                if order == ByteOrder::Little {
                    <$number>::from_le_bytes(bytes)
                } else {
                    <$number>::from_be_bytes(bytes)
                }
            }
        })*
    };
}

number!(u8, u16, u32, u64, i8, i16, i32, i64);

impl ByteOrder {
    /// The bytes of `number`.
    #[inline(always)]
    pub fn bytes<N: Number>(self, number: N) -> N::Bytes {
        number.to_bytes(self)
    }

    /// The number that `bytes` hold.
    #[inline(always)]
    pub fn number<N: Number>(self, bytes: N::Bytes) -> N {
        N::from_bytes(bytes, self)
    }

    /// The number at byte `at` of `bytes`; `None` if it does not lie inside them.
    #[inline(always)]
    pub fn get<N: Number>(self, bytes: &[u8], at: usize) -> Option<N> {
        let field = bytes.get(at..at.checked_add(N::SIZE)?)?;
        Some(N::from_bytes(field.try_into().ok()?, self))
    }

    /// Writes `number` at byte `at` of `out`, where it must lie inside.
    #[inline(always)]
    pub fn put<N: Number>(self, out: &mut [u8], at: usize, number: N) {
        out[at..at + N::SIZE].copy_from_slice(number.to_bytes(self).as_ref());
    }

    /// The two words of 4 bytes that make up a number of 8 bytes, in the order of the file.
    #[inline]
    pub fn halves(self, number: u64) -> [u32; 2] {
        let (low, high) = (number as u32, (number >> 32) as u32);
        if self == ByteOrder::Little { [low, high] } else { [high, low] }
    }

    /// Fills `field`, of at most 8 bytes, with the low bytes of `number`.
    #[inline]
    pub fn put_low(self, field: &mut [u8], number: u64) {
        let width = field.len();
        if self == ByteOrder::Little {
            field.copy_from_slice(&number.to_le_bytes()[..width]);
        } else {
            field.copy_from_slice(&number.to_be_bytes()[8 - width..]);
        }
    }

    /// The unsigned number that fills `field`, which has at most 8 bytes.
    #[inline]
    pub fn unsigned(self, field: &[u8]) -> u64 {
        let mut bytes = [0; 8];
        let width = field.len();
        if self == ByteOrder::Little {
            bytes[..width].copy_from_slice(field);
            u64::from_le_bytes(bytes)
        } else {
            bytes[8 - width..].copy_from_slice(field);
            u64::from_be_bytes(bytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ByteOrder::{Big, Little};

    #[test]
    fn numbers_in_both_orders() {
        assert_eq!(Little.bytes(0x1234_u16), [0x34, 0x12]);
        assert_eq!(Big.bytes(0x1234_u16), [0x12, 0x34]);
        assert_eq!(Little.bytes(-2_i32), [0xfe, 0xff, 0xff, 0xff]);
        assert_eq!(Big.bytes(-2_i32), [0xff, 0xff, 0xff, 0xfe]);
        for order in [Little, Big] {
            assert_eq!(order.number::<u8>(order.bytes(7_u8)), 7);
            assert_eq!(order.number::<i16>(order.bytes(-7_i16)), -7);
            assert_eq!(order.number::<u64>(order.bytes(7_u64 << 40)), 7 << 40);
        }
    }

    #[test]
    fn halves_make_the_number() {
        for order in [Little, Big] {
            let halves = order.halves(0x1122_3344_5566_7788).map(|half| order.bytes(half));
            assert_eq!(halves.as_flattened(), order.bytes(0x1122_3344_5566_7788_u64));
        }
    }

    #[test]
    fn fields_lie_inside() {
        let bytes = [1, 2, 3, 4, 5];
        assert_eq!(Little.get::<u32>(&bytes, 1), Some(0x0504_0302));
        assert_eq!(Big.get::<u32>(&bytes, 1), Some(0x0203_0405));
        assert_eq!(Big.get::<u32>(&bytes, 2), None);
        assert_eq!(Big.get::<u32>(&bytes, usize::MAX), None);
        let mut out = [0; 4];
        Big.put(&mut out, 1, 0x1234_u16);
        assert_eq!(out, [0, 0x12, 0x34, 0]);
    }

    #[test]
    fn numbers_of_any_width() {
        for order in [Little, Big] {
            for width in 0..=8 {
                let mut field = vec![0; width];
                let mask = u64::MAX.checked_shr(64 - 8 * width as u32).unwrap_or(0);
                order.put_low(&mut field, 0x8877_6655_4433_2211);
                assert_eq!(order.unsigned(&field), 0x8877_6655_4433_2211 & mask);
            }
        }
        let mut field = [0; 3];
        Big.put_low(&mut field, 0x1122_3344);
        assert_eq!(field, [0x22, 0x33, 0x44]);
    }
}
