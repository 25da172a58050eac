//! The columns of GNU ld's map, whose positions scripts rely on: names, addresses, sizes.

use crate::machine::class::Class;

/// Column in which addresses start.
const ADDRESS_COLUMN: usize = 16;
const SPACES: [u8; 48] = [b' '; 48];
/// The end of a line, and the start of the next up to the addresses.
const NEXT_LINE: [u8; 1 + ADDRESS_COLUMN] = *b"\n                ";

/// Appends `count` spaces, 48 at most.
#[inline]
pub fn spaces(out: &mut Vec<u8>, count: usize) {
    out.extend_from_slice(&SPACES[..count.min(SPACES.len())]);
}

/// Appends `indent` spaces, `name`, and spaces up to `column`; if fewer than two fit, `column` is
/// that of the next line.
#[inline]
pub fn padded(out: &mut Vec<u8>, indent: usize, name: &[u8], column: usize) {
    spaces(out, indent);
    out.extend_from_slice(name);
    let end = indent + name.len();
    if end + 2 <= column {
        spaces(out, column - end);
    } else if column == ADDRESS_COLUMN {
        out.extend_from_slice(&NEXT_LINE);
    } else {
        out.push(b'\n');
        spaces(out, column);
    }
}

/// Appends `0x` and as few digits as possible, right-aligned in a field of `width`.
pub fn number(out: &mut Vec<u8>, value: u64, width: usize) {
    let count = digits(value);
    spaces(out, width.saturating_sub(count + 2));
    out.extend_from_slice(b"0x");
    out.extend_from_slice(&hexadecimal(value)[16 - count..]);
}

/// How many hexadecimal digits a number has.
fn digits(value: u64) -> usize {
    (64 - value.leading_zeros() as usize).div_ceil(4).max(1)
}

/// The two digits of each byte.
const PAIRS: [[u8; 2]; 256] = {
    let digits = b"0123456789abcdef";
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < pairs.len() {
        pairs[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    pairs
};

/// The 16 digits of a number.
fn hexadecimal(value: u64) -> [u8; 16] {
    let mut text = [0; 16];
    for (pair, byte) in text.as_chunks_mut().0.iter_mut().zip(value.to_be_bytes()) {
        *pair = PAIRS[usize::from(byte)];
    }
    text
}

/// The lines with addresses, which have 8 or 16 digits by the class of the output.
#[derive(Debug, Clone, Copy)]
pub struct Columns {
    /// How many of the 16 digits of a number are left out.
    skipped: usize,
}

impl Columns {
    pub const fn new(class: Class) -> Self {
        Self { skipped: 16 - 2 * class.word_size() }
    }

    /// Appends `0x` and the digits of an address.
    pub fn address(self, out: &mut Vec<u8>, value: u64) {
        let mut text = *b"0x0000000000000000";
        let digits = &hexadecimal(value)[self.skipped..];
        text[2..2 + digits.len()].copy_from_slice(digits);
        out.extend_from_slice(&text[..2 + digits.len()]);
    }

    /// Address and size behind a name; the line is not ended.
    fn extent(self, out: &mut Vec<u8>, at: u64, size: u64) {
        let count = digits(size);
        if count > 5 || self.skipped != 0 {
            self.address(out, at);
            out.push(b' ');
            return number(out, size, 10);
        }
        // Appending one piece of a fixed length is much faster than five, and a piece that is put
        // together in registers is faster than one in memory.
        let [.., a, b, c] = size.to_be_bytes().map(|byte| PAIRS[usize::from(byte)]);
        let sized = u64::from_be_bytes([0, 0, a[0], a[1], b[0], b[1], c[0], c[1]]);
        let spaces = u64::from_be_bytes([b' '; 8]) << (8 * count + 16);
        let prefix = 0x3078 << (8 * count);
        let field = spaces | prefix | sized & ((1 << (8 * count)) - 1);
        let mut text = *b"0x0000000000000000           ";
        text[2..18].copy_from_slice(&hexadecimal(at));
        text[21..].copy_from_slice(&field.to_be_bytes());
        out.extend_from_slice(&text);
    }

    /// The line of an output section, after an empty one; with its load address, if that is
    /// another than its address.
    pub fn output_section(
        self,
        out: &mut Vec<u8>,
        name: &[u8],
        at: u64,
        size: u64,
        load_address: Option<u64>,
    ) {
        out.push(b'\n');
        padded(out, 0, name, ADDRESS_COLUMN);
        self.extent(out, at, size);
        if let Some(load_address) = load_address {
            out.extend_from_slice(b" load address ");
            self.address(out, load_address);
        }
        out.push(b'\n');
    }

    /// The line of an input section.
    pub fn input_section(self, out: &mut Vec<u8>, name: &[u8], at: u64, size: u64, file: &[u8]) {
        padded(out, 1, name, ADDRESS_COLUMN);
        self.extent(out, at, size);
        out.push(b' ');
        out.extend_from_slice(file);
        out.push(b'\n');
    }

    /// Adds, below a section, its input size, if the output has fewer bytes (merging, relaxation).
    pub fn size_before(self, out: &mut Vec<u8>, size: u64) {
        spaces(out, ADDRESS_COLUMN + 19 - self.skipped);
        number(out, size, 10);
        out.extend_from_slice(b" (size before relaxing)\n");
    }

    /// `*fill*`: the line of a gap between input sections.
    pub fn fill(self, out: &mut Vec<u8>, at: u64, size: u64) {
        padded(out, 1, b"*fill*", ADDRESS_COLUMN);
        self.extent(out, at, size);
        out.extend_from_slice(b" \n");
    }

    /// The line of a symbol.
    pub fn symbol(self, out: &mut Vec<u8>, at: u64, name: &[u8]) {
        const ADDRESS_END: usize = ADDRESS_COLUMN + 18;
        let mut start = [b' '; ADDRESS_END + 16];
        let digits = &hexadecimal(at)[self.skipped..];
        start[ADDRESS_COLUMN..ADDRESS_COLUMN + 2].copy_from_slice(b"0x");
        start[ADDRESS_COLUMN + 2..][..digits.len()].copy_from_slice(digits);
        out.extend_from_slice(&start[..start.len() - self.skipped]);
        out.extend_from_slice(name);
        out.push(b'\n');
    }

    /// The line of a memory region: name, first address, length and the letters of its attributes.
    pub fn region(self, out: &mut Vec<u8>, name: &[u8], origin: u64, length: u64, letters: &[u8]) {
        out.extend_from_slice(name);
        spaces(out, ADDRESS_COLUMN.saturating_sub(name.len()) + 1);
        self.address(out, origin);
        spaces(out, 1 + self.skipped);
        self.address(out, length);
        if !letters.is_empty() {
            spaces(out, 1 + self.skipped);
            out.extend_from_slice(letters);
        }
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: Columns = Columns::new(Class::Elf64);
    const NARROW: Columns = Columns::new(Class::Elf32);

    fn text(write: impl Fn(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).expect("ASCII")
    }

    #[test]
    fn columns_are_those_of_gnu_ld() {
        assert_eq!(
            text(|out| WIDE.output_section(out, b".text", 0x1050, 0x153, None)),
            "\n.text           0x0000000000001050      0x153\n"
        );
        assert_eq!(
            text(|out| WIDE.input_section(out, b".text.main", 0x113d, 0x49, b"a.o")),
            " .text.main     0x000000000000113d       0x49 a.o\n"
        );
        assert_eq!(
            text(|out| WIDE.fill(out, 0x1072, 0xe)),
            " *fill*         0x0000000000001072        0xe \n"
        );
        assert_eq!(
            text(|out| WIDE.symbol(out, 0x1050, b"_start")),
            "                0x0000000000001050                _start\n"
        );
        assert_eq!(
            text(|out| WIDE.size_before(out, 0x13d)),
            "                                        0x13d (size before relaxing)\n"
        );
    }

    #[test]
    fn addresses_of_32_bits_have_eight_digits() {
        assert_eq!(
            text(|out| NARROW.output_section(out, b".data", 0x2000_0000, 4, Some(0x800_0001))),
            "\n.data           0x20000000        0x4 load address 0x08000001\n"
        );
        assert_eq!(
            text(|out| NARROW.symbol(out, 0x1000, b"_start")),
            "                0x00001000                _start\n"
        );
        assert_eq!(
            text(|out| NARROW.size_before(out, 0x13d)),
            "                                0x13d (size before relaxing)\n"
        );
    }

    #[test]
    fn regions_have_the_letters_of_their_attributes() {
        assert_eq!(
            text(|out| NARROW.region(out, b"FLASH", 0x800_0000, 0x8_0000, b"xr")),
            "FLASH            0x08000000         0x00080000         xr\n"
        );
        assert_eq!(
            text(|out| WIDE.region(out, b"A_VERY_LONG_NAME_OF", 0x3000_0000, 0x10_0000, b"!w")),
            "A_VERY_LONG_NAME_OF 0x0000000030000000 0x0000000000100000 !w\n"
        );
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let edges = (0..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit, !0 >> bit]);
        for value in edges.chain([0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210]) {
            assert_eq!(text(|out| WIDE.address(out, value)), format!("{value:#018x}"));
            assert_eq!(text(|out| number(out, value, 10)), format!("{value:>#10x}"));
            assert_eq!(
                text(|out| WIDE.extent(out, 1, value)),
                format!("{:#018x} {value:>#10x}", 1)
            );
        }
    }

    #[test]
    fn names_without_room_have_a_line() {
        let line = |name: &[u8]| text(|out| WIDE.output_section(out, name, 0, 0, None));
        assert_eq!(line(b".gnu.version_r"), "\n.gnu.version_r  0x0000000000000000        0x0\n");
        assert_eq!(
            line(b".tm_clone_table"),
            "\n.tm_clone_table\n                0x0000000000000000        0x0\n"
        );
        assert_eq!(
            text(|out| WIDE.input_section(out, b".gnu.version_d", 0, 0x12345678, b"f")),
            " .gnu.version_d\n                0x0000000000000000 0x12345678 f\n"
        );
    }
}
