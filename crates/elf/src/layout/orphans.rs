//! Places orphans, sections that no statement of a script takes, where GNU ld places them
//! (`ldelf_place_orphan` in `ldelf.c`, `lang_insert_orphan` in `ldlang.c`). An orphan joins the
//! output section of its name, or is placed behind the standard section of its kind (the model), or
//! behind the last section like it.

use super::items::{Item, Layout};
use super::nature::Traits;
use super::output_sections::{OutputSection, Synthetic};
use crate::script::statements::{OutputStatement, Place, SectionKind};
use object::elf::*;
use skald_core::unordered::UnorderedMap;
use skald_linking::expr::Expr;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An output section statement for orphans of this name; if it takes no memory its address is 0.
pub fn statement(name: Vec<u8>, has_place: bool) -> Arc<OutputStatement> {
    let place = Place { script: Arc::from(""), line: 0 };
    let address = (!has_place).then(|| Expr::number(0));
    Arc::new(OutputStatement { address, ..OutputStatement::new(name, place) })
}

/// The kind of an orphan, which decides where it is placed.
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

/// The properties of an orphan that decide its place: those of its first input, or of the linker's
/// section.
#[derive(Debug, Clone, Copy)]
struct Orphan {
    traits: Traits,
    sh_type: u32,
    /// Flags specific to machine or system.
    special_flags: u64,
    align: u64,
    is_common: bool,
}

const SPECIAL_FLAGS: u64 = SHF_MASKOS as u64 | SHF_MASKPROC as u64 | SHF_LINK_ORDER as u64;

impl Orphan {
    fn new(section: &OutputSection) -> Orphan {
        let own = (section.sh_type, section.sh_flags, section.align);
        let first = section.first.map(|first| (first.sh_type, first.sh_flags, first.align));
        let (sh_type, sh_flags, align) = first.unwrap_or(own);
        // GNU ld's own notes have no contents yet when it places them, so they are like no other
        // section: without notes among the inputs they stand before all sections.
        let is_own_note = matches!(
            section.kind(),
            Some(Synthetic::BuildId | Synthetic::Package | Synthetic::Memtag)
        );
        let absent = if is_own_note { Traits::CONTENTS } else { Traits::default() };
        Orphan {
            traits: Traits::of_header(sh_type, sh_flags, &section.name).without(absent),
            sh_type,
            special_flags: section.sh_flags & SPECIAL_FLAGS,
            align,
            is_common: section.first.is_some_and(|first| first.is_common)
                && section.sh_flags & u64::from(SHF_TLS) == 0,
        }
    }

    fn is_note(&self) -> bool {
        self.sh_type == SHT_NOTE && self.traits.has(Traits::LOADED)
    }

    /// The orphan's kind; `None` for debug sections, which are not placed among others.
    fn kind(&self) -> Option<Kind> {
        let traits = self.traits;
        let in_memory = Traits::LOADED | Traits::CONTENTS | Traits::THREAD_LOCAL;
        Some(match self.sh_type {
            _ if !traits.has(Traits::ALLOCATED | Traits::DEBUG) => Kind::Unloaded,
            _ if !traits.has(Traits::ALLOCATED) => return None,
            SHT_NOTE if self.is_note() => Kind::Note,
            _ if !traits.has(in_memory) => Kind::Bss,
            _ if traits.has(Traits::THREAD_LOCAL) => Kind::Tls,
            _ if !traits.has(Traits::READ_ONLY) => Kind::Data,
            SHT_RELA | SHT_REL => Kind::Relocations,
            _ if !traits.has(Traits::CODE) => Kind::ReadOnly,
            _ => Kind::Text,
        })
    }
}

impl Kind {
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

    /// The traits that a script's section with a model's name has even if nothing is in it.
    fn of_model(name: &[u8]) -> Traits {
        let writable = Traits::DATA.without(Traits::READ_ONLY);
        match name {
            b".text" => Traits::DATA | Traits::CODE,
            b".rodata" | b".rela.dyn" | b".rel.dyn" | b".interp" => Traits::DATA,
            b".tdata" => writable | Traits::THREAD_LOCAL,
            b".data" | b".sdata" => writable,
            b".bss" => Traits::ALLOCATED,
            b".comment" => Traits::CONTENTS,
            _ => Traits::default(),
        }
    }
}

/// The orphans of a kind so far.
#[derive(Debug, Clone, Copy, Default)]
struct PlacedOrphans {
    /// The model: the section that all orphans of the kind follow.
    model: Option<usize>,
    /// The last orphan.
    last: Option<usize>,
}

/// The items of a script as a linked list, into which orphans are inserted; there may be very many
/// orphans.
pub struct Places {
    /// The items of the script, then the orphans.
    items: Vec<Item>,
    /// By item, the item behind it; `None` for the last.
    next: Vec<Option<usize>>,
    /// The first item; `None` if there are no items.
    first: Option<usize>,
    /// The last item.
    last: Option<usize>,
    /// By heading, the index of its item.
    item_of: UnorderedMap<usize, usize>,
    /// Headings with each name, in order.
    named: UnorderedMap<Vec<u8>, Vec<usize>>,
    holds: UnorderedMap<Kind, PlacedOrphans>,
    notes: Notes,
}

/// The first run of note sections. They are sorted by descending alignment, so that they share a
/// program header.
#[derive(Debug, Default)]
struct Notes {
    first: Option<usize>,
    /// By alignment: the last heading with it that no greater alignment follows.
    last: BTreeMap<u64, usize>,
    /// The last orphan added to the run found another note there: from now on nothing is placed
    /// between notes.
    is_closed: bool,
}

impl Notes {
    /// Adds the last note section of the run.
    fn push(&mut self, heading: usize, align: u64) {
        self.first.get_or_insert(heading);
        self.last.retain(|&own, _| own > align);
        self.last.insert(align, heading);
    }
}

impl Places {
    /// Takes the items of a script out of `layout`, until [`Places::finish`].
    pub fn new(layout: &mut Layout) -> Places {
        let items = std::mem::take(&mut layout.items);
        let mut places = Places {
            next: (1..=items.len()).map(|next| (next < items.len()).then_some(next)).collect(),
            first: (!items.is_empty()).then_some(0),
            last: items.len().checked_sub(1),
            items,
            item_of: UnorderedMap::new(),
            named: UnorderedMap::new(),
            holds: UnorderedMap::new(),
            notes: Notes::default(),
        };
        let mut run_ended = false;
        for (item, heading) in places.headings() {
            let Some(heading) = heading else { continue };
            places.item_of.insert(heading, item);
            let own = &layout.headings[heading];
            let name = own.statement.name.clone();
            places.named.entry(name).or_default().push(heading);
            let Some(traits) = own.nature.traits() else { continue };
            if own.nature.known_type() != SHT_NOTE || !traits.has(Traits::LOADED) {
                run_ended |= places.notes.first.is_some();
            } else if !run_ended {
                places.notes.push(heading, own.nature.align());
            }
        }
        places
    }

    /// Puts the items back into `layout`, in order.
    pub fn finish(mut self, layout: &mut Layout) {
        let order: Vec<usize> = self.order().collect();
        let mut take = |at: usize| std::mem::replace(&mut self.items[at], Item::NotMade);
        layout.items = order.into_iter().map(&mut take).collect();
    }

    /// Indices of the items, in order.
    fn order(&self) -> impl Iterator<Item = usize> {
        std::iter::successors(self.first, |&at| self.next[at])
    }

    /// Item and heading of each output section, in order; `None` for sections that are not made.
    fn headings(&self) -> Vec<(usize, Option<usize>)> {
        let heading = |at: usize| match self.items[at] {
            Item::Heading(heading) => Some((at, Some(heading))),
            Item::NotMade => Some((at, None)),
            _ => None,
        };
        self.order().filter_map(heading).collect()
    }

    /// The output section that takes an orphan: one with its name that has no content, or that has
    /// the same type and is loaded if the orphan is.
    pub fn find(&self, layout: &Layout, section: &OutputSection) -> Option<usize> {
        let orphan = Orphan::new(section);
        let named = self.named.get(&section.name)?;
        if orphan.is_common {
            return named.first().copied();
        }
        let memory = Traits::LOADED | Traits::ALLOCATED;
        let mut not_made = None;
        for &heading in named {
            let nature = &layout.headings[heading].nature;
            let Some(traits) = nature.traits() else {
                not_made = Some(heading);
                continue;
            };
            let is_like = traits.only(memory) == orphan.traits.only(memory)
                && nature.special_flags() & SPECIAL_FLAGS == orphan.special_flags
                && nature.known_type() == orphan.sh_type;
            if traits == Traits::default() || is_like {
                return Some(heading);
            }
        }
        not_made
    }

    /// Puts the heading `of` behind all items.
    pub fn append(&mut self, of: usize) {
        self.put(of, self.last);
    }

    /// Inserts the heading `of`, that of an orphan, among the items at the place for its kind.
    pub fn insert(&mut self, layout: &mut Layout, section: &OutputSection, of: usize) {
        let orphan = Orphan::new(section);
        self.named.entry(section.name.clone()).or_default().push(of);
        let Some(kind) = orphan.kind().filter(|_| !orphan.is_common) else {
            return self.append(of);
        };
        let PlacedOrphans { model, last: previous } =
            self.holds.get(&kind).copied().unwrap_or_default();
        let without_addends = || self.named.get(&b".rel.dyn"[..]);
        let named = self.named.get(kind.model());
        let named = match kind {
            Kind::Relocations => named.or_else(without_addends),
            _ => named,
        };
        let named = named.map(|named| named[0]).filter(|&at| at != of);
        let mut model = model.or(named.filter(|_| kind != Kind::Relocations));
        let mut after = previous.or(model).map(|at| self.item_of[&at]);
        if after.is_none() && kind == Kind::Relocations {
            after = self.before_relocations(layout);
            model = after.and_then(|after| self.heading_at(after));
        }
        if after.is_none() {
            let like = self.alike(layout, &orphan);
            after = like.map(|(item, _)| item);
            model = like.and_then(|(item, is_exact)| self.heading_at(item).filter(|_| is_exact));
        }
        self.holds.insert(kind, PlacedOrphans { model, last: Some(of) });
        if let Some(after) = after.and_then(|after| self.heading_at(after)) {
            inherit(layout, after, of);
        }
        let is_filled = kind == Kind::Tls && orphan.traits.has(Traits::CONTENTS);
        let is_behind_zeros = is_filled && previous.is_some_and(|at| is_zeros(layout, at));
        let before = match self.beside_notes(layout, &orphan, after) {
            Some(before) => self.behind(layout, before),
            None if is_behind_zeros => self.before_zeros(layout),
            None if previous.is_some() => after,
            None => self.behind(layout, after),
        };
        self.put(of, before);
        if orphan.is_note() {
            self.add_note(of, orphan.align);
        }
    }

    /// The item before the first `.tbss`. A section with bytes cannot follow `.tbss`. GNU ld places
    /// it there if an input has the `.tbss` first, and gives variables of both the same place.
    fn before_zeros(&self, layout: &Layout) -> Option<usize> {
        let is_other = |&at: &usize| !self.heading_at(at).is_some_and(|at| is_zeros(layout, at));
        self.order().take_while(is_other).last()
    }

    /// The output section that relocations follow (`output_rel_find` in `ldelf.c`): the last before
    /// other relocations that is read-only; or else in memory; or else the last of all.
    fn before_relocations(&self, layout: &Layout) -> Option<usize> {
        let is_other = |heading: &Option<usize>| {
            heading.is_some_and(|at| layout.headings[at].statement.name.starts_with(b".rel"))
        };
        let all = self.headings();
        let before: Vec<_> = all.iter().take_while(|(_, heading)| !is_other(heading)).collect();
        let last = |mask: Traits| {
            let has = |heading: Option<usize>| {
                let traits = heading.and_then(|at| layout.headings[at].nature.traits());
                traits.is_some_and(|traits| traits.only(mask) == mask)
            };
            before.iter().rev().find(|(_, heading)| has(*heading)).map(|found| found.0)
        };
        last(Traits::ALLOCATED | Traits::READ_ONLY)
            .or_else(|| last(Traits::ALLOCATED))
            .or_else(|| before.last().map(|found| found.0))
    }

    fn heading_at(&self, item: usize) -> Option<usize> {
        match self.items[item] {
            Item::Heading(heading) => Some(heading),
            _ => None,
        }
    }

    /// Notes that the heading `of` is a note section, which is in the run of notes.
    fn add_note(&mut self, of: usize, align: u64) {
        self.notes.is_closed = self.notes.first.is_some();
        let is_greatest = self.notes.last.range(align..).next().is_none();
        if is_greatest {
            self.notes.first = Some(of);
        }
        self.notes.last.insert(align, of);
    }

    /// The item that an orphan follows because of notes: a note stands in their run, any other
    /// orphan not between them. `after` is where the orphan would stand otherwise; `None` if notes
    /// do not matter.
    fn beside_notes(
        &self,
        layout: &Layout,
        orphan: &Orphan,
        after: Option<usize>,
    ) -> Option<Option<usize>> {
        let first = self.notes.first?;
        if orphan.is_note() {
            let last = self.notes.last.range(orphan.align..).next();
            return Some(match last {
                Some((_, &last)) => Some(self.item_of[&last]),
                None => self.heading_before(first),
            });
        }
        if !self.notes.is_closed {
            return None;
        }
        let is_note = |item: usize| {
            let nature = self.heading_at(item).map(|at| layout.headings[at].nature);
            nature.is_some_and(|nature| {
                let is_loaded = nature.traits().is_some_and(|traits| traits.has(Traits::LOADED));
                nature.known_type() == SHT_NOTE && is_loaded
            })
        };
        let is_made = |item: &usize| {
            let heading = self.heading_at(*item);
            heading.is_some_and(|at| layout.headings[at].nature.traits().is_some())
        };
        let start = after.map_or(self.first, |after| self.next[after]);
        let mut behind = std::iter::successors(start, |&at| self.next[at]).filter(is_made);
        let next = behind.next().filter(|&next| is_note(next))?;
        Some(behind.filter(|&at| is_note(at)).last().or(Some(next)))
    }

    /// The item of the output section before this heading.
    fn heading_before(&self, heading: usize) -> Option<usize> {
        let all = self.headings();
        let at = all.iter().position(|&(_, own)| own == Some(heading))?;
        Some(all[at.checked_sub(1)?].0)
    }

    /// Inserts a heading behind the item `before`, or before all if `None`.
    fn put(&mut self, heading: usize, before: Option<usize>) {
        let item = self.items.len();
        self.items.push(Item::Heading(heading));
        let place = match before {
            Some(before) => &mut self.next[before],
            None => &mut self.first,
        };
        let next = place.replace(item);
        self.next.push(next);
        if self.last == before {
            self.last = Some(item);
        }
        self.item_of.insert(heading, item);
    }

    /// The item behind which an orphan is inserted that follows the output section at the item
    /// `after`, or precedes all (`None`). Symbols assigned behind that section stay before the
    /// orphan, because as a rule they belong to the section. The next assignment to the location
    /// counter belongs to the section that follows, if that is in memory; the first of all
    /// assignments says where memory begins.
    fn behind(&self, layout: &Layout, after: Option<usize>) -> Option<usize> {
        let mut before = after;
        let mut before_move = None;
        let mut is_passed_over = after.is_none();
        loop {
            let next = match before {
                Some(before) => self.next[before],
                None => self.first,
            };
            let Some(at) = next else { return before };
            match &self.items[at] {
                Item::NotMade => return before_move.unwrap_or(before),
                Item::Heading(heading) => {
                    let nature = &layout.headings[*heading].nature;
                    let is_in_memory = nature
                        .traits()
                        .is_none_or(|traits| traits.has(Traits::ALLOCATED) || !nature.has_inputs());
                    return before_move.filter(|_| is_in_memory).unwrap_or(before);
                }
                Item::Assign(assign)
                    if assign.number.is_none() && !assign.is_tied && before_move.is_none() =>
                {
                    if !std::mem::take(&mut is_passed_over) {
                        before_move = Some(before);
                    }
                }
                Item::Assign(_) | Item::Assert(_) | Item::Segment(_) => {}
            }
            before = Some(at);
        }
    }

    /// The item of the output section that is most like the orphan, and whether all their flags
    /// agree (`lang_output_section_find_by_flags`).
    fn alike(&self, layout: &Layout, orphan: &Orphan) -> Option<(usize, bool)> {
        let all = self.headings();
        let looks: Vec<(usize, Traits, Option<u32>)> = all
            .into_iter()
            .map(|(item, heading)| {
                let Some(heading) = heading else { return (item, Traits::default(), None) };
                let heading = &layout.headings[heading];
                let made = heading.nature.traits();
                let name = &heading.statement.name;
                let is_plain = heading.statement.kind == SectionKind::Plain;
                let is_first = is_plain
                    && self.named.get(name).is_some_and(|all| self.item_of[&all[0]] == item);
                let of_name = || if is_first { Kind::of_model(name) } else { Traits::default() };
                let traits = made.unwrap_or_else(of_name);
                (item, traits, made.map(|_| heading.nature.known_type()))
            })
            .collect();
        let own = orphan.traits;
        let same = |look: Traits, mask: Traits| look.only(mask) == own.only(mask);
        let find = |has_type: bool, is_like: &dyn Fn(Traits) -> bool| {
            let is_right = |sh_type: Option<u32>| {
                !has_type || sh_type.is_none_or(|sh_type| sh_type == orphan.sh_type)
            };
            let mut found = looks.iter().rev();
            found.find(|look| is_right(look.2) && is_like(look.1)).map(|look| look.0)
        };
        let memory = Traits::CONTENTS | Traits::ALLOCATED | Traits::LOADED;
        let unmixed = Traits::READ_ONLY | Traits::CODE | Traits::THREAD_LOCAL;
        [true, false].into_iter().find_map(|has_type| {
            if let Some(exact) = find(has_type, &|look| same(look, memory | unmixed)) {
                return Some((exact, has_type));
            }
            let close = |mask: Traits| find(has_type, &|look: Traits| same(look, mask));
            let found = match own {
                _ if !own.has(Traits::ALLOCATED) => find(false, &|look| same(look, Traits::DEBUG)),
                _ if own.has(Traits::CODE) => close(memory | Traits::CODE | Traits::THREAD_LOCAL),
                _ if own.has(Traits::READ_ONLY) => close(memory | Traits::READ_ONLY),
                _ if own.has(Traits::THREAD_LOCAL) => alike_thread_local(&looks, own),
                _ if own.has(Traits::CONTENTS) => close(memory | Traits::THREAD_LOCAL),
                _ => close(Traits::ALLOCATED),
            };
            found.map(|item| (item, false))
        })
    }
}

/// Whether an output section is `.tbss` (zeros of thread-local storage).
fn is_zeros(layout: &Layout, heading: usize) -> bool {
    let traits = layout.headings[heading].nature.traits();
    traits.is_some_and(|own| own.has(Traits::THREAD_LOCAL) && !own.has(Traits::CONTENTS))
}

/// Where a section of thread-local storage is placed among `looks`: `.tdata` behind data, `.tbss`
/// behind `.tdata`.
fn alike_thread_local(looks: &[(usize, Traits, Option<u32>)], own: Traits) -> Option<usize> {
    let memory = Traits::CONTENTS | Traits::ALLOCATED | Traits::LOADED;
    let wanted = own | Traits::LOADED | Traits::CONTENTS;
    let mask = Traits::THREAD_LOCAL | Traits::ALLOCATED;
    let mut found = None;
    let mut is_among = false;
    for &(item, look, _) in looks {
        if look.only(mask) == wanted.only(mask) {
            if !look.has(Traits::LOADED) && own.has(Traits::LOADED) {
                break;
            }
            (found, is_among) = (Some(item), true);
        } else if is_among {
            break;
        } else if look.only(memory) == wanted.only(memory) {
            found = Some(item);
        }
    }
    found
}

/// An orphan has the memory regions and program headers of the section that it follows.
fn inherit(layout: &mut Layout, after: usize, of: usize) {
    let OutputStatement { region, load_region, segments, .. } = &*layout.headings[after].statement;
    let (region, load_region) = (region.clone(), load_region.clone());
    let segments = segments.clone();
    let own = Arc::make_mut(&mut layout.headings[of].statement);
    if own.address.is_none() {
        own.region = region.or_else(|| load_region.clone());
        (own.load_region, own.segments) = (load_region.clone(), segments);
        layout.headings[of].load_region = load_region;
    }
}
