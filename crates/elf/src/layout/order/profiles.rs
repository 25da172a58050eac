//! `--bp-startup-sort` and `--bp-compression-sort`: which sections are ordered, and the traces and
//! contents that order them.
//!
//! Sections are ordered if they contain a symbol with a size. As in lld, sections that the traced
//! start-ups of the program touch come first, and the others are ordered by similar contents.

use super::requested::OrderInput;
use crate::args::CompressionSort;
use crate::diagnose::order::MessageKind;
use crate::format::profile::{self, Traces};
use crate::read::{ObjectId, SectionFlags};
use crate::resolve::definitions::SectionId;
use object::elf::{SHN_UNDEF, STT_FILE, STT_SECTION, STT_TLS};
use skald_core::input;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use skald_linking::order::balanced::{similarity, startup};
use std::path::Path;

/// A section, and the name of a symbol in it.
type Named = (SectionId, &'static [u8]);

/// Sections in the order that the options ask for.
pub fn sort(input: &OrderInput<'_>) -> Vec<SectionId> {
    let arrangement = &input.options.arrangement;
    let named: Vec<Named> =
        input.objects.par_ids().flat_map_iter(|object| named_sections(input, object)).collect();
    let size_of = |id: SectionId| input.definitions.sections[id].size;
    let mut order = Vec::new();
    if arrangement.bp_startup_sort
        && let Some(path) = &arrangement.irpgo_profile
    {
        let traces = read_traces(input, path);
        order = startup::sort(&sections_of(&traces, &named), size_of);
    }
    let started: UnorderedSet<SectionId> = order.iter().copied().collect();
    let mut others: Vec<SectionId> = named.iter().map(|&(section, _)| section).collect();
    shuffled(&mut others).sort_unstable();
    others.dedup();
    others.retain(|section| !started.contains(section));
    let is_code = |&id: &SectionId| input.definitions.sections[id].flags.has(SectionFlags::EXEC);
    let (code, data): (Vec<SectionId>, Vec<SectionId>) = others.into_iter().partition(is_code);
    let bytes_of = |id: SectionId| {
        let section = &input.definitions.sections[id];
        input.objects[section.object].bytes(section)
    };
    let sort = arrangement.bp_compression_sort;
    if matches!(sort, CompressionSort::Functions | CompressionSort::Both) {
        order.extend(similarity::sort(&code, bytes_of));
    }
    if matches!(sort, CompressionSort::Data | CompressionSort::Both) {
        order.extend(similarity::sort(&data, bytes_of));
    }
    order
}

/// Sections with symbols that an object defines.
fn named_sections(input: &OrderInput<'_>, at: ObjectId) -> Vec<Named> {
    let object = &input.objects[at];
    let own = |id: SectionId| input.definitions.sections[id].object == at;
    let symbols = object.mapped.symbols.with_ids().skip(1).filter(|(_, symbol)| {
        let is_placed = symbol.st_shndx() != SHN_UNDEF && symbol.st_size() > 0;
        is_placed && !matches!(symbol.kind(), STT_SECTION | STT_FILE | STT_TLS)
    });
    symbols
        .filter_map(|(index, _)| {
            let section = input.section_of(at, index)?;
            let moves = own(section) && input.is_placed(section);
            moves.then(|| (section, root_name(object.symbol_name(index))))
        })
        .collect()
}

/// A name without the suffixes by which compilers tell static symbols apart, and which differ from
/// build to build: `.llvm.NUMBER`, and before it `.__uniq.NUMBER`.
fn root_name(name: &[u8]) -> &[u8] {
    let cut = |name: &'_ [u8], suffix: &[u8]| memchr::memmem::rfind(name, suffix);
    let name = cut(name, b".llvm.").map_or(name, |at| &name[..at]);
    cut(name, b".__uniq.").map_or(name, |at| &name[..at])
}

fn read_traces(input: &OrderInput<'_>, path: &Path) -> Traces {
    let read = input::open_text(path).map_err(|error| error.0).and_then(|file| {
        profile::parse(file.data).map_err(|text| format!("{}: {text}", path.display()))
    });
    read.unwrap_or_else(|text| {
        input.diag.error(MessageKind::SectionOrder.key(0), text);
        Traces::default()
    })
}

/// The sections of each trace, in its order, for names that are among `named`.
fn sections_of(traces: &Traces, named: &[Named]) -> Vec<Vec<SectionId>> {
    let mut by_name: UnorderedMap<&[u8], Vec<SectionId>> = UnorderedMap::new();
    for &(section, name) in named {
        by_name.entry(name).or_default().push(section);
    }
    let sections = |hash: &u64| {
        let name = traces.names.get(hash)?;
        // The trace names static functions as `FILE;FUNCTION`.
        let function = memchr::memrchr(b';', name).map_or(&name[..], |at| &name[at + 1..]);
        by_name.get(root_name(function))
    };
    let trace = |trace: &Vec<u64>| trace.iter().filter_map(sections).flatten().copied().collect();
    traces.traces.iter().map(trace).collect()
}

#[cfg(test)]
mod tests {
    use super::root_name;

    #[test]
    fn suffixes_of_compilers_are_cut() {
        assert_eq!(root_name(b"f.llvm.123"), b"f");
        assert_eq!(root_name(b"f.__uniq.12.llvm.123"), b"f");
        assert_eq!(root_name(b"f.cold"), b"f.cold");
    }
}
