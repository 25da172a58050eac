//! CRC-32 of bytes in pieces, and the four bytes that make it a wanted value.
//!
//! The code is the 32-bit one of ITU-T V.42 (8.1.1.6.2), which zip and `.gnu_debuglink` use. It is
//! the remainder of a polynomial over the field of two elements, so pieces are joined by a
//! multiplication with a power of x, and four more bytes reach every value.

/// The generator, without x^32, the bit of x^0 being the highest.
const POLYNOMIAL: u32 = 0xedb8_8320;

/// The code of `bytes`.
pub fn of(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The code of `len` bytes that are zero.
pub fn of_zeros(len: u64) -> u32 {
    !product(!0, power(len))
}

/// The code of two runs of bytes, one after the other, by the codes of each and the length of the
/// second, in bytes.
pub fn joined(first: u32, second: u32, second_len: u64) -> u32 {
    product(first, power(second_len)) ^ second
}

/// The four bytes that, appended to bytes with the code `crc`, give the code `wanted`.
pub fn ending(crc: u32, wanted: u32) -> [u8; 4] {
    // The register as it has to be before the 32 bits that end at `wanted`.
    let mut register = !wanted;
    for _ in 0..32 {
        register = match register >> 31 {
            0 => register << 1,
            _ => (register ^ POLYNOMIAL) << 1 | 1,
        };
    }
    (register ^ !crc).to_le_bytes()
}

/// The product of two polynomials.
fn product(a: u32, mut b: u32) -> u32 {
    let mut product = 0;
    for bit in (0..32).rev() {
        if a >> bit & 1 != 0 {
            product ^= b;
        }
        b = b >> 1 ^ if b & 1 != 0 { POLYNOMIAL } else { 0 };
    }
    product
}

/// x to the power of eight times `bytes`.
fn power(mut bytes: u64) -> u32 {
    let (mut power, mut square) = (1 << 31, 1 << 23);
    while bytes != 0 {
        if bytes & 1 != 0 {
            power = product(power, square);
        }
        square = product(square, square);
        bytes >>= 1;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_the_code_of_the_whole() {
        assert_eq!(of(b"123456789"), 0xcbf4_3926);
        let bytes: Vec<u8> = (0..5000u32).map(|at| ((at * at) >> 3) as u8).collect();
        for cut in [0, 1, 7, 2048, 4999, 5000] {
            let (first, second) = bytes.split_at(cut);
            assert_eq!(joined(of(first), of(second), second.len() as u64), of(&bytes));
        }
        for len in [0, 1, 5, 4096, 70_001] {
            assert_eq!(of_zeros(len as u64), of(&vec![0; len]));
        }
    }

    #[test]
    fn four_bytes_reach_every_value() {
        for wanted in [0, 1, 0xdead_beef, u32::MAX] {
            for bytes in [&b""[..], b"a", b"The output has its name when it is whole"] {
                let all = [bytes, &ending(of(bytes), wanted)].concat();
                assert_eq!(of(&all), wanted);
            }
        }
    }
}
