//! Objects that stand for files of intermediate code: with their symbols and COMDAT groups, but no
//! contents.

use crate::format::elf::{Ehdr, Shdr, Sym};
use crate::format::encoding::Encoding;
use crate::machine::Machine;
use object::elf::*;
use skald_core::unordered::UnorderedMap;
use skald_plugin::wire::{Symbol, def};

/// Section header index of the section for all definitions outside of groups.
const PLAIN: u16 = 1;
/// Groups beyond this number have no section; their definitions are weak.
const MOST_GROUPS: usize = 0x7f00;

/// The sections and symbols so far.
#[derive(Default)]
struct Parts {
    strings: Vec<u8>,
    locals: Vec<Sym>,
    globals: Vec<Sym>,
    /// By signature, the number of its group.
    groups: UnorderedMap<Vec<u8>, usize>,
    signatures: Vec<Vec<u8>>,
}

impl Parts {
    fn string(&mut self, text: &[u8]) -> u32 {
        let at = self.strings.len() as u32;
        self.strings.extend_from_slice(text);
        self.strings.push(0);
        at
    }

    /// Section header index of the section of a group; `None` if there are too many.
    fn group(&mut self, key: &[u8]) -> Option<u16> {
        let next = self.signatures.len();
        let number = match self.groups.get(key) {
            Some(&number) => number,
            None if next >= MOST_GROUPS => return None,
            None => {
                self.groups.insert(key.to_vec(), next);
                self.signatures.push(key.to_vec());
                next
            }
        };
        Some(section_of(number))
    }
}

/// The section of a group, which follows the group's own header.
fn section_of(group: usize) -> u16 {
    PLAIN + 2 * (group as u16 + 1)
}

/// The object that stands for a file with these global symbols, in their order.
pub fn make(machine: &Machine, symbols: &[Symbol]) -> &'static [u8] {
    let mut parts = Parts { strings: vec![0], locals: vec![Sym::default()], ..Parts::default() };
    for symbol in symbols {
        let made = global(&mut parts, symbol);
        parts.globals.push(made);
    }
    let mut places = UnorderedMap::new();
    if !parts.signatures.is_empty() {
        for (at, symbol) in (0u32..).zip(symbols) {
            places.entry(&symbol.name[..]).or_insert(at);
        }
    }
    // As a rule a signature is a symbol of the file.
    let mut signatures = Vec::new();
    for key in std::mem::take(&mut parts.signatures) {
        let place = places.get(&key[..]).copied();
        if place.is_none() {
            let mut local = Sym::default();
            local.set_st_name(parts.string(&key));
            local.set_st_shndx(PLAIN);
            parts.locals.push(local);
        }
        signatures.push(place.ok_or(parts.locals.len() as u32 - 1));
    }
    let first = parts.locals.len() as u32;
    let signatures = signatures.into_iter().map(|place| match place {
        Ok(global) => first + global,
        Err(local) => local,
    });
    assemble(machine, &parts, signatures.collect())
}

fn global(parts: &mut Parts, symbol: &Symbol) -> Sym {
    let mut made = Sym::default();
    let name = match &symbol.version[..] {
        [] => parts.string(&symbol.name),
        version => parts.string(&[&symbol.name, &b"@"[..], version].concat()),
    };
    made.set_st_name(name);
    let kind = match symbol.symbol_type {
        1 => STT_FUNC,
        2 => STT_OBJECT,
        _ => STT_NOTYPE,
    };
    let is_grouped = !symbol.comdat_key.is_empty();
    let section = match symbol.def {
        def::UNDEF | def::WEAK_UNDEF => Some(SHN_UNDEF),
        def::COMMON => Some(SHN_COMMON),
        _ if is_grouped => parts.group(&symbol.comdat_key),
        _ => Some(PLAIN),
    };
    let is_weak = matches!(symbol.def, def::WEAK_DEF | def::WEAK_UNDEF) || section.is_none();
    let bind = if is_weak { STB_WEAK } else { STB_GLOBAL };
    made.set_st_info(bind << 4 | if section == Some(SHN_UNDEF) { STT_NOTYPE } else { kind });
    made.set_st_other(match symbol.visibility {
        1 => STV_PROTECTED,
        2 => STV_INTERNAL,
        3 => STV_HIDDEN,
        _ => STV_DEFAULT,
    });
    let section = section.unwrap_or(PLAIN);
    made.set_st_shndx(section);
    if section == SHN_COMMON {
        // An alignment of 1; the object that the plugin makes has the right one.
        made.set_st_value(1);
    }
    if section != SHN_UNDEF {
        made.set_st_size(symbol.size);
    }
    made
}

fn assemble(machine: &Machine, parts: &Parts, signatures: Vec<u32>) -> &'static [u8] {
    let encoding = Encoding::of(machine);
    let (header_size, entry_size) = (encoding.size::<Ehdr>(), encoding.size::<Shdr>());
    let mut image = vec![0u8; header_size];
    let names = b"\0.text\0.group\0.symtab\0.strtab\0.shstrtab\0";
    let symtab = u32::from(section_of(signatures.len())) - 1;
    let mut headers = vec![Shdr::default()];
    let add = |image: &mut Vec<u8>, name: u32, sh_type: u32, sh_flags: u32, content: &[u8]| {
        image.resize(image.len().next_multiple_of(8), 0);
        let mut header = Shdr::default();
        header.set_sh_name(name);
        header.set_sh_type(sh_type);
        header.set_sh_flags(sh_flags.into());
        header.set_sh_offset(image.len() as u64);
        header.set_sh_size(content.len() as u64);
        header.set_sh_addralign(1);
        image.extend_from_slice(content);
        header
    };
    let code = SHF_ALLOC | SHF_EXECINSTR;
    headers.push(add(&mut image, 1, SHT_PROGBITS, code, &[]));
    for (number, &signature) in signatures.iter().enumerate() {
        let member = u32::from(section_of(number));
        let words = [GRP_COMDAT, member].map(|word| encoding.order.bytes(word)).concat();
        let mut group = add(&mut image, 7, SHT_GROUP, 0, &words);
        group.set_sh_link(symtab);
        group.set_sh_info(signature);
        group.set_sh_entsize(4);
        headers.push(group);
        headers.push(add(&mut image, 1, SHT_PROGBITS, code | SHF_GROUP, &[]));
    }
    let symbols = [encoding.bytes(&parts.locals), encoding.bytes(&parts.globals)].concat();
    let mut table = add(&mut image, 14, SHT_SYMTAB, 0, &symbols);
    table.set_sh_link(symtab + 1);
    table.set_sh_info(parts.locals.len() as u32);
    table.set_sh_entsize(encoding.size::<Sym>() as u64);
    headers.push(table);
    headers.push(add(&mut image, 22, SHT_STRTAB, 0, &parts.strings));
    headers.push(add(&mut image, 30, SHT_STRTAB, 0, names));
    image.resize(image.len().next_multiple_of(8), 0);
    let mut header = Ehdr::of_machine(machine, ET_REL, ELFOSABI_NONE);
    header.set_e_shoff(image.len() as u64);
    header.set_e_shentsize(entry_size as u16);
    header.set_e_shnum(headers.len() as u16);
    header.set_e_shstrndx(headers.len() as u16 - 1);
    encoding.write(&header, &mut image[..header_size]);
    image.extend_from_slice(&encoding.bytes(&headers));
    Box::leak(image.into_boxed_slice())
}
