//! `--optimize-bb-jumps`: between basic blocks in sections of their own that end up adjacent, no
//! jump is needed from one to the next. Compilers make such sections (`-fbasic-block-sections=`),
//! which end in a jump wherever the block has a successor; only the linker knows which sections are
//! adjacent.
//!
//! The rules are lld's. A last jump to the next section is removed. If a conditional jump to the
//! next section stands before a last jump, its condition is inverted, it gets the last jump's
//! target, and the last jump is removed.
//!
//! Which bytes reach the output then depends on the order of sections. So this ends selection, once
//! the order is known and before anything is planned. Objects with such sections get other bytes,
//! relocations, symbol sizes and FDE ranges, as if they had been compiled that way; later stages
//! see nothing else. Lengths in debug information stay, as in lld.

use crate::format::eh_frame::encoding;
use crate::format::elf::{Rela, Sym, SymbolId};
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::{ObjectFile, ObjectId, Objects, Symbols};
use crate::resolve::definitions::{Definitions, SectionId, Strength, attr};
use crate::resolve::linker_symbols::ClaimedSymbols;
use crate::select::eh_frame::EhFrames;
use crate::select::fold::Folds;
use crate::select::liveness::Liveness;
use crate::select::selected::Selected;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use std::collections::BTreeMap;

/// Larger sections are not changed: sections up to this are written in one part with what follows.
const LARGEST: u64 = 1 << 20;

/// How a machine's code ends in jumps to the section that may follow in the output.
pub struct LastJumps {
    /// Bytes that a section loses with its last jump.
    pub size: u64,
    /// The relocation of the jump at the end of the code, if that jump is the last relocated place.
    pub last_jump: for<'a> fn(&[u8], &'a [Rela]) -> Option<&'a Rela>,
    /// The relocation of the conditional jump before the last jump.
    pub condition_before: for<'a> fn(&[u8], &'a [Rela]) -> Option<&'a Rela>,
    /// Whether a branch may go through a PLT entry, so that the loader never writes its distance.
    pub is_by_plt: fn(&Rela) -> bool,
    /// The code without its last jump.
    pub without_jump: fn(&[u8]) -> &[u8],
    /// The code without its last jump, with the opposite condition in the jump before.
    pub inverted: fn(&[u8]) -> Vec<u8>,
    /// Whether something in the code may branch directly to the last jump, past the conditional
    /// one.
    pub is_last_jump_reached: fn(&[u8]) -> bool,
    /// A branch's distance counts from this many bytes behind the start of its field.
    pub origin: u64,
}

/// How the end of a section is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    /// The last jump is removed.
    Drop,
    /// The last jump is removed, and the conditional jump before it gets the opposite condition.
    Invert,
}

/// The sections that are changed, by object.
type Changes = BTreeMap<ObjectId, Vec<(SectionId, Change)>>;

/// The tables in which such jumps are found.
pub struct FallThroughInput<'a> {
    jumps: &'static LastJumps,
    frames: &'a EhFrames,
    live: &'a Liveness,
    folds: &'a Folds,
    claimed: &'a ClaimedSymbols,
}

impl<'a> FallThroughInput<'a> {
    /// Collects the machine's rules, the tables of selection, and the names that the linker
    /// defines.
    pub fn new(
        jumps: &'static LastJumps,
        selected: &'a Selected,
        claimed: &'a ClaimedSymbols,
    ) -> FallThroughInput<'a> {
        let Selected { frames, live, folds, .. } = selected;
        FallThroughInput { jumps, frames, live, folds, claimed }
    }
}

/// Removes last jumps to the section that follows in the same output section; `order` has the
/// sections of each output section of code.
pub fn drop_last_jumps(
    input: &FallThroughInput<'_>,
    objects: &mut Objects,
    definitions: &mut Definitions,
    order: &[&[SectionId]],
) {
    let leaders = input.folds.folded.iter().map(|folded| (folded.section, folded.leader));
    let claimed = input.claimed.symbols.iter().map(|symbol| symbol.name);
    let search = Search {
        input,
        objects,
        definitions,
        leaders: leaders.collect(),
        claimed: claimed.collect(),
        aliases: input.claimed.aliases(),
    };
    let changes = search.changes(order);
    // Symbols of folded sections refer to their leaders, which may shrink.
    let mut shrunk: BTreeMap<ObjectId, Vec<SectionId>> = BTreeMap::new();
    let all: UnorderedSet<SectionId> =
        changes.values().flatten().map(|&(section, _)| section).collect();
    let stand_ins = input.folds.folded.iter().filter(|folded| all.contains(&folded.leader));
    for (&object, sections) in &changes {
        shrunk.entry(object).or_default().extend(sections.iter().map(|&(id, _)| id));
    }
    for section in stand_ins.map(|folded| folded.section) {
        let object = definitions.sections[section].object;
        shrunk.entry(object).or_default().push(section);
    }
    let jumps = input.jumps;
    for (&object, sections) in &shrunk {
        shrink_symbols(jumps.size, definitions, &mut objects[object], sections);
    }
    for (&object, sections) in &changes {
        shrink(jumps, definitions, &mut objects[object], sections);
        shrink_frames(definitions, &mut objects[object], input.frames, object, sections);
    }
}

/// Gives the sections of an object their new bytes and relocations.
fn shrink(
    jumps: &LastJumps,
    definitions: &mut Definitions,
    object: &mut ObjectFile,
    changes: &[(SectionId, Change)],
) {
    for &(id, change) in changes {
        let section = &mut definitions.sections[id];
        let (code, relocs) = (object.bytes(section), object.relocs(section));
        let kept = &relocs[..relocs.len() - 1];
        let (code, relocs) = match change {
            Change::Drop => ((jumps.without_jump)(code), kept),
            Change::Invert => (&*(jumps.inverted)(code).leak(), redirected(relocs)),
        };
        replace_bytes(object, section, code);
        section.flags.set(SectionFlags::FALLS_THROUGH);
        section.set_relocs(&mut object.mapped, relocs);
    }
}

/// Changes value and size of symbols in sections that will lose `lost` bytes at their end.
fn shrink_symbols(
    lost: u64,
    definitions: &Definitions,
    object: &mut ObjectFile,
    sections: &[SectionId],
) {
    let sections = sections.iter().map(|&id| &definitions.sections[id]);
    let old_sizes: UnorderedMap<u32, u64> = sections.map(|s| (s.shndx, s.size)).collect();
    let mut symbols: Vec<Sym> = object.mapped.symbols.to_vec();
    for (index, symbol) in symbols.iter_mut().enumerate() {
        let Some(shndx) = object.symbol_section(SymbolId::from_index(index)) else { continue };
        let Some(&old) = old_sizes.get(&shndx) else { continue };
        let (value, size) = (symbol.st_value(), symbol.st_size());
        let new = old - lost;
        if value > new && value <= old {
            symbol.set_st_value(value - lost);
        } else if let Some(end) = value.checked_add(size)
            && end > new
            && end <= old
        {
            symbol.set_st_size(size - (end - new));
        }
    }
    object.mapped.symbols = Symbols::new(symbols.leak());
}

/// Shortens the FDEs of shrunk sections: ranges must not overlap, and an empty one must not hide
/// the function behind it.
fn shrink_frames(
    definitions: &mut Definitions,
    object: &mut ObjectFile,
    of_objects: &EhFrames,
    at: ObjectId,
    changes: &[(SectionId, Change)],
) {
    let shrunk: UnorderedSet<SectionId> = changes.iter().map(|&(id, _)| id).collect();
    let mut frames: BTreeMap<SectionId, Vec<u8>> = BTreeMap::new();
    for fde in of_objects.fdes_of(at).iter().filter(|fde| shrunk.contains(&fde.section)) {
        let record = &definitions.sections[fde.input];
        let reloc = object.reloc(record, fde.first_reloc);
        let encoding = of_objects.cies[fde.cie].fde_encoding;
        let file = object.mapped.encoding;
        let Some(width @ (4 | 8)) = encoding::size(encoding, file.word_size()) else { continue };
        let value = object.mapped.symbols[reloc.symbol()].st_value();
        let start = value.wrapping_add_signed(reloc.r_addend());
        let room = definitions.sections[fde.section].size.saturating_sub(start);
        let field = reloc.r_offset() as usize + width;
        let bytes = frames.entry(fde.input).or_insert_with(|| object.bytes(record).to_vec());
        let Some(field) = bytes.get_mut(field..field + width) else { continue };
        let length = file.order.unsigned(field).min(room);
        file.order.put_low(field, length);
    }
    for (id, bytes) in frames {
        replace_bytes(object, &mut definitions.sections[id], bytes.leak());
    }
}

/// The relocations without the last one. If the condition is inverted, the one before gets the last
/// one's symbol.
fn redirected(relocs: &'static [Rela]) -> &'static [Rela] {
    let [kept @ .., condition, jump] = relocs else { return relocs };
    let mut moved = *jump;
    moved.set_r_offset(condition.r_offset());
    [kept, &[moved]].concat().leak()
}

fn replace_bytes(object: &mut ObjectFile, section: &mut InputSection, bytes: &'static [u8]) {
    section.data_offset = object.mapped.decoded_data.len() as u64;
    section.size = bytes.len() as u64;
    section.flags.set(SectionFlags::DECODED_DATA);
    object.mapped.decoded_data.push(bytes);
}

/// Searches for last jumps to the section that follows.
struct Search<'a> {
    input: &'a FallThroughInput<'a>,
    objects: &'a Objects,
    definitions: &'a Definitions,
    /// The leader of each folded section.
    leaders: UnorderedMap<SectionId, SectionId>,
    /// Names that the linker defines, whose values are not known yet.
    claimed: UnorderedSet<NameId>,
    /// `--defsym NAME=OTHER`: the other name.
    aliases: UnorderedMap<NameId, NameId>,
}

impl Search<'_> {
    fn changes(&self, order: &[&[SectionId]]) -> Changes {
        let mut changes = Changes::new();
        for sections in order {
            let found: Vec<(SectionId, Change)> = (0..sections.len())
                .into_par_iter()
                .with_min_len(256)
                .filter_map(|at| Some((sections[at], self.change(&sections[at..])?)))
                .collect();
            for (id, change) in found {
                let object = self.definitions.sections[id].object;
                changes.entry(object).or_default().push((id, change));
            }
        }
        let entered = self.entered(&changes);
        for sections in changes.values_mut() {
            sections.retain(|(id, change)| *change == Change::Drop || !entered.contains(id));
        }
        changes.retain(|_, sections| !sections.is_empty());
        changes
    }

    /// The change to the first of `sections`, which the others follow in the output.
    fn change(&self, sections: &[SectionId]) -> Option<Change> {
        let (&id, behind) = sections.split_first()?;
        let section = &self.definitions.sections[id];
        let is_fit = section.flags.has(SectionFlags::EXEC)
            && !section.flags.has(SectionFlags::NOBITS | SectionFlags::COMMON)
            && section.size <= LARGEST;
        if !is_fit {
            return None;
        }
        let object = &self.objects[section.object];
        let (code, relocs) = (object.bytes(section), object.relocs(section));
        let jumps = self.input.jumps;
        let jump = (jumps.last_jump)(code, relocs)?;
        if self.leads_on(section.object, jump, behind) {
            return Some(Change::Drop);
        }
        let condition = (jumps.condition_before)(code, relocs)?;
        // The loader may have to write the distance of the last jump, but its field would be gone.
        let is_fit = ((jumps.is_by_plt)(jump) || !self.is_imported(section.object, jump))
            && self.leads_on(section.object, condition, behind)
            && !(jumps.is_last_jump_reached)(code);
        is_fit.then_some(Change::Invert)
    }

    /// Whether a branch goes to the section that follows, or past empty sections to the one behind
    /// them.
    fn leads_on(&self, object: ObjectId, branch: &Rela, behind: &[SectionId]) -> bool {
        let Some(target) = self.target(object, branch) else { return false };
        let size_of = |id: SectionId| self.definitions.sections[id].size;
        let empty = behind.iter().take_while(|&&id| id != target && size_of(id) == 0).count();
        behind.get(empty) == Some(&target)
    }

    fn is_imported(&self, object: ObjectId, branch: &Rela) -> bool {
        let definitions = self.definitions;
        let target = definitions.target_of(object, branch.symbol());
        let name = target.name();
        name.and_then(|name| definitions.globals.get(name))
            .is_some_and(|global| global.has(attr::IMPORTED))
    }

    /// The section to whose start a branch goes, if that is known at link time.
    fn target(&self, object: ObjectId, branch: &Rela) -> Option<SectionId> {
        let (definitions, objects) = (self.definitions, self.objects);
        let symbol = branch.symbol();
        let target = definitions.target_of(object, symbol);
        let (value_base, value) = if let Some(value_base) = target.value_base() {
            (value_base, objects[object].mapped.symbols.get(symbol)?.st_value())
        } else {
            if self.is_imported(object, branch) {
                return None;
            }
            let name = target.name()?;
            let name = self.aliases.get(&name).copied().unwrap_or(name);
            let (&rank, global) = (definitions.ranks.get(name)?, definitions.globals[name]);
            let is_own = matches!(rank.strength(), Strength::Strong | Strength::Weak)
                && global.has(attr::DEFINED)
                && !global.has(attr::IMPORTED | attr::IFUNC)
                && !self.claimed.contains(&name);
            if !is_own {
                return None;
            }
            let winner = &objects[rank.object()].mapped.symbols[rank.symbol()];
            (global.value_base, winner.st_value())
        };
        let offset =
            value.wrapping_add_signed(branch.r_addend()).wrapping_add(self.input.jumps.origin);
        let section = value_base.section().filter(|_| offset == 0)?;
        Some(if self.input.live.is_folded(section) {
            self.leaders.get(&section).copied().unwrap_or(section)
        } else {
            section
        })
    }

    /// Sections whose condition would be inverted, but that have a symbol at the last jump (also
    /// one of a section folded into them): others may branch there, past the condition.
    fn entered(&self, changes: &Changes) -> UnorderedSet<SectionId> {
        let records = &self.definitions.sections;
        let inverted = changes.values().flatten().filter(|(_, change)| *change == Change::Invert);
        let inverted: UnorderedSet<SectionId> = inverted.map(|&(id, _)| id).collect();
        let folded = self.input.folds.folded.iter().map(|folded| (folded.section, folded.leader));
        let own = changes.values().flatten().map(|&(id, _)| (id, id));
        // By object: section header index, and how the section is changed.
        let mut places: BTreeMap<ObjectId, UnorderedMap<u32, SectionId>> = BTreeMap::new();
        for (id, changed) in own.chain(folded).filter(|(_, id)| inverted.contains(id)) {
            let record = &records[id];
            places.entry(record.object).or_default().insert(record.shndx, changed);
        }
        let lost = self.input.jumps.size;
        let mut entered = UnorderedSet::new();
        for (object, places) in places {
            let file = &self.objects[object];
            for (index, symbol) in file.mapped.symbols.with_ids() {
                let Some(shndx) = file.symbol_section(index) else { continue };
                let Some(&id) = places.get(&shndx) else { continue };
                if symbol.st_value() == records[id].size - lost {
                    entered.insert(id);
                }
            }
        }
        entered
    }
}
