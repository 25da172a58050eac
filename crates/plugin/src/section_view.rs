//! Section headers of an ELF file, for plugins: the interface numbers sections as ELF does.

/// The section headers of a file.
pub struct Sections<'a> {
    file: &'a [u8],
    /// ELFCLASS64.
    is_wide: bool,
    is_little: bool,
    table: usize,
    entry: usize,
    count: u32,
    names: u32,
}

/// A section header.
pub struct Section {
    name: u32,
    /// The section's type.
    pub kind: u32,
    offset: u64,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
}

impl<'a> Sections<'a> {
    /// The headers of a file; `None` if it is not an ELF file.
    pub fn of(file: &'a [u8]) -> Option<Sections<'a>> {
        if !file.starts_with(b"\x7fELF") {
            return None;
        }
        let mut sections = Sections {
            file,
            is_wide: *file.get(4)? == 2,
            is_little: *file.get(5)? == 1,
            table: 0,
            entry: 0,
            count: 0,
            names: 0,
        };
        let (table, rest) = if sections.is_wide { (0x28, 0x3a) } else { (0x20, 0x2e) };
        sections.table = usize::try_from(sections.word(table)?).ok()?;
        sections.entry = sections.number(rest, 2)? as usize;
        sections.count = sections.number(rest + 2, 2)? as u32;
        sections.names = sections.number(rest + 4, 2)? as u32;
        if sections.count == 0 && sections.table != 0 {
            // The number does not fit `e_shnum`, so it is in `sh_size` of the first header.
            sections.count = 1;
            let first = sections.get(0)?;
            sections.count = u32::try_from(first.size).ok()?;
        }
        Some(sections)
    }

    fn number(&self, at: usize, width: usize) -> Option<u64> {
        let bytes = self.file.get(at..at.checked_add(width)?)?;
        let fold = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
        Some(if self.is_little {
            bytes.iter().rev().fold(0, fold)
        } else {
            bytes.iter().fold(0, fold)
        })
    }

    /// A number as wide as an address.
    fn word(&self, at: usize) -> Option<u64> {
        self.number(at, if self.is_wide { 8 } else { 4 })
    }

    /// The number of section headers.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The header of this index.
    pub fn get(&self, index: u32) -> Option<Section> {
        if index >= self.count {
            return None;
        }
        let at = self.table.checked_add(self.entry.checked_mul(index as usize)?)?;
        let of =
            |wide: usize, narrow: usize| at.checked_add(if self.is_wide { wide } else { narrow });
        Some(Section {
            name: self.number(at, 4)? as u32,
            kind: self.number(at.checked_add(4)?, 4)? as u32,
            offset: self.word(of(0x18, 0x10)?)?,
            size: self.word(of(0x20, 0x14)?)?,
            align: self.word(of(0x30, 0x20)?)?,
        })
    }

    /// The name of a section.
    pub fn name(&self, section: &Section) -> Option<&'a [u8]> {
        let names = self.get(self.names)?;
        let start = usize::try_from(names.offset).ok()?.checked_add(section.name as usize)?;
        let text = self.file.get(start..)?;
        text.split(|&byte| byte == 0).next()
    }

    /// The contents of a section.
    pub fn contents(&self, section: &Section) -> Option<&'a [u8]> {
        let start = usize::try_from(section.offset).ok()?;
        self.file.get(start..start.checked_add(usize::try_from(section.size).ok()?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::Sections;

    #[test]
    fn sections_of_this_program_are_found() {
        let file = std::fs::read("/proc/self/exe").expect("this program");
        let sections = Sections::of(&file).expect("an ELF file");
        let named = |wanted: &[u8]| {
            (0..sections.count())
                .filter_map(|index| sections.get(index))
                .find(|section| sections.name(section) == Some(wanted))
        };
        let interp = named(b".interp").expect("dynamically linked");
        let path = sections.contents(&interp).expect("in the file");
        assert!(path.starts_with(b"/") && path.ends_with(b"\0") && interp.kind == 1);
        assert!(sections.get(sections.count()).is_none());
        for end in [0, 4, 20, 60, 64, 1000] {
            let cut = Sections::of(&file[..end]);
            let last = cut.and_then(|cut| cut.get(cut.count().saturating_sub(1)).map(|_| ()));
            assert!(last.is_none());
        }
    }
}
