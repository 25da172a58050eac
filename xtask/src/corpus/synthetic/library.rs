//! Writes shared libraries as a linker sees them: dynamic symbols with versions, and needed
//! libraries. Nothing can be run with them: they have neither code nor hash tables.

const SHT_STRTAB: u32 = 3;
const SHT_DYNAMIC: u32 = 6;
const SHT_DYNSYM: u32 = 11;
const SHT_GNU_VERDEF: u32 = 0x6fff_fffd;
const SHT_GNU_VERSYM: u32 = 0x6fff_ffff;

const DT_NEEDED: u64 = 1;
const DT_STRTAB: u64 = 5;
const DT_SYMTAB: u64 = 6;
const DT_STRSZ: u64 = 10;
const DT_SYMENT: u64 = 11;
const DT_SONAME: u64 = 14;
const DT_VERSYM: u64 = 0x6fff_fff0;
const DT_VERDEF: u64 = 0x6fff_fffc;
const DT_VERDEFNUM: u64 = 0x6fff_fffd;

/// Flag of a version that is not the default one of its symbol.
const HIDDEN: u16 = 0x8000;

/// An exported name.
struct Export {
    name: String,
    /// Index into versions; 1 without one.
    version: u16,
    is_data: bool,
}

/// A shared library in the making.
pub struct Library {
    soname: String,
    exports: Vec<Export>,
    imports: Vec<String>,
    needed: Vec<String>,
    versions: Vec<String>,
}

impl Library {
    /// A library without symbols.
    pub fn new(soname: &str) -> Self {
        let (exports, imports, needed, versions) = Default::default();
        Self { soname: soname.to_owned(), exports, imports, needed, versions }
    }

    /// Exports a function.
    pub fn export(&mut self, name: &str) {
        self.exports.push(Export { name: name.to_owned(), version: 1, is_data: false });
    }

    /// Exports a variable of eight bytes.
    pub fn export_data(&mut self, name: &str) {
        self.exports.push(Export { name: name.to_owned(), version: 1, is_data: true });
    }

    /// Defines a version; returns what [`Library::export_as`] takes.
    pub fn version(&mut self, name: &str) -> u16 {
        self.versions.push(name.to_owned());
        // 0 and 1 are local and global, 2 is the library's own.
        self.versions.len() as u16 + 2
    }

    /// Exports a function in a version: the default version of the name, or one for old programs.
    pub fn export_as(&mut self, name: &str, version: u16, is_default: bool) {
        let version = if is_default { version } else { version | HIDDEN };
        self.exports.push(Export { name: name.to_owned(), version, is_data: false });
    }

    /// Adds an undefined symbol, which another library defines.
    pub fn import(&mut self, name: &str) {
        self.imports.push(name.to_owned());
    }

    /// Adds another library to the needed ones.
    pub fn need(&mut self, soname: &str) {
        self.needed.push(soname.to_owned());
    }

    /// The file's bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut strings = Strings(vec![0]);
        let symbols = self.symbols(&mut strings);
        let versions = self.symbol_versions();
        let definitions = self.version_definitions(&mut strings);
        let soname = strings.add(&self.soname);
        let needed: Vec<u64> = self.needed.iter().map(|name| strings.add(name).into()).collect();

        let mut file = File::default();
        file.add(".dynsym", SHT_DYNSYM, &symbols, 24, Links { link: 2, info: 1 }, false);
        file.add(".dynstr", SHT_STRTAB, &strings.0, 0, Links::default(), false);
        file.add(".gnu.version", SHT_GNU_VERSYM, &versions, 2, Links { link: 1, info: 0 }, false);
        let mut dynamic: Vec<(u64, u64)> = needed.iter().map(|&at| (DT_NEEDED, at)).collect();
        let addresses: Vec<u64> = file.sections.iter().map(|section| section.offset).collect();
        dynamic.extend([(DT_SONAME, soname.into()), (DT_SYMTAB, addresses[0])]);
        dynamic.extend([(DT_STRTAB, addresses[1]), (DT_STRSZ, strings.0.len() as u64)]);
        dynamic.extend([(DT_SYMENT, 24), (DT_VERSYM, addresses[2])]);
        if !self.versions.is_empty() {
            let count = self.versions.len() as u32 + 1;
            file.add(
                ".gnu.version_d",
                SHT_GNU_VERDEF,
                &definitions,
                0,
                Links { link: 2, info: count },
                false,
            );
            let at = file.sections.last().map_or(0, |section| section.offset);
            dynamic.extend([(DT_VERDEF, at), (DT_VERDEFNUM, u64::from(count))]);
        }
        dynamic.push((0, 0));
        let words = dynamic.iter().flat_map(|&(tag, value)| [tag, value]);
        let content: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        file.add(".dynamic", SHT_DYNAMIC, &content, 16, Links { link: 2, info: 0 }, false);
        // The section of the symbols; `symbols` has its index.
        file.add(".text", 1, &[0xc3; 16], 0, Links::default(), true);
        file.finish()
    }

    fn symbols(&self, strings: &mut Strings) -> Vec<u8> {
        let text = if self.versions.is_empty() { 5 } else { 6 };
        let mut table = vec![0; 24];
        let mut entry = |name: u32, info: u8, section: u16, size: u64| {
            table.extend(name.to_le_bytes());
            table.extend([info, 0]);
            table.extend(section.to_le_bytes());
            table.extend([0; 8]);
            table.extend(size.to_le_bytes());
        };
        for name in &self.imports {
            entry(strings.add(name), 0x12, 0, 0);
        }
        for export in &self.exports {
            let info = if export.is_data { 0x11 } else { 0x12 };
            entry(strings.add(&export.name), info, text, 8);
        }
        table
    }

    fn symbol_versions(&self) -> Vec<u8> {
        let exports = self.exports.iter().map(|export| export.version);
        let all = [0].into_iter().chain(self.imports.iter().map(|_| 1)).chain(exports);
        all.flat_map(u16::to_le_bytes).collect()
    }

    /// The library's own version and the others; gABI's Verdef with one Verdaux each.
    fn version_definitions(&self, strings: &mut Strings) -> Vec<u8> {
        let names = [&self.soname].into_iter().chain(&self.versions);
        let mut content = Vec::new();
        for (at, name) in names.enumerate() {
            let next: u32 = if at == self.versions.len() { 0 } else { 28 };
            content.extend(1_u16.to_le_bytes());
            content.extend(u16::from(at == 0).to_le_bytes());
            content.extend((at as u16 + 2).to_le_bytes());
            content.extend(1_u16.to_le_bytes());
            let name_at = strings.add(name);
            for word in [hash(name), 20, next, name_at, 0] {
                content.extend(word.to_le_bytes());
            }
        }
        content
    }
}

/// The hash of the System V ABI, which version records carry.
fn hash(name: &str) -> u32 {
    name.bytes().fold(0, |hash: u32, byte| {
        let hash = (hash << 4).wrapping_add(byte.into());
        let high = hash & 0xf000_0000;
        (hash ^ (high >> 24)) & !high
    })
}

struct Strings(Vec<u8>);

impl Strings {
    fn add(&mut self, text: &str) -> u32 {
        let at = self.0.len() as u32;
        self.0.extend(text.bytes().chain([0]));
        at
    }
}

/// The fields of a section header by which it refers to other sections or counts entries.
#[derive(Clone, Copy, Default)]
struct Links {
    /// `sh_link`
    link: u32,
    /// `sh_info`
    info: u32,
}

struct Placed {
    name: u32,
    kind: u32,
    offset: u64,
    size: u64,
    entry_size: u64,
    links: Links,
    is_code: bool,
}

/// Header, program headers, contents; addresses are offsets.
struct File {
    bytes: Vec<u8>,
    names: Vec<u8>,
    sections: Vec<Placed>,
    dynamic: (u64, u64),
}

/// Offset of the contents, behind the header and two program headers.
const CONTENT: usize = 64 + 2 * 56;

impl Default for File {
    fn default() -> Self {
        Self { bytes: vec![0; CONTENT], names: vec![0], sections: Vec::new(), dynamic: (0, 0) }
    }
}

impl File {
    fn add(
        &mut self,
        name: &str,
        kind: u32,
        content: &[u8],
        entry_size: u64,
        links: Links,
        is_code: bool,
    ) {
        self.bytes.resize(self.bytes.len().next_multiple_of(16), 0);
        let (offset, size) = (self.bytes.len() as u64, content.len() as u64);
        self.bytes.extend(content);
        let at = self.names.len() as u32;
        self.names.extend(name.bytes().chain([0]));
        if kind == SHT_DYNAMIC {
            self.dynamic = (offset, size);
        }
        self.sections.push(Placed { name: at, kind, offset, size, entry_size, links, is_code });
    }

    fn finish(mut self) -> Vec<u8> {
        let loaded = self.bytes.len() as u64;
        self.add(".shstrtab", SHT_STRTAB, &[], 0, Links::default(), false);
        let names = std::mem::take(&mut self.names);
        self.bytes.extend(&names);
        if let Some(last) = self.sections.last_mut() {
            last.size = names.len() as u64;
        }
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let table = self.bytes.len() as u64;
        self.bytes.extend([0; 64]);
        let count = self.sections.len();
        for (at, section) in self.sections.iter().enumerate() {
            let is_loaded = at + 1 < count;
            // SHF_ALLOC, and SHF_EXECINSTR.
            let flags = u64::from(is_loaded) * 2 + u64::from(section.is_code) * 4;
            let address = if is_loaded { section.offset } else { 0 };
            self.bytes.extend(section.name.to_le_bytes());
            self.bytes.extend(section.kind.to_le_bytes());
            for field in [flags, address, section.offset, section.size] {
                self.bytes.extend(field.to_le_bytes());
            }
            self.bytes.extend(section.links.link.to_le_bytes());
            self.bytes.extend(section.links.info.to_le_bytes());
            for field in [8, section.entry_size] {
                self.bytes.extend(field.to_le_bytes());
            }
        }
        let mut start = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        start.extend([3, 0, 62, 0, 1, 0, 0, 0]); // ET_DYN, EM_X86_64, EV_CURRENT
        start.extend([0; 8]);
        start.extend(64_u64.to_le_bytes());
        start.extend(table.to_le_bytes());
        start.extend([0, 0, 0, 0, 64, 0, 56, 0, 2, 0, 64, 0]);
        start.extend((count as u16 + 1).to_le_bytes());
        start.extend((count as u16).to_le_bytes());
        segment(&mut start, 1, 5, 0, loaded, 4096);
        let (offset, size) = self.dynamic;
        segment(&mut start, 2, 4, offset, size, 8);
        self.bytes[..CONTENT].copy_from_slice(&start);
        self.bytes
    }
}

fn segment(out: &mut Vec<u8>, kind: u32, flags: u32, offset: u64, size: u64, align: u64) {
    out.extend(kind.to_le_bytes());
    out.extend(flags.to_le_bytes());
    for field in [offset, offset, offset, size, size, align] {
        out.extend(field.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::elf::{FileHeader64, SHT_DYNSYM};
    use object::read::elf::{FileHeader, Sym};
    use object::{LittleEndian, SymbolIndex};

    #[test]
    fn what_is_written_is_read_back() {
        let mut library = Library::new("libx.so");
        library.import("elsewhere");
        library.export("f");
        let old = library.version("OLD");
        library.export_as("g", old, false);
        library.need("liby.so");
        let (bytes, endian) = (library.write(), LittleEndian);
        let data = bytes.as_slice();
        let header = FileHeader64::<LittleEndian>::parse(data).unwrap();
        let sections = header.sections(endian, data).unwrap();
        let symbols = sections.symbols(endian, data, SHT_DYNSYM).unwrap();
        let names: Vec<_> =
            symbols.iter().map(|s| s.name(endian, symbols.strings()).unwrap()).collect();
        assert_eq!(names, [&b""[..], b"elsewhere", b"f", b"g"]);
        let text = sections.section_by_name(endian, b".text").unwrap().0;
        assert_eq!(symbols.symbol(SymbolIndex(2)).unwrap().st_shndx(endian), text.0 as u16);
        let versions = sections.versions(endian, data).unwrap().unwrap();
        let index = versions.version_index(endian, SymbolIndex(3));
        assert!(index.is_hidden());
        assert_eq!(versions.version(index).unwrap().unwrap().name(), b"OLD");
        let (dynamic, _) = sections.dynamic(endian, data).unwrap().unwrap();
        assert_eq!(dynamic[0].d_tag.get(endian), DT_NEEDED);
    }
}
