//! The columns of GNU ld's map, whose positions scripts rely on: names, addresses, sizes.

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

/// Appends `0x` and 16 digits.
pub fn address(out: &mut Vec<u8>, value: u64) {
    let mut text = *b"0x0000000000000000";
    text[2..].copy_from_slice(&hexadecimal(value));
    out.extend_from_slice(&text);
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

/// Address and size behind a name; the line is not ended.
fn extent(out: &mut Vec<u8>, at: u64, size: u64) {
    let count = digits(size);
    if count > 5 {
        address(out, at);
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

/// The line of an output section, after an empty one.
pub fn output_section(out: &mut Vec<u8>, name: &[u8], at: u64, size: u64) {
    out.push(b'\n');
    padded(out, 0, name, ADDRESS_COLUMN);
    extent(out, at, size);
    out.push(b'\n');
}

/// The line of an input section.
pub fn input_section(out: &mut Vec<u8>, name: &[u8], at: u64, size: u64, file: &[u8]) {
    padded(out, 1, name, ADDRESS_COLUMN);
    extent(out, at, size);
    out.push(b' ');
    out.extend_from_slice(file);
    out.push(b'\n');
}

/// Adds, below a section, its input size, if the output has fewer bytes (merging, relaxation).
pub fn size_before(out: &mut Vec<u8>, size: u64) {
    spaces(out, ADDRESS_COLUMN + 19);
    number(out, size, 10);
    out.extend_from_slice(b" (size before relaxing)\n");
}

/// `*fill*`: the line of a gap between input sections.
pub fn fill(out: &mut Vec<u8>, at: u64, size: u64) {
    padded(out, 1, b"*fill*", ADDRESS_COLUMN);
    extent(out, at, size);
    out.extend_from_slice(b" \n");
}

/// The line of a symbol.
pub fn symbol(out: &mut Vec<u8>, at: u64, name: &[u8]) {
    const ADDRESS_END: usize = ADDRESS_COLUMN + 18;
    let mut start = [b' '; ADDRESS_END + 16];
    start[ADDRESS_COLUMN..ADDRESS_COLUMN + 2].copy_from_slice(b"0x");
    start[ADDRESS_COLUMN + 2..ADDRESS_END].copy_from_slice(&hexadecimal(at));
    out.extend_from_slice(&start);
    out.extend_from_slice(name);
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl Fn(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).expect("ASCII")
    }

    #[test]
    fn columns_are_those_of_gnu_ld() {
        assert_eq!(
            text(|out| output_section(out, b".text", 0x1050, 0x153)),
            "\n.text           0x0000000000001050      0x153\n"
        );
        assert_eq!(
            text(|out| input_section(out, b".text.main", 0x113d, 0x49, b"a.o")),
            " .text.main     0x000000000000113d       0x49 a.o\n"
        );
        assert_eq!(
            text(|out| fill(out, 0x1072, 0xe)),
            " *fill*         0x0000000000001072        0xe \n"
        );
        assert_eq!(
            text(|out| symbol(out, 0x1050, b"_start")),
            "                0x0000000000001050                _start\n"
        );
        assert_eq!(
            text(|out| size_before(out, 0x13d)),
            "                                        0x13d (size before relaxing)\n"
        );
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let edges = (0..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit, !0 >> bit]);
        for value in edges.chain([0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210]) {
            assert_eq!(text(|out| address(out, value)), format!("{value:#018x}"));
            assert_eq!(text(|out| number(out, value, 10)), format!("{value:>#10x}"));
            assert_eq!(text(|out| extent(out, 1, value)), format!("{:#018x} {value:>#10x}", 1));
        }
    }

    #[test]
    fn names_without_room_have_a_line() {
        let line = |name: &[u8]| text(|out| output_section(out, name, 0, 0));
        assert_eq!(line(b".gnu.version_r"), "\n.gnu.version_r  0x0000000000000000        0x0\n");
        assert_eq!(
            line(b".tm_clone_table"),
            "\n.tm_clone_table\n                0x0000000000000000        0x0\n"
        );
        assert_eq!(
            text(|out| input_section(out, b".gnu.version_d", 0, 0x12345678, b"f")),
            " .gnu.version_d\n                0x0000000000000000 0x12345678 f\n"
        );
    }
}
