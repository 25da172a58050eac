//! Where sections go that a script does not name: behind the last that is like them, as GNU ld has
//! it (`ldelf_place_orphan`).

use super::super::output_sections::OutputSection;
use super::{BodyPart, Item, ScriptedLayout};
use crate::script::statements::{OutputStatement, Place};
use object::elf::*;
use skald_core::unordered::UnorderedMap;

/// The output section of an orphan.
pub fn statement(name: Vec<u8>) -> OutputStatement {
    OutputStatement::new(name, Place { script: "".into(), line: 0 })
}

/// What a section is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Text,
    ReadOnly,
    Tls,
    Data,
    Bss,
    Relocations,
    Note,
    Unloaded,
}

/// What counts of all parts of a section together.
struct Traits {
    sh_type: u32,
    sh_flags: u64,
    align: u64,
}

impl Traits {
    fn of<'a>(parts: impl Iterator<Item = &'a OutputSection>) -> Option<Traits> {
        let each = parts.map(|part| Traits {
            sh_type: part.sh_type,
            sh_flags: part.sh_flags,
            align: part.align,
        });
        each.reduce(|all, part| Traits {
            sh_type: if all.sh_type == SHT_NOBITS { part.sh_type } else { all.sh_type },
            sh_flags: all.sh_flags | part.sh_flags,
            align: all.align.max(part.align),
        })
    }
}

impl Kind {
    fn of(section: &Traits) -> Kind {
        let has = |flag: u32| section.sh_flags & u64::from(flag) != 0;
        match section.sh_type {
            _ if !has(SHF_ALLOC) => Kind::Unloaded,
            SHT_NOTE => Kind::Note,
            SHT_NOBITS if !has(SHF_TLS) => Kind::Bss,
            _ if has(SHF_TLS) => Kind::Tls,
            _ if has(SHF_WRITE) => Kind::Data,
            SHT_RELA | SHT_REL => Kind::Relocations,
            _ if has(SHF_EXECINSTR) => Kind::Text,
            _ => Kind::ReadOnly,
        }
    }

    /// The section that such ones follow, if the script has it.
    fn model(self) -> &'static [u8] {
        match self {
            Kind::Text => b".text",
            Kind::ReadOnly => b".rodata",
            Kind::Tls => b".tdata",
            Kind::Data => b".data",
            Kind::Bss => b".bss",
            Kind::Relocations => b".rela.dyn",
            Kind::Note => b".interp",
            Kind::Unloaded => b".comment",
        }
    }
}

/// Where the last orphan of each kind went, by heading.
#[derive(Default)]
pub struct Places(UnorderedMap<Kind, usize>);

impl Places {
    /// Puts the heading `of` among the items.
    pub fn insert(&mut self, layout: &mut ScriptedLayout, parts: &[OutputSection], of: usize) {
        let first = |at: usize| {
            let positions = layout.headings[at].body.iter().filter_map(BodyPart::position);
            Traits::of(positions.map(|at| &parts[at]))
        };
        let own = first(of).expect("an orphan has a part");
        let kind = Kind::of(&own);
        if kind == Kind::Unloaded {
            layout.items.push(Item::Heading(of));
            return;
        }
        let order: Vec<usize> = layout.order().collect();
        let named = |name: &[u8]| {
            order.iter().copied().find(|&at| layout.headings[at].statement.name == name)
        };
        let previous = self.0.get(&kind).copied();
        // Notes of one alignment stand together, so that they share a program header.
        let is_alike = |&&at: &&usize| {
            first(at).is_some_and(|s| s.sh_type == SHT_NOTE && s.align == own.align)
        };
        let note = order.iter().rev().find(is_alike).filter(|_| kind == Kind::Note).copied();
        let after = note.or(previous).or_else(|| named(kind.model()));
        let after = after.or_else(|| alike(&own, &order, &first));
        self.0.insert(kind, of);
        let at = match after {
            Some(after) => behind(layout, after, previous.is_some()),
            None => at_start(layout),
        };
        if let Some(after) = after {
            // In the region of those before it, and loaded where they are.
            let region = layout.headings[after].statement.region.clone();
            layout.headings[of].statement.region = region;
        }
        layout.items.insert(at, Item::Heading(of));
    }
}

/// The last section that is most like this one.
fn alike(own: &Traits, order: &[usize], first: &impl Fn(usize) -> Option<Traits>) -> Option<usize> {
    let contents = |s: &Traits| s.sh_type != SHT_NOBITS;
    let flags = |s: &Traits, mask: u32| s.sh_flags & u64::from(mask);
    let find = |is_like: &dyn Fn(&Traits) -> bool| {
        order.iter().copied().rev().find(|&at| first(at).is_some_and(|traits| is_like(&traits)))
    };
    let all = SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR | SHF_TLS;
    let is_same = |mask: u32| {
        move |s: &Traits| contents(s) == contents(own) && flags(s, mask) == flags(own, mask)
    };
    find(&is_same(all)).or_else(|| match Kind::of(own) {
        Kind::Text => find(&is_same(all & !SHF_WRITE)),
        Kind::ReadOnly | Kind::Note | Kind::Relocations => find(&is_same(all & !SHF_EXECINSTR)),
        Kind::Tls => find(&|s| contents(s) && flags(s, SHF_ALLOC | SHF_WRITE) != 0),
        Kind::Data => find(&|s| contents(s) && flags(s, SHF_ALLOC) != 0),
        Kind::Bss => find(&|s| flags(s, SHF_ALLOC) != 0),
        Kind::Unloaded => None,
    })
}

/// The place behind an output section, and behind the symbols that are assigned there: those are
/// rather about what is before them. The next move of the location counter is for what follows.
fn behind(layout: &ScriptedLayout, after: usize, is_orphan: bool) -> usize {
    let is_it = |item: &Item| matches!(item, Item::Heading(at) if *at == after);
    let at = layout.items.iter().position(is_it).expect("among the items") + 1;
    if is_orphan { at } else { end_of_symbols(layout, at, 0) }
}

/// The place of what is like nothing: before the first section, behind the first move of the
/// location counter, which says where memory begins.
fn at_start(layout: &ScriptedLayout) -> usize {
    end_of_symbols(layout, 0, 1)
}

/// The first section from `start` on, or move of the location counter but for the first `moves`.
fn end_of_symbols(layout: &ScriptedLayout, start: usize, mut moves: usize) -> usize {
    for (at, item) in layout.items.iter().enumerate().skip(start) {
        match item {
            Item::Heading(_) => return at,
            Item::Assign(assign) if assign.number.is_none() => match moves.checked_sub(1) {
                None => return at,
                Some(left) => moves = left,
            },
            Item::Assign(_) | Item::Assert(_) => {}
        }
    }
    layout.items.len()
}
