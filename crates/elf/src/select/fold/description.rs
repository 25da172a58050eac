//! Describes a section by words that are equal if two sections may be folded.
//!
//! Sections are equal if their bytes and their descriptions are. A description depends on the
//! current classes, since the same offset in two sections of one class counts as equal.

use super::FoldInput;
use crate::format::elf::{Rela, SymbolId};
use crate::machine::fold::Dependence;
use crate::read::ObjectId;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::{SectionId, Strength};
use crate::resolve::referent::{PackedReferent, Referent};
use crate::script::section_names::known;
use crate::select::eh_frame::Fde;
use crate::select::merge::GroupId;
use object::elf::STT_SECTION;
use skald_core::hash::HashKey;
use skald_core::ids::IdSlice;
use std::sync::atomic::{AtomicU32, Ordering};
use zerocopy::IntoBytes;

/// Kind of target: a section that is alone in its class; the section's id is added.
const SECTION: u64 = 0;
/// Kind of target: a section in a class with others; the class is added.
const CLASS: u64 = 1 << 32;
/// Kind of target: merged content; the group is added.
const PIECE: u64 = 2 << 32;
/// Kind of target: a name that is bound at run time; the name is added.
const NAME: u64 = 3 << 32;
/// Kind of target: a constant.
const CONSTANT: u64 = 4 << 32;
/// Kind of target: a section that is not in the output.
const GONE: u64 = 5 << 32;
/// Kind of target: a symbol that is equal only to itself; the object is added.
const SYMBOL: u64 = 6 << 32;
/// The bits of a word that hold the kind.
const KINDS: u64 = !0 << 32;

/// Marks the beginning of an FDE's description.
const FRAME: u64 = 1;
/// Marks the beginning of the description of a section linked by SHF_LINK_ORDER.
const DEPENDENT: u64 = 2;

/// The target of a relocation: kind and id, the offset in the target or its sum with the addend,
/// and the addend if it counts separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reference {
    what: u64,
    sum: u64,
    addend: u64,
}

/// A section's description, and the sections whose classes it depends on.
#[derive(Debug, Default)]
pub struct Description {
    words: Vec<u64>,
    /// The sections in classes that it refers to, except for the described section itself.
    pub edges: Vec<SectionId>,
}

/// Writes descriptions of sections.
#[derive(Clone, Copy)]
pub struct Describer<'a> {
    /// The tables of the link.
    pub input: &'a FoldInput<'a>,
    /// Class of each section; 0 for sections that are no candidates.
    pub classes: &'a IdSlice<SectionId, AtomicU32>,
}

/// The relocations of a section or of a part of one.
struct Run<'a> {
    object: ObjectId,
    /// What the object's symbols refer to: [`FoldInput::direct`].
    direct: &'a IdSlice<SymbolId, PackedReferent>,
    relocs: &'a [Rela],
    /// Offset of the part's first byte in the section.
    start: u64,
}

impl<'a> Describer<'a> {
    /// A hash of a section's bytes.
    pub fn hash_bytes(&self, id: SectionId, key: &HashKey) -> u64 {
        let section = self.section(id);
        key.hash(self.input.objects[section.object].bytes(section)) as u64
    }

    /// A hash of a section's description. `text` gets the edges.
    pub fn hash(&self, id: SectionId, key: &HashKey, text: &mut Description) -> u64 {
        let section = self.section(id);
        let object = &self.input.objects[section.object];
        text.words.clear();
        outline(section, &mut text.words);
        self.references(id, &self.run_of(section), text);
        for fde in self.input.frames.of_section(section) {
            let (leader, bytes, run) = self.frame(fde);
            text.words.extend([FRAME, leader]);
            push_bytes(bytes, &mut text.words);
            self.references(id, &run, text);
        }
        for dependent in dependents(self.input, id) {
            let section = self.section(dependent);
            text.words.push(DEPENDENT);
            outline(section, &mut text.words);
            push_bytes(object.bytes(section), &mut text.words);
            self.references(id, &self.run_of(section), text);
        }
        key.hash(text.words.as_bytes()) as u64
    }

    /// Whether two sections are equal under the current classes.
    pub fn equal(&self, one: SectionId, other: SectionId) -> bool {
        let (a, b) = (self.section(one), self.section(other));
        if !self.same_content(a, b) {
            return false;
        }
        let (mut frames, mut others) =
            (self.input.frames.of_section(a), self.input.frames.of_section(b));
        loop {
            let ((leader, bytes, run), same) = match (frames.next(), others.next()) {
                (Some(a), Some(b)) => (self.frame(a), self.frame(b)),
                (None, None) => break,
                _ => return false,
            };
            if (leader, bytes) != (same.0, same.1) || !self.same_references(&run, &same.2) {
                return false;
            }
        }
        let (mut own, mut others) = (dependents(self.input, one), dependents(self.input, other));
        loop {
            match (own.next(), others.next()) {
                (Some(a), Some(b)) if self.same_content(self.section(a), self.section(b)) => {}
                (None, None) => return true,
                _ => return false,
            }
        }
    }

    fn section(&self, id: SectionId) -> &'a InputSection {
        &self.input.definitions.sections[id]
    }

    fn run(&self, object: ObjectId, relocs: &'a [Rela], start: u64) -> Run<'a> {
        let direct = self.input.definitions.symbols_of(self.input.direct, object);
        Run { object, direct, relocs, start }
    }

    /// All relocations of a section.
    fn run_of(&self, section: &InputSection) -> Run<'a> {
        let object = &self.input.objects[section.object];
        self.run(section.object, object.relocs(section), 0)
    }

    /// For an FDE: the leader of its CIE, its bytes from the initial location on, and its
    /// relocations. Trailing zeros are left out: they are DW_CFA_nop, with which assemblers pad the
    /// last record of a file.
    fn frame(&self, fde: &Fde) -> (u64, &'static [u8], Run<'a>) {
        let input = self.section(fde.input);
        let object = &self.input.objects[input.object];
        let relocs = self.input.frames.fde_relocs(object, input, fde);
        let start = u64::from(fde.section_offset);
        let body = relocs.first().map_or(start, |reloc| reloc.r_offset()) as usize;
        let end = fde.section_offset as usize + fde.size as usize;
        let leader = self.input.frames.cies[fde.cie].leader;
        let bytes = object.bytes(input).get(body..end).unwrap_or_default();
        let len = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        (leader.into(), &bytes[..len], self.run(input.object, relocs, start))
    }

    /// Adds the targets of the relocations of a part of section `id`.
    #[inline(always)]
    fn references(&self, id: SectionId, run: &Run<'_>, text: &mut Description) {
        text.words.reserve(5 * run.relocs.len() + 1);
        text.words.push(run.relocs.len() as u64);
        for reloc in run.relocs {
            let Reference { what, sum, addend } = self.reference(run, reloc);
            let place = reloc.r_offset().wrapping_sub(run.start);
            text.words.extend([place, reloc.r_type().into(), what, sum, addend]);
            if what & KINDS == CLASS
                && let Some(direct) = run.direct.get(reloc.symbol())
                && let Some(to) = direct.section()
                && to != id
            {
                text.edges.push(to);
            }
        }
    }

    fn same_content(&self, a: &InputSection, b: &InputSection) -> bool {
        let bytes = |section: &InputSection| self.input.objects[section.object].bytes(section);
        outline_of(a) == outline_of(b)
            && bytes(a) == bytes(b)
            && self.same_references(&self.run_of(a), &self.run_of(b))
    }

    fn same_references(&self, one: &Run<'_>, other: &Run<'_>) -> bool {
        let targets = |run: &Run<'_>| self.input.definitions.targets_of(run.object);
        let (targets, other_targets) = (targets(one), targets(other));
        one.relocs.len() == other.relocs.len()
            && one.relocs.iter().zip(other.relocs).all(|(a, b)| {
                let place = |run: &Run<'_>, reloc: &Rela| reloc.r_offset().wrapping_sub(run.start);
                if place(one, a) != place(other, b) || a.r_type() != b.r_type() {
                    return false;
                }
                // One name has one definition.
                if a.r_addend() == b.r_addend()
                    && let Some(&target) = targets.get(a.symbol())
                    && target.is_global()
                    && other_targets.get(b.symbol()) == Some(&target)
                {
                    return true;
                }
                self.reference(one, a) == self.reference(other, b)
            })
    }

    /// The target of `reloc`.
    #[inline(always)]
    fn reference(&self, run: &Run<'_>, reloc: &Rela) -> Reference {
        let &Run { object, direct, .. } = run;
        let symbol = reloc.symbol();
        let addend = reloc.r_addend() as u64;
        let depends = self.input.machine.fold.dependence(reloc.r_type());
        let target = match direct.get(symbol) {
            _ if depends == Dependence::Nothing => {
                return Reference { what: GONE, sum: 0, addend: 0 };
            }
            Some(&target) if depends != Dependence::Size => target,
            _ => return Reference { what: SYMBOL | u64::from(object), sum: symbol.into(), addend },
        };
        let (what, offset) = match target.get() {
            Referent::Global(name) => (NAME | u64::from(name), 0),
            Referent::Nowhere => (GONE, 0),
            Referent::Absolute => (CONSTANT, self.value(object, symbol)),
            Referent::Section(section) => match self.class(section) {
                0 => match self.piece(object, symbol, section, addend) {
                    Some((group, offset)) => (PIECE | u64::from(group), offset),
                    None => (SECTION | u64::from(section), self.value(object, symbol)),
                },
                class => (CLASS | u64::from(class), self.value(object, symbol)),
            },
        };
        let sum = offset.wrapping_add(addend);
        Reference { what, sum, addend: if depends == Dependence::Sum { 0 } else { addend } }
    }

    #[inline(always)]
    fn class(&self, section: SectionId) -> u32 {
        self.classes[section].load(Ordering::Relaxed)
    }

    /// The offset of a symbol in its section, or an absolute symbol's value.
    #[inline(always)]
    fn value(&self, object: ObjectId, symbol: SymbolId) -> u64 {
        let file = &self.input.objects[object];
        if symbol < file.first_global {
            return file.mapped.symbols[symbol].st_value();
        }
        let definitions = self.input.definitions;
        let name = definitions.target_of(object, symbol).name();
        let name = name.expect("a global symbol");
        let rank = definitions.ranks[name];
        match rank.strength() {
            Strength::Strong | Strength::Weak => {
                let winner = &self.input.objects[rank.object()];
                winner.mapped.symbols[rank.symbol()].st_value()
            }
            // A common symbol is a section of its own; its `st_value` is an alignment.
            _ => 0,
        }
    }

    /// If `section` is merged: the group, and the offset in the group's output without the addend.
    #[inline(always)]
    fn piece(
        &self,
        object: ObjectId,
        symbol: SymbolId,
        section: SectionId,
        addend: u64,
    ) -> Option<(GroupId, u64)> {
        let member = self.input.merged.member(section)?;
        let file = &self.input.objects[object];
        let value = self.value(object, symbol);
        let is_section = file.mapped.symbols[symbol].kind() == STT_SECTION;
        let offset = if is_section {
            // With a section symbol the addend selects the piece.
            member.output_offset(value.wrapping_add(addend)).wrapping_sub(addend)
        } else {
            member.output_offset(value)
        };
        Some((member.group, offset))
    }
}

/// Fields of a section record that are equal in equal sections.
fn outline_of(section: &InputSection) -> [u64; 2] {
    const SHARED: u32 = SectionFlags::WRITE
        | SectionFlags::EXEC
        | SectionFlags::TLS
        | SectionFlags::NOBITS
        | SectionFlags::LARGE
        | SectionFlags::HAS_DEPENDENTS;
    [section.size, u64::from(section.output()) << 32 | u64::from(section.flags.0 & SHARED)]
}

fn outline(section: &InputSection, words: &mut Vec<u64>) {
    words.extend(outline_of(section));
}

/// Appends the number of `bytes`, and the bytes, padded with zeros.
fn push_bytes(bytes: &[u8], words: &mut Vec<u64>) {
    words.push(bytes.len() as u64);
    let (whole, rest) = bytes.as_chunks::<8>();
    words.extend(whole.iter().map(|&chunk| u64::from_le_bytes(chunk)));
    if !rest.is_empty() {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        words.push(u64::from_le_bytes(last));
    }
}

/// Loaded sections that are linked to a section by SHF_LINK_ORDER and are folded with it. Not
/// exception tables, which are folded by themselves.
pub fn dependents<'a>(
    input: &'a FoldInput<'_>,
    id: SectionId,
) -> impl Iterator<Item = SectionId> + 'a {
    linked(input, id).filter(|&dependent| {
        let section = &input.definitions.sections[dependent];
        section.flags.has(SectionFlags::ALLOC)
            && !section.class.is(known::GCC_EXCEPT_TABLE)
            && input.live.is_live(dependent)
    })
}

/// Sections that are linked to a section by SHF_LINK_ORDER.
pub fn linked<'a>(input: &'a FoldInput<'_>, id: SectionId) -> impl Iterator<Item = SectionId> + 'a {
    let object = &input.objects[input.definitions.sections[id].object];
    input.definitions.linked_to(id, object)
}
