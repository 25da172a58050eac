//! Damage to ELF files: every field of every header, symbol, relocation, group and version record
//! takes values that lie, and every structure is cut.

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

/// Fields of a record: name, offset and width of each.
type Fields = [(&'static str, usize, usize)];

const EHDR: &Fields = &[
    ("class", 4, 1),
    ("byte order", 5, 1),
    ("version", 6, 1),
    ("ABI", 7, 1),
    ("e_type", 16, 2),
    ("e_machine", 18, 2),
    ("e_phoff", 32, 8),
    ("e_shoff", 40, 8),
    ("e_phentsize", 54, 2),
    ("e_phnum", 56, 2),
    ("e_shentsize", 58, 2),
    ("e_shnum", 60, 2),
    ("e_shstrndx", 62, 2),
];
const SHDR: &Fields = &[
    ("sh_name", 0, 4),
    ("sh_type", 4, 4),
    ("sh_flags", 8, 8),
    ("sh_addr", 16, 8),
    ("sh_offset", 24, 8),
    ("sh_size", 32, 8),
    ("sh_link", 40, 4),
    ("sh_info", 44, 4),
    ("sh_addralign", 48, 8),
    ("sh_entsize", 56, 8),
];
const SYM: &Fields = &[
    ("st_name", 0, 4),
    ("st_info", 4, 1),
    ("st_other", 5, 1),
    ("st_shndx", 6, 2),
    ("st_value", 8, 8),
    ("st_size", 16, 8),
];
const RELA: &Fields =
    &[("r_offset", 0, 8), ("r_type", 8, 4), ("r_sym", 12, 4), ("r_addend", 16, 8)];
const REL: &Fields = &[("r_offset", 0, 8), ("r_type", 8, 4), ("r_sym", 12, 4)];
const PHDR: &Fields = &[
    ("p_type", 0, 4),
    ("p_flags", 4, 4),
    ("p_offset", 8, 8),
    ("p_vaddr", 16, 8),
    ("p_filesz", 32, 8),
    ("p_memsz", 40, 8),
    ("p_align", 48, 8),
];
const DYN: &Fields = &[("d_tag", 0, 8), ("d_val", 8, 8)];
const WORD: &Fields = &[("word", 0, 4)];
const HALF: &Fields = &[("half", 0, 2)];

fn field(bytes: &[u8], at: usize, width: usize) -> u64 {
    let mut word = [0; 8];
    if let Some(found) = bytes.get(at..at + width) {
        word[..width].copy_from_slice(found);
    }
    u64::from_le_bytes(word)
}

fn sections(whole: &[u8]) -> Vec<Section> {
    let table = field(whole, 40, 8) as usize;
    let count = match field(whole, 60, 2) as usize {
        0 => field(whole, table + 32, 8) as usize,
        n => n,
    };
    (0..count)
        .map(|index| {
            let header = table + 64 * index;
            Section {
                index,
                header,
                sh_type: field(whole, header + 4, 4) as u32,
                file_offset: field(whole, header + 24, 8) as usize,
                size: field(whole, header + 32, 8) as usize,
                info: field(whole, header + 44, 4) as u32,
            }
        })
        .collect()
}

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
    all: Vec<Damage>,
}

impl List<'_> {
    fn fields(&mut self, place: &str, at: usize, fields: &Fields) {
        for &(name, offset, width) in fields {
            let now = field(self.whole, at + offset, width);
            for value in lies(now, width, self.whole.len()) {
                // That is legal, but makes an output of 4 GiB.
                if name == "sh_addralign" && value == 1 << 31 {
                    continue;
                }
                let what = format!("{place}: {name} is {value:#x}");
                let bytes = &value.to_le_bytes()[..width];
                self.all.push(Damage::write(what, at + offset, bytes));
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
            2 | 11 => self.records(section, "symbol", 24, SYM),
            4 => {
                self.records(section, "relocation", 24, RELA);
                self.reversed(section, 24);
            }
            9 => {
                self.records(section, "relocation", 16, REL);
                self.reversed(section, 16);
            }
            6 => self.records(section, "entry", 16, DYN),
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
            let header = self.whole[from.header..from.header + 64].to_vec();
            let what = format!("section {} is {}", to.index, from.index);
            self.all.push(Damage { what, edits: vec![Edit::Write(to.header, header)] });
        }
    }
}

/// Damages of ELF files: header, section headers, symbols, relocations and others.
pub fn damage(whole: &[u8]) -> Vec<Damage> {
    let mut list = List { whole, all: Vec::new() };
    let mut dice = Dice::new(7);
    list.fields("file", 0, EHDR);
    let sections = sections(whole);
    for section in &sections {
        list.section(section, &mut dice);
    }
    list.exchanged(&sections, &mut dice);
    for index in 0..field(whole, 56, 2) as usize {
        let at = field(whole, 32, 8) as usize + 56 * index;
        list.fields(&format!("segment {index}"), at, PHDR);
    }
    let first = field(whole, 40, 8) as usize;
    for at in [1, 4, 5, 15, 16, 20, 63, 64, 65, first, first + 1, first + 64, whole.len() - 1] {
        list.all.push(Damage::truncate(at));
    }
    list.all
}
