//! Places orphans, sections that a script does not name: behind the last section of the same kind,
//! as GNU ld does (`ldelf_place_orphan`).

use super::items::{BodyPart, Item, Layout};
use super::output_sections::OutputSection;
use crate::script::statements::{OutputStatement, Place};
use object::elf::*;
use skald_base::expr::Expr;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use std::sync::Arc;

/// The statement of an output section for orphans of this name; without a place in memory its
/// address is 0.
pub fn statement(name: Vec<u8>, has_place: bool) -> Arc<OutputStatement> {
    let place = Place { script: Arc::from(""), line: 0 };
    let address = (!has_place).then(|| Expr::number(0));
    Arc::new(OutputStatement { address, ..OutputStatement::new(name, place) })
}

/// The kind of an orphan, by which its place is found.
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

/// Type, flags and alignment of all parts of an output section together.
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

    /// The name of the standard section that this kind follows, if the script has it.
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

/// The items of a script as a linked list, into which orphans are inserted: there may be very many.
pub struct Places {
    /// The items of the script, then the orphans.
    items: Vec<Item>,
    /// By item, the item behind it; `None` for the last.
    next: Vec<Option<usize>>,
    /// The first item; `None` if there are no items.
    first: Option<usize>,
    /// By heading, the index of its item.
    item_of: UnorderedMap<usize, usize>,
    /// The first output section of the script with each name.
    named: UnorderedMap<Vec<u8>, usize>,
    /// The last orphan of each kind, by heading.
    last: UnorderedMap<Kind, usize>,
    /// Headings of sections that are not loaded.
    unloaded: UnorderedSet<usize>,
    /// The last heading of note sections, by their alignment.
    notes: UnorderedMap<u64, usize>,
    /// The last item of an output section that is not loaded; others like it follow it.
    end: Option<usize>,
}

impl Places {
    /// Takes the items of a script out of `layout`, until [`Places::finish`].
    pub fn new(layout: &mut Layout, parts: &[OutputSection]) -> Places {
        let items = std::mem::take(&mut layout.items);
        let mut places = Places {
            next: (1..=items.len()).map(|next| (next < items.len()).then_some(next)).collect(),
            first: (!items.is_empty()).then_some(0),
            end: items.len().checked_sub(1),
            items,
            item_of: UnorderedMap::new(),
            named: UnorderedMap::new(),
            last: UnorderedMap::new(),
            unloaded: UnorderedSet::new(),
            notes: UnorderedMap::new(),
        };
        for (item, heading) in places.headings() {
            places.item_of.insert(heading, item);
            let name = layout.headings[heading].statement.name.clone();
            places.named.entry(name).or_insert(heading);
            let traits = traits(layout, parts, heading);
            if traits.as_ref().is_some_and(|traits| Kind::of(traits) == Kind::Unloaded) {
                places.unloaded.insert(heading);
            }
            if let Some(note) = traits.filter(|traits| traits.sh_type == SHT_NOTE) {
                places.notes.insert(note.align, heading);
            }
        }
        places
    }

    /// Puts the items back into `layout`, in order.
    pub fn finish(mut self, layout: &mut Layout) {
        let order: Vec<usize> = self.order().collect();
        let placeholder = || Item::Heading(usize::MAX);
        let mut take = |at: usize| std::mem::replace(&mut self.items[at], placeholder());
        layout.items = order.into_iter().map(&mut take).collect();
    }

    /// Indices of the items, in order.
    fn order(&self) -> impl Iterator<Item = usize> {
        std::iter::successors(self.first, |&at| self.next[at])
    }

    /// Item and heading of each output section, in order.
    fn headings(&self) -> Vec<(usize, usize)> {
        let heading = |at: usize| match self.items[at] {
            Item::Heading(heading) => Some((at, heading)),
            _ => None,
        };
        self.order().filter_map(heading).collect()
    }

    /// Puts the heading `of` among the items, where its kind belongs.
    pub fn insert(&mut self, layout: &mut Layout, parts: &[OutputSection], of: usize) {
        let own = traits(layout, parts, of).expect("an orphan has a part");
        let kind = Kind::of(&own);
        if kind == Kind::Unloaded {
            return self.put(of, self.end);
        }
        let previous = self.last.get(&kind).copied();
        // Notes of one alignment stand together, so that they share a program header.
        let note = self.notes.get(&own.align).filter(|_| kind == Kind::Note).copied();
        let after = note.or(previous).or_else(|| self.named.get(kind.model()).copied());
        let after = after.or_else(|| {
            let order: Vec<usize> = self.headings().into_iter().map(|(_, at)| at).collect();
            alike(&own, &order, &|at| traits(layout, parts, at))
        });
        self.last.insert(kind, of);
        if kind == Kind::Note {
            self.notes.insert(own.align, of);
        }
        let before = match after {
            Some(after) => Some(self.behind(after, previous.is_some())),
            None => self.at_start(),
        };
        if let Some(after) = after {
            // An orphan is in the memory region of the section before it, and loaded where that is.
            let region = layout.headings[after].statement.region.clone();
            Arc::make_mut(&mut layout.headings[of].statement).region = region;
        }
        let name = layout.headings[of].statement.name.clone();
        self.named.entry(name).or_insert(of);
        self.put(of, before);
    }

    /// Puts a heading behind the item `before`, or before all if `None`.
    fn put(&mut self, heading: usize, before: Option<usize>) {
        let item = self.items.len();
        self.items.push(Item::Heading(heading));
        let place = match before {
            Some(before) => &mut self.next[before],
            None => &mut self.first,
        };
        let next = place.replace(item);
        self.next.push(next);
        if self.end == before {
            self.end = Some(item);
        }
        self.item_of.insert(heading, item);
    }

    /// The item behind which an orphan stands that follows the output section `after`. Behind a
    /// section of the script it stands behind the symbols assigned there too: as a rule they belong
    /// to the section before them. The next assignment to the location counter belongs to what
    /// follows.
    fn behind(&self, after: usize, is_orphan: bool) -> usize {
        let at = self.item_of[&after];
        match is_orphan {
            true => at,
            false => self.end_of_symbols(Some(at), 0).unwrap_or(at),
        }
    }

    /// Where an orphan stands that has no section of its kind: before the first section, but behind
    /// the first assignment to the location counter, which says where memory begins.
    fn at_start(&self) -> Option<usize> {
        self.end_of_symbols(None, 1)
    }

    /// The last item before the first section behind `start`, or before an assignment to the
    /// location counter that belongs to that section; the first `moves` of these are passed over.
    /// What stands before a section that is not loaded, or at the end, belongs to no section.
    fn end_of_symbols(&self, start: Option<usize>, mut moves: usize) -> Option<usize> {
        let mut before = start;
        let mut before_move = None;
        loop {
            let next = match before {
                Some(before) => self.next[before],
                None => self.first,
            };
            let Some(at) = next else { return before };
            match &self.items[at] {
                Item::Heading(heading) if self.unloaded.contains(heading) => return before,
                Item::Heading(_) => return before_move.unwrap_or(before),
                Item::Assign(assign) if assign.number.is_none() => match moves.checked_sub(1) {
                    None => before_move = before_move.or(Some(before)),
                    Some(left) => moves = left,
                },
                Item::Assign(_) | Item::Assert(_) | Item::Segment(_) => {}
            }
            before = Some(at);
        }
    }
}

/// Traits of a heading's parts together, without its gaps, which GNU ld knows nothing of when it
/// places orphans; `None` if it has none.
fn traits(layout: &Layout, parts: &[OutputSection], heading: usize) -> Option<Traits> {
    let body = layout.headings[heading].body.iter();
    let positions = body.filter(|p| !matches!(p, BodyPart::Gap(..))).filter_map(BodyPart::position);
    Traits::of(positions.map(|at| &parts[at]))
}

/// The last output section that is most like the orphan `own`.
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
