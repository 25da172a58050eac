//! Damage to ELF files: every field of every header, symbol, relocation, group and version record
//! gets wrong values, and every structure is truncated.

use super::{Damage, Dice, Edit};

/// A section of an undamaged file.
#[derive(Debug, Clone)]
struct Section {
    index: usize,
    /// File offset of its header.
    header: usize,
    sh_type: u32,
    file_offset: usize,
    size: usize,
    info: u32,
}

/// Class and byte order of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    is_64: bool,
    is_big: bool,
}

impl Shape {
    /// The class and byte order in a file's header.
    pub(super) fn of(header: &[u8]) -> Shape {
        Shape { is_64: header.get(4) != Some(&1), is_big: header.get(5) == Some(&2) }
    }

    /// `in_32` for 32-bit files, `in_64` for 64-bit ones.
    pub(super) fn pick(self, in_32: usize, in_64: usize) -> usize {
        if self.is_64 { in_64 } else { in_32 }
    }

    /// The number of `width` bytes at `at`; bytes behind the end count as zero.
    pub(super) fn number(self, bytes: &[u8], at: usize, width: usize) -> u64 {
        let field = bytes.get(at..at + width).unwrap_or_default();
        let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        if self.is_big { field.iter().fold(0, add) } else { field.iter().rev().fold(0, add) }
    }

    /// `value` in `width` bytes.
    fn bytes(self, value: u64, width: usize) -> Vec<u8> {
        if self.is_big {
            value.to_be_bytes()[8 - width..].to_vec()
        } else {
            value.to_le_bytes()[..width].to_vec()
        }
    }

    fn sections(self, whole: &[u8]) -> Vec<Section> {
        let word = self.pick(4, 8);
        let table = self.number(whole, self.pick(32, 40), word) as usize;
        let size_at = self.pick(20, 32);
        let count = match self.number(whole, self.pick(48, 60), 2) as usize {
            0 => self.number(whole, table + size_at, word) as usize,
            n => n,
        };
        (0..count)
            .map(|index| {
                let header = table + self.pick(40, 64) * index;
                Section {
                    index,
                    header,
                    sh_type: self.number(whole, header + 4, 4) as u32,
                    file_offset: self.number(whole, header + self.pick(16, 24), word) as usize,
                    size: self.number(whole, header + size_at, word) as usize,
                    info: self.number(whole, header + self.pick(28, 44), 4) as u32,
                }
            })
            .collect()
    }
}

/// A field of a record: its name, and its offset and width in 64-bit files and in 32-bit ones.
type Field = (&'static str, [usize; 2], [usize; 2]);
/// Fields of a record.
type Fields = [Field];

const EHDR: &Fields = &[
    ("class", [4, 1], [4, 1]),
    ("byte order", [5, 1], [5, 1]),
    ("version", [6, 1], [6, 1]),
    ("ABI", [7, 1], [7, 1]),
    ("e_type", [16, 2], [16, 2]),
    ("e_machine", [18, 2], [18, 2]),
    ("e_phoff", [32, 8], [28, 4]),
    ("e_shoff", [40, 8], [32, 4]),
    ("e_phentsize", [54, 2], [42, 2]),
    ("e_phnum", [56, 2], [44, 2]),
    ("e_shentsize", [58, 2], [46, 2]),
    ("e_shnum", [60, 2], [48, 2]),
    ("e_shstrndx", [62, 2], [50, 2]),
];
const SHDR: &Fields = &[
    ("sh_name", [0, 4], [0, 4]),
    ("sh_type", [4, 4], [4, 4]),
    ("sh_flags", [8, 8], [8, 4]),
    ("sh_addr", [16, 8], [12, 4]),
    ("sh_offset", [24, 8], [16, 4]),
    ("sh_size", [32, 8], [20, 4]),
    ("sh_link", [40, 4], [24, 4]),
    ("sh_info", [44, 4], [28, 4]),
    ("sh_addralign", [48, 8], [32, 4]),
    ("sh_entsize", [56, 8], [36, 4]),
];
const SYM: &Fields = &[
    ("st_name", [0, 4], [0, 4]),
    ("st_info", [4, 1], [12, 1]),
    ("st_other", [5, 1], [13, 1]),
    ("st_shndx", [6, 2], [14, 2]),
    ("st_value", [8, 8], [4, 4]),
    ("st_size", [16, 8], [8, 4]),
];
const RELA: &Fields = &[
    ("r_offset", [0, 8], [0, 4]),
    ("r_type", [8, 4], [4, 1]),
    ("r_sym", [12, 4], [5, 2]),
    ("r_addend", [16, 8], [8, 4]),
];
const REL: &Fields =
    &[("r_offset", [0, 8], [0, 4]), ("r_type", [8, 4], [4, 1]), ("r_sym", [12, 4], [5, 2])];
const PHDR: &Fields = &[
    ("p_type", [0, 4], [0, 4]),
    ("p_flags", [4, 4], [24, 4]),
    ("p_offset", [8, 8], [4, 4]),
    ("p_vaddr", [16, 8], [8, 4]),
    ("p_filesz", [32, 8], [16, 4]),
    ("p_memsz", [40, 8], [20, 4]),
    ("p_align", [48, 8], [28, 4]),
];
const DYN: &Fields = &[("d_tag", [0, 8], [0, 4]), ("d_val", [8, 8], [4, 4])];
const WORD: &Fields = &[("word", [0, 4], [0, 4])];
const HALF: &Fields = &[("half", [0, 2], [0, 2])];

/// Wrong values for a field of `width` bytes whose value is `now`.
fn lies(now: u64, width: usize, file_size: usize) -> Vec<u64> {
    let file_size = file_size as u64;
    let mut values = vec![
        0,
        1,
        2,
        3,
        7,
        0x10,
        0x19,
        0xff,
        0x100,
        now.wrapping_add(1),
        now.wrapping_sub(1),
        now.wrapping_mul(2),
        now ^ 0x10,
        now << 4 | now >> 4,
    ];
    if width >= 2 {
        values.extend([0xff00, 0xfff1, 0xfff2, 0xfffe, 0xffff, 0x7fff, 0x8000]);
    }
    if width >= 4 {
        values.extend([
            0x1_0000,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_fff0,
            0xffff_ffff,
            file_size,
            file_size - 1,
        ]);
    }
    if width >= 8 {
        values.extend([
            1 << 32,
            1 << 40,
            1 << 47,
            1 << 48,
            1 << 62,
            1 << 63,
            0x7fff_ffff_ffff_ffff,
            0x8001_0001_0000_0001,
            0xffff_ffff_0000_0000,
            0xffff_ffff_ffff_fff8,
            u64::MAX - 1,
            u64::MAX,
            file_size + 1,
            now | 1 << 63,
            now.wrapping_neg(),
        ]);
    }
    let mask = if width == 8 { u64::MAX } else { (1 << (8 * width)) - 1 };
    values.iter_mut().for_each(|v| *v &= mask);
    values.sort_unstable();
    values.dedup();
    values.retain(|&v| v != now);
    values
}

struct List<'a> {
    whole: &'a [u8],
    shape: Shape,
    all: Vec<Damage>,
}

impl List<'_> {
    fn fields(&mut self, place: &str, at: usize, fields: &Fields) {
        for &(name, in_64, in_32) in fields {
            let [offset, width] = if self.shape.is_64 { in_64 } else { in_32 };
            let now = self.shape.number(self.whole, at + offset, width);
            for value in lies(now, width, self.whole.len()) {
                // This value is legal, but makes an output of 4 GiB.
                if name == "sh_addralign" && value == 1 << 31 {
                    continue;
                }
                let what = format!("{place}: {name} is {value:#x}");
                let bytes = self.shape.bytes(value, width);
                self.all.push(Damage::write(what, at + offset, &bytes));
            }
        }
    }

    /// Damages the records of a section, or some if there are many.
    fn records(&mut self, section: &Section, what: &str, size: usize, fields: &Fields) {
        let count = section.size / size;
        let step = count.div_ceil(24).max(1);
        for record in (0..count).step_by(step) {
            let place = format!("section {} {what} {record}", section.index);
            self.fields(&place, section.file_offset + record * size, fields);
        }
    }

    fn section(&mut self, section: &Section, dice: &mut Dice) {
        self.fields(&format!("section {}", section.index), section.header, SHDR);
        match section.sh_type {
            2 | 11 => self.records(section, "symbol", self.shape.pick(16, 24), SYM),
            4 => {
                let entry = self.shape.pick(12, 24);
                self.records(section, "relocation", entry, RELA);
                self.reversed(section, entry);
            }
            9 => {
                let entry = self.shape.pick(8, 16);
                self.records(section, "relocation", entry, REL);
                self.reversed(section, entry);
            }
            6 => self.records(section, "entry", self.shape.pick(8, 16), DYN),
            0x6fff_ffff => self.records(section, "version", 2, HALF),
            17 | 18 | 7 | 0x6fff_fffd | 0x6fff_fffe | 0x6000_0001 => {
                self.records(section, "word", 4, WORD);
            }
            _ => {}
        }
        if section.sh_type == 8 || section.size == 0 {
            return;
        }
        for at in [section.file_offset, section.file_offset + section.size] {
            for at in [at.saturating_sub(1), at, at + 1] {
                self.all.push(Damage::truncate(at.min(self.whole.len())));
            }
        }
        for _ in 0..section.size.min(48) {
            let at = section.file_offset + dice.below(section.size);
            let byte = [0, 0xff, 0x80, 1, 0x7f, 0x20][dice.below(6)];
            let what = format!("section {}: {byte:#04x} at {at:#x}", section.index);
            self.all.push(Damage::write(what, at, &[byte]));
            if dice.below(4) == 0 {
                let what = format!("section {}: word of ones at {at:#x}", section.index);
                self.all.push(Damage::write(what, at, &[0xff; 4]));
            }
        }
        let last = section.file_offset + section.size - 1;
        let what = format!("section {} has no NUL at its end", section.index);
        self.all.push(Damage::write(what, last, b"x"));
    }

    fn reversed(&mut self, section: &Section, size: usize) {
        let start = section.file_offset;
        let records: Vec<u8> = self.whole[start..start + section.size]
            .rchunks_exact(size)
            .flatten()
            .copied()
            .collect();
        let what = format!("section {} (of {}) in reverse", section.index, section.info);
        self.all.push(Damage::write(what, start, &records));
    }

    /// Exchanges two section headers.
    fn exchanged(&mut self, sections: &[Section], dice: &mut Dice) {
        for _ in 0..sections.len() * 2 {
            let (from, to) =
                (&sections[dice.below(sections.len())], &sections[dice.below(sections.len())]);
            let header = self.whole[from.header..][..self.shape.pick(40, 64)].to_vec();
            let what = format!("section {} is {}", to.index, from.index);
            self.all.push(Damage { what, edits: vec![Edit::Write(to.header, header)] });
        }
    }
}

/// Damages of ELF files: header, section headers, symbols, relocations and others.
pub fn damage(whole: &[u8]) -> Vec<Damage> {
    let shape = Shape::of(whole);
    let mut list = List { whole, shape, all: Vec::new() };
    let mut dice = Dice::new(7);
    list.fields("file", 0, EHDR);
    let sections = shape.sections(whole);
    for section in &sections {
        list.section(section, &mut dice);
    }
    list.exchanged(&sections, &mut dice);
    let word = shape.pick(4, 8);
    let segments = shape.number(whole, shape.pick(28, 32), word) as usize;
    for index in 0..shape.number(whole, shape.pick(44, 56), 2) as usize {
        let at = segments + shape.pick(32, 56) * index;
        list.fields(&format!("segment {index}"), at, PHDR);
    }
    let first = shape.number(whole, shape.pick(32, 40), word) as usize;
    let (header, entry) = (shape.pick(52, 64), shape.pick(40, 64));
    let ends = [1, 4, 5, 15, 16, 20, header - 1, header, header + 1];
    for at in ends.into_iter().chain([first, first + 1, first + entry, whole.len() - 1]) {
        list.all.push(Damage::truncate(at));
    }
    list.all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that has only the null section, and the names of damaged fields by their offset.
    fn file(is_64: bool, is_big: bool) -> Vec<u8> {
        let shape = Shape { is_64, is_big };
        let header = shape.pick(52, 64);
        let mut file = vec![0; header + shape.pick(40, 64)];
        file[..6].copy_from_slice(&[
            0x7f,
            b'E',
            b'L',
            b'F',
            1 + u8::from(is_64),
            1 + u8::from(is_big),
        ]);
        let width = shape.pick(4, 8);
        let at = shape.pick(32, 40);
        file[at..at + width].copy_from_slice(&shape.bytes(header as u64, width));
        let at = shape.pick(48, 60);
        file[at..at + 2].copy_from_slice(&shape.bytes(1, 2));
        file
    }

    #[test]
    fn fields_of_every_class_and_order_are_damaged_in_place() {
        for (is_64, is_big) in [(true, false), (true, true), (false, false), (false, true)] {
            let whole = file(is_64, is_big);
            let all = damage(&whole);
            let find = |what: &str| {
                let found = all.iter().find(|damage| damage.what == what);
                found.unwrap_or_else(|| panic!("{what}")).apply(&whole)
            };
            let shape = Shape { is_64, is_big };
            let damaged = find("section 0: sh_entsize is 0x3");
            let at = shape.pick(52 + 36, 64 + 56);
            assert_eq!(shape.number(&damaged, at, shape.pick(4, 8)), 3);
            let damaged = find("file: e_shnum is 0x100");
            assert_eq!(shape.number(&damaged, shape.pick(48, 60), 2), 0x100);
            let is_wide = |damage: &Damage| damage.what.ends_with("sh_addr is 0x10000000000");
            assert_eq!(all.iter().any(is_wide), is_64);
        }
    }
}
