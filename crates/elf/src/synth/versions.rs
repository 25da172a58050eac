//! Symbol versions: `.gnu.version`, `.gnu.version_d` and `.gnu.version_r`.
//!
//! `.gnu.version` has a version index for each symbol of `.dynsym`: 0 for local ones, 1 for global
//! ones without a version. Other symbols have the index of their definition ([`Verdef`], from 2 on;
//! 1 is the library itself) or of their requirement ([`Verneed`], from the last definition on). Bit
//! 15 marks definitions that links do not bind to by default (`name@VERSION`).
//!
//! Names go to `.dynstr` while planning and are resolved when writing, after its tails are merged.
//! Source: LSB 5.0 core, 10.7 "Symbol Versioning"; the weak flags of definitions are GNU ld's.

use skald_core::unordered::UnorderedMap;

use object::elf::{VER_FLG_BASE, VER_FLG_WEAK, VERSYM_HIDDEN, VERSYM_VERSION};

use super::sysv_hash::sysv_hash;
use crate::format::encoding::Encoding;
use crate::format::fields::FieldWriter;
use skald_linking::string_table::StringTable;
use zerocopy::little_endian::U16;

const VERDEF_SIZE: usize = 20;
const VERDAUX_SIZE: usize = 8;
const VERNEED_SIZE: usize = 16;
const VERNAUX_SIZE: usize = 16;
/// `vd_version` and `vn_version`: the only revision.
const CURRENT: u16 = 1;

/// More versions than the 15 bits of an index can tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyVersions;

impl std::fmt::Display for TooManyVersions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "more than {VERSYM_VERSION} symbol versions")
    }
}

impl std::error::Error for TooManyVersions {}

/// `.gnu.version`.
#[derive(Debug, Clone, Default)]
pub struct Versym {
    /// The version index of each symbol of `.dynsym`, the null symbol included.
    pub indices: Vec<u16>,
}

impl Versym {
    /// The index of a definition that binds only references with its version.
    pub const fn hidden(index: u16) -> u16 {
        index | VERSYM_HIDDEN
    }

    /// Bytes of the section.
    pub fn size(&self) -> u64 {
        2 * self.indices.len() as u64
    }

    /// Fills `out`, which is [`Versym::size`] bytes long.
    pub fn write(&self, encoding: Encoding, out: &mut [u8]) {
        assert_eq!(out.len() as u64, self.size());
        encoding.fill(out, |fields: &mut [U16]| {
            for (field, &index) in fields.iter_mut().zip(&self.indices) {
                *field = index.into();
            }
        });
    }
}

/// A version that the output defines: a node of the version script.
#[derive(Debug, Clone, Copy)]
pub struct VersionNode<'a> {
    /// As the version script has it.
    pub name: &'a [u8],
    /// The nodes that it inherits from, as positions in the list of nodes, in script order.
    pub parents: &'a [usize],
    /// Neither a symbol nor a pattern uses the version: VER_FLG_WEAK.
    pub is_weak: bool,
}

/// The offset of a name in `.dynstr` and, if it is a version, its hash.
#[derive(Debug, Clone, Copy)]
struct Name {
    offset: u32,
    hash: u32,
}

impl Name {
    fn new(name: &[u8], strings: &mut StringTable) -> Name {
        Name { offset: strings.add(name), hash: sysv_hash(name) }
    }
}

#[derive(Debug, Clone)]
struct Definition {
    flags: u16,
    /// The version, then its parents: a Verdaux each.
    names: Vec<Name>,
}

/// `.gnu.version_d`.
#[derive(Debug, Clone, Default)]
pub struct Verdef {
    definitions: Vec<Definition>,
    /// Version indices left unused between that of the base and that of the first node.
    skipped: u16,
}

impl Verdef {
    /// The version index of node number `node`.
    pub const fn index_of(node: usize) -> u16 {
        node as u16 + 2
    }

    /// Defines `nodes`, and the base version: `base_name` is the DT_SONAME or, without one, the
    /// name of the output file. Without nodes there is no section and the size is 0. `skipped`
    /// indices are left unused before those of nodes.
    pub fn plan(
        base_name: &[u8],
        nodes: &[VersionNode<'_>],
        skipped: u16,
        strings: &mut StringTable,
    ) -> Result<Verdef, TooManyVersions> {
        if nodes.is_empty() {
            return Ok(Verdef::default());
        }
        if nodes.len() + 1 + usize::from(skipped) > usize::from(VERSYM_VERSION) {
            return Err(TooManyVersions);
        }
        let base = Definition { flags: VER_FLG_BASE, names: vec![Name::new(base_name, strings)] };
        let mut definitions = vec![base];
        for node in nodes {
            if node.parents.len() >= usize::from(u16::MAX) {
                return Err(TooManyVersions);
            }
            let parents = node.parents.iter().map(|&parent| nodes[parent].name);
            definitions.push(Definition {
                flags: if node.is_weak { VER_FLG_WEAK } else { 0 },
                names: [node.name]
                    .into_iter()
                    .chain(parents)
                    .map(|name| Name::new(name, strings))
                    .collect(),
            });
        }
        Ok(Verdef { definitions, skipped })
    }

    /// Definitions with the base: DT_VERDEFNUM and `sh_info`.
    pub fn count(&self) -> u32 {
        self.definitions.len() as u32
    }

    /// The first version index that is free for [`Verneed`].
    pub fn next_index(&self) -> u16 {
        self.definitions.len().max(1) as u16 + 1 + self.skipped
    }

    /// Bytes of the section.
    pub fn size(&self) -> u64 {
        let size = |d: &Definition| (VERDEF_SIZE + VERDAUX_SIZE * d.names.len()) as u64;
        self.definitions.iter().map(size).sum()
    }

    /// Fills `out`, which is [`Verdef::size`] bytes long.
    pub fn write(&self, encoding: Encoding, out: &mut [u8]) {
        let mut fields = FieldWriter::new(encoding, out);
        for (position, definition) in self.definitions.iter().enumerate() {
            let names = definition.names.len();
            let is_last = position + 1 == self.definitions.len();
            fields.u16(CURRENT);
            fields.u16(definition.flags);
            let skipped = if position == 0 { 0 } else { self.skipped };
            fields.u16(position as u16 + 1 + skipped);
            fields.u16(names as u16);
            fields.u32(definition.names[0].hash);
            fields.u32(VERDEF_SIZE as u32);
            fields.u32(if is_last { 0 } else { VERDEF_SIZE + VERDAUX_SIZE * names } as u32);
            for (at, name) in definition.names.iter().enumerate() {
                fields.u32(name.offset);
                fields.u32(if at + 1 == names { 0 } else { VERDAUX_SIZE } as u32);
            }
        }
        fields.finish();
    }
}

/// A reference to a version of a shared library, in order of use.
#[derive(Debug, Clone, Copy)]
pub struct VersionUse<'a> {
    /// Position of the library in the list of DT_NEEDED.
    pub library: usize,
    /// The version, as the library defines it.
    pub version: &'a [u8],
}

#[derive(Debug, Clone, Copy)]
struct Requirement {
    name: Name,
    index: u16,
}

#[derive(Debug, Clone)]
struct Library {
    soname: u32,
    requirements: Vec<Requirement>,
}

/// `.gnu.version_r`.
#[derive(Debug, Clone, Default)]
pub struct Verneed {
    /// Libraries of which versions are needed, in DT_NEEDED order.
    libraries: Vec<Library>,
}

impl Verneed {
    /// Requires the versions that `uses` name of the libraries `needed` (DT_SONAMEs in DT_NEEDED
    /// order). Requirements are grouped by library in that order, and are in order of first use
    /// within a library. Their indices count from `first_index` in the order of the section. The
    /// second result is the index of each use. No requirement is weak, whatever its uses are, as in
    /// all peers.
    pub fn plan(
        needed: &[&[u8]],
        uses: &[VersionUse<'_>],
        first_index: u16,
        strings: &mut StringTable,
    ) -> Result<(Verneed, Vec<u16>), TooManyVersions> {
        let mut libraries: Vec<Library> =
            vec![Library { soname: 0, requirements: Vec::new() }; needed.len()];
        // A version is known by its name's offset in `.dynstr`, which is the same for equal names.
        let mut known = UnorderedMap::new();
        let mut positions = Vec::with_capacity(uses.len());
        for one in uses {
            let name = Name::new(one.version, strings);
            let requirements = &mut libraries[one.library].requirements;
            let position = *known.entry((one.library, name.offset)).or_insert_with(|| {
                requirements.push(Requirement { name, index: 0 });
                requirements.len() - 1
            });
            positions.push(position);
        }
        let mut next_index = first_index;
        for (library, soname) in libraries.iter_mut().zip(needed) {
            if !library.requirements.is_empty() {
                library.soname = strings.add(soname);
            }
            for requirement in &mut library.requirements {
                if next_index > VERSYM_VERSION {
                    return Err(TooManyVersions);
                }
                requirement.index = next_index;
                next_index += 1;
            }
        }
        let index = |(one, &position): (&VersionUse<'_>, &usize)| {
            libraries[one.library].requirements[position].index
        };
        let indices = uses.iter().zip(&positions).map(index).collect();
        libraries.retain(|library| !library.requirements.is_empty());
        Ok((Verneed { libraries }, indices))
    }

    /// Libraries with requirements: DT_VERNEEDNUM and `sh_info`.
    pub fn count(&self) -> u32 {
        self.libraries.len() as u32
    }

    /// Bytes of the section.
    pub fn size(&self) -> u64 {
        let size = |l: &Library| (VERNEED_SIZE + VERNAUX_SIZE * l.requirements.len()) as u64;
        self.libraries.iter().map(size).sum()
    }

    /// Fills `out`, which is [`Verneed::size`] bytes long.
    pub fn write(&self, encoding: Encoding, out: &mut [u8]) {
        let mut fields = FieldWriter::new(encoding, out);
        for (position, library) in self.libraries.iter().enumerate() {
            let count = library.requirements.len();
            let is_last = position + 1 == self.libraries.len();
            fields.u16(CURRENT);
            fields.u16(count as u16);
            fields.u32(library.soname);
            fields.u32(VERNEED_SIZE as u32);
            fields.u32(if is_last { 0 } else { VERNEED_SIZE + VERNAUX_SIZE * count } as u32);
            for (at, requirement) in library.requirements.iter().enumerate() {
                fields.u32(requirement.name.hash);
                fields.u16(0);
                fields.u16(requirement.index);
                fields.u32(requirement.name.offset);
                fields.u32(if at + 1 == count { 0 } else { VERNAUX_SIZE } as u32);
            }
        }
        fields.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Class;
    use crate::synth::blank;
    use skald_linking::byte_order::ByteOrder;

    fn strings(names: &[&str]) -> StringTable {
        let mut strings = StringTable::new();
        for name in names {
            strings.add(name.as_bytes());
        }
        strings
    }

    fn words(out: &[u8]) -> Vec<u32> {
        out.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect()
    }

    /// Tables of versions are the same in both classes.
    const BIG: Encoding = Encoding::new(Class::Elf32, ByteOrder::Big);

    fn node<'a>(name: &'a str, parents: &'a [usize], is_weak: bool) -> VersionNode<'a> {
        VersionNode { name: name.as_bytes(), parents, is_weak }
    }

    #[test]
    fn versym_fills_exactly_size() {
        let versym = Versym { indices: vec![0, 1, Versym::hidden(2)] };
        let mut out = blank(versym.size());
        versym.write(Encoding::NATIVE, &mut out);
        assert_eq!(out, [0, 0, 1, 0, 2, 0x80]);
        versym.write(BIG, &mut out);
        assert_eq!(out, [0, 0, 0, 1, 0x80, 2]);
    }

    /// What GNU ld 2.40 writes for `V1 {f}; V2 {tab} V1; V3 {} V2 V1;` and `-soname libv.so`, but
    /// for the order of V3's parents, which is the script's here.
    #[test]
    fn verdef_as_gnu_ld() {
        let mut strings = strings(&[&"x".repeat(0x6f), "libv.so", "V1", "V2", "V3"]);
        let nodes = [node("V1", &[], false), node("V2", &[0], false), node("V3", &[0, 1], true)];
        let verdef = Verdef::plan(b"libv.so", &nodes, 0, &mut strings).unwrap();
        assert_eq!((verdef.count(), verdef.next_index(), Verdef::index_of(2)), (4, 5, 4));
        let mut out = blank(verdef.size());
        verdef.write(BIG, &mut out);
        assert_eq!(out[..8], [0, 1, 0, 1, 0, 1, 0, 1], "halves in their order");
        assert_eq!(out[8..12], [2, 0xf9, 0x95, 0xef]);
        verdef.write(Encoding::NATIVE, &mut out);
        let expected = [
            [0x0001_0001, 0x0001_0001, 0x02f9_95ef, 0x14, 0x1c, 0x71, 0].as_slice(),
            &[0x0000_0001, 0x0001_0002, 0x0591, 0x14, 0x1c, 0x79, 0],
            &[0x0000_0001, 0x0002_0003, 0x0592, 0x14, 0x24, 0x7c, 8, 0x79, 0],
            &[0x0002_0001, 0x0003_0004, 0x0593, 0x14, 0, 0x7f, 8, 0x79, 8, 0x7c, 0],
        ];
        assert_eq!(words(&out), expected.concat());
    }

    #[test]
    fn nothing_defined_or_required_takes_nothing() {
        let mut strings = StringTable::new();
        let verdef = Verdef::plan(b"libv.so", &[], 0, &mut strings).unwrap();
        assert_eq!((verdef.size(), verdef.count(), verdef.next_index()), (0, 0, 2));
        let (verneed, indices) = Verneed::plan(&[b"libc.so.6"], &[], 2, &mut strings).unwrap();
        assert_eq!((verneed.size(), verneed.count(), indices.len()), (0, 0, 0));
        assert_eq!(strings.size(), 1, "and no names");
    }

    fn one(library: usize, version: &'static str) -> VersionUse<'static> {
        VersionUse { library, version: version.as_bytes() }
    }

    #[test]
    fn verneed_groups_by_library_and_first_use() {
        let mut strings = strings(&["x", "one", "two", "lib1.so", "A", "B", "lib2.so"]);
        let uses = [one(2, "A"), one(0, "B"), one(0, "A"), one(0, "B"), one(0, "A"), one(2, "A")];
        let needed: [&[u8]; 3] = [b"lib1.so", b"unused.so", b"lib2.so"];
        let (verneed, indices) = Verneed::plan(&needed, &uses, 5, &mut strings).unwrap();
        assert_eq!(indices, [7, 5, 6, 5, 6, 7]);
        assert_eq!(verneed.count(), 2);
        let mut out = blank(verneed.size());
        verneed.write(BIG, &mut out);
        assert_eq!(out[..8], [0, 1, 0, 2, 0, 0, 0, 0x0b]);
        verneed.write(Encoding::NATIVE, &mut out);
        let expected = [
            [0x0002_0001, 0x0b, 0x10, 0x30].as_slice(),
            &[0x42, 0x0005_0000, 0x15, 0x10],
            &[0x41, 0x0006_0000, 0x13, 0],
            &[0x0001_0001, 0x17, 0x10, 0],
            &[0x41, 0x0007_0000, 0x13, 0],
        ];
        assert_eq!(words(&out), expected.concat());
    }

    #[test]
    fn indices_have_15_bits() {
        let mut strings = StringTable::new();
        let names: Vec<String> = (0..0x7fff).map(|i| format!("V{i}")).collect();
        let nodes: Vec<_> = names.iter().map(|name| node(name, &[], false)).collect();
        let verdef = Verdef::plan(b"base", &nodes[..0x7ffe], 0, &mut strings).unwrap();
        let needed: [&[u8]; 1] = [b"lib"];
        let uses = [one(0, "A")];
        let next = verdef.next_index();
        assert!(Verneed::plan(&needed, &uses, next, &mut strings).is_err());
        assert!(Verneed::plan(&needed, &uses, next - 1, &mut strings).is_ok());
        assert!(Verdef::plan(b"base", &nodes, 0, &mut strings).is_err());
    }
}
