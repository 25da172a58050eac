//! `-fsplit-stack`: a function compiled with this option checks in its prologue whether the stack
//! has the bytes that it needs, and calls `__morestack` if not. A function compiled without it
//! makes no check, and needs an unknown size. Before such a function is called, much more stack is
//! needed. So the caller's prologue is changed to request `--split-stack-adjust-size` more bytes,
//! and its call of `__morestack` goes to `__morestack_non_split`.
//!
//! The rules are those of lld and gold. Functions of shared libraries may be of either kind, and
//! count as compiled without the option. In a link without `__morestack` there is nothing to do.

use crate::args::Options;
use crate::diagnose::location::display_name;
use crate::loops::code::SplitStack;
use crate::read::ObjectId;
use crate::read::candidates::Candidates;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{SectionId, Strength, attr};
use crate::resolve::extract::Extraction;
use crate::resolve::linker_symbols::ClaimedSymbols;
use crate::rewrite::words::Word;
use crate::synth::image::Image;
use crate::synth::values::{self, Value};
use object::elf::STT_FUNC;
use skald_core::diag::Diag;
use skald_core::ids::{Column, IdRange, IdSlice};
use skald_core::names::NameId;
use skald_core::unordered::UnorderedMap;
use std::collections::BTreeMap;

/// Bytes of stack that are requested for functions without a split stack.
const ADJUST_SIZE: u32 = 0x4000;

/// The section in objects compiled with `-fsplit-stack`.
const SPLIT: &[u8] = b".note.GNU-split-stack";
/// The section in those of these objects that also have functions without a split stack.
const SOME_NOT_SPLIT: &[u8] = b".note.GNU-no-split-stack";

/// The tables that are read besides the image.
pub struct SplitStackInput<'a> {
    /// How the machine's split-stack code is recognized and changed.
    pub code: &'static SplitStack,
    /// `--split-stack-adjust-size` and `--demangle` are read.
    pub options: &'a Options,
    /// For the names of files in messages.
    pub candidates: &'a Candidates,
    /// Names: `__morestack` and related ones are looked up.
    pub extraction: &'a Extraction,
    /// Names that the linker defines: calling them needs no stack.
    pub claimed: &'a ClaimedSymbols,
    /// Receives errors about functions that cannot be changed.
    pub diag: &'a Diag,
}

/// The words that change prologues and calls.
pub fn words(input: &SplitStackInput<'_>, image: &Image<'_>) -> Vec<Word> {
    let names = &input.extraction.names;
    let find = |text: &[u8]| names.find_text(text);
    let Some(more_stack) = find(b"__morestack") else { return Vec::new() };
    // With libgcc the indexes of archives make the name known even if nothing needs it.
    if !image.definitions.globals[more_stack].has(attr::DEFINED | attr::SHARED) {
        return Vec::new();
    }
    let aliases = input.claimed.aliases();
    let is_split: Column<ObjectId, bool> =
        image.objects.ids().map(|at| has_section(image, at, SPLIT)).collect();
    let non_split = find(b"__morestack_non_split").and_then(|name| {
        match values::decode(image.values.of_name[name]) {
            Value::Plain(address) if address != 0 => Some(address),
            _ => None,
        }
    });
    let mixing = Mixing { input, image, is_split: &is_split, more_stack, non_split, aliases };
    let split = image.objects.ids().filter(|&at| is_split[at]);
    let sections = split.flat_map(|at| image.definitions.sections_of(at).ids());
    let mut words = Vec::new();
    for id in sections {
        let is_code = image.definitions.sections[id].flags.has(SectionFlags::EXEC);
        if is_code && image.liveness.is_live(id) {
            mixing.section(id, &mut words);
        }
    }
    words
}

fn has_section(image: &Image<'_>, object: ObjectId, name: &[u8]) -> bool {
    let object = &image.objects[object];
    (1..object.mapped.shdrs.len() as u32).any(|shndx| object.section_name(shndx) == name)
}

/// The tables for a link that mixes code with and without split stacks.
struct Mixing<'a> {
    input: &'a SplitStackInput<'a>,
    image: &'a Image<'a>,
    /// By object: whether it has [`SPLIT`].
    is_split: &'a IdSlice<ObjectId, bool>,
    /// The name `__morestack`.
    more_stack: NameId,
    /// Address of `__morestack_non_split`.
    non_split: Option<u64>,
    /// `--defsym NAME=OTHER`: the other name.
    aliases: UnorderedMap<NameId, NameId>,
}

impl Mixing<'_> {
    /// Adds the words for a section of an object with split stacks.
    fn section(&self, id: SectionId, words: &mut Vec<Word>) {
        let section = &self.image.definitions.sections[id];
        let object = &self.image.objects[section.object];
        let (code, address) = (object.bytes(section), self.image.address(id));
        // Functions that call one without a split stack, by start: end, and called name. Also the
        // calls of `__morestack`.
        let mut ordinary: BTreeMap<u64, (u64, NameId)> = BTreeMap::new();
        let mut more_stack_calls: Vec<u64> = Vec::new();
        let branches = self.input.code.branches;
        for reloc in object.relocs(section) {
            let (at, symbol) = (reloc.r_offset(), reloc.symbol());
            let target = self.image.definitions.target_of(section.object, symbol);
            let Some(name) = target.name() else { continue };
            if name == self.more_stack {
                if (branches.is_direct)(code, reloc) {
                    more_stack_calls.push(at);
                }
            } else if self.is_ordinary(name)
                && let Some((start, end)) = self.function(section.object, section.shndx, at)
            {
                ordinary.entry(start).or_insert((end, name));
            }
        }
        for (&start, &(end, callee)) in &ordinary {
            let size = self.input.options.split_stack_adjust_size.unwrap_or(ADJUST_SIZE);
            let prologue = code.get(start as usize..).unwrap_or_default();
            let Some(bytes) = (self.input.code.larger_prologue)(prologue, size) else {
                self.cannot_adjust(id, start, callee);
                continue;
            };
            let places = (address.wrapping_add(start)..).step_by(8);
            for (place, bytes) in places.zip(bytes.chunks(8)) {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                let word = u64::from_le_bytes(word);
                words.extend(Word::new(self.image.outputs, place, word, bytes.len()));
            }
            for &call in more_stack_calls.iter().filter(|&&call| (start..end).contains(&call)) {
                words.extend(self.redirected(id, address.wrapping_add(call)));
            }
        }
    }

    /// The word for a call of `__morestack` that is redirected to `__morestack_non_split`.
    fn redirected(&self, id: SectionId, place: u64) -> Option<Word> {
        let Some(target) = self.non_split else {
            let text = "mixing split-stack objects with others needs a definition of \
                        __morestack_non_split";
            self.input.diag.error((u64::from(id), 0), text);
            return None;
        };
        let distance = target.wrapping_sub(place.wrapping_add(self.input.code.branches.origin));
        Word::new(self.image.outputs, place, distance, 4)
    }

    /// Whether `name` is a function without a split stack, which may need more stack than is left.
    fn is_ordinary(&self, name: NameId) -> bool {
        let name = self.aliases.get(&name).copied().unwrap_or(name);
        let Some(&rank) = self.image.definitions.ranks.get(name) else { return false };
        let spelled = self.input.extraction.pools.name(&self.input.extraction.names, name);
        if spelled.starts_with(b"__morestack") {
            return false;
        }
        let (file, symbol) = (rank.object(), rank.symbol());
        match rank.strength() {
            Strength::Undefined | Strength::Common => false,
            Strength::Shared => {
                self.input.candidates.shared[rank.library()].symbols[symbol].kind() == STT_FUNC
            }
            Strength::Strong | Strength::Weak => {
                !self.is_split[file]
                    && self.image.objects[file].mapped.symbols[symbol].kind() == STT_FUNC
            }
        }
    }

    /// Start and end of the function that offset `at` of a section is in.
    fn function(&self, object: ObjectId, shndx: u32, at: u64) -> Option<(u64, u64)> {
        let object = &self.image.objects[object];
        let functions = object.mapped.symbols.ids().skip(1).filter(|&index| {
            object.mapped.symbols[index].kind() == STT_FUNC
                && object.symbol_section(index) == Some(shndx)
        });
        let mut ranges = functions.map(|index| {
            let symbol = &object.mapped.symbols[index];
            let start = symbol.st_value();
            (start, start.saturating_add(symbol.st_size()))
        });
        ranges.find(|&(start, end)| (start..end).contains(&at))
    }

    /// Reports a function with an unknown prologue, if its object has no [`SOME_NOT_SPLIT`].
    fn cannot_adjust(&self, id: SectionId, start: u64, callee: NameId) {
        let section = &self.image.definitions.sections[id];
        if has_section(self.image, section.object, SOME_NOT_SPLIT) {
            return;
        }
        let object = &self.image.objects[section.object];
        let file = object.file.map(|file| self.input.candidates.display_name(file));
        let name = String::from_utf8_lossy(object.section_name(section.shndx)).into_owned();
        let demangle = self.input.options.demangle;
        let callee = self.input.extraction.pools.name(&self.input.extraction.names, callee);
        let text = format!(
            "{}:({name}+{start:#x}): the function there (with -fsplit-stack) calls {} (without \
             -fsplit-stack), but its prologue cannot be adjusted",
            file.unwrap_or_default(),
            display_name(callee, demangle)
        );
        self.input.diag.error((u64::from(id), start), text);
    }
}
