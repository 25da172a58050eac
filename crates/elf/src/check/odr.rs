//! `--detect-odr-violations`: C++ functions and variables that several objects define, such as
//! inline functions and template instances, but from different sources. The linker keeps one of the
//! definitions, even if they differ.
//!
//! As in gold, definitions that differ in type, size or bytes are looked up in the debug
//! information, and reported if they are at different lines. In addition, variables of different
//! sizes are always reported, because optimization does not change sizes. Files are compared by
//! name without directories, because one header may be reached by several paths.

use crate::diagnose::location::{Place, Site, display_name, locate_heads};
use crate::diagnose::order::MessageKind;
use crate::format::elf::SymbolId;
use crate::read::ObjectId;
use crate::resolve::tables::Tables;
use object::elf::{
    SHN_LORESERVE, SHN_UNDEF, SHN_XINDEX, STB_GNU_UNIQUE, STB_WEAK, STT_FUNC, STT_GNU_IFUNC,
    STT_OBJECT,
};
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;

/// One of several definitions of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    name: NameId,
    object: ObjectId,
    symbol: SymbolId,
}

/// Warns of violations if `--detect-odr-violations` is given.
pub fn warn(tables: &Tables<'_>) {
    if !tables.options.reports.odr_violations {
        return;
    }
    let mut all: Vec<Candidate> =
        tables.objects.par_ids().flat_map_iter(|at| of(tables, at)).collect();
    shuffled(&mut all).par_sort_unstable();
    let mut groups: Vec<&[Candidate]> = all
        .par_chunk_by(|a, b| a.name == b.name)
        .filter(|group| group.iter().any(|other| differ(tables, group[0], *other)))
        .collect();
    // Sorted by place, because ids of names depend on which file came first.
    shuffled(&mut groups).sort_unstable_by_key(|group| (group[0].object, group[0].symbol));
    let candidates: Vec<Candidate> = groups.iter().copied().flatten().copied().collect();
    let mut places = places(tables, &candidates).into_iter();
    for (at, group) in (0..).zip(groups) {
        let places: Vec<Place> = places.by_ref().take(group.len()).collect();
        if let Some(text) = describe(tables, group, &places) {
            tables.diag.warn(MessageKind::OneDefinitionRule.key(at), text);
        }
    }
}

/// The definitions of an object of which other objects may have one too.
fn of(tables: &Tables<'_>, at: ObjectId) -> Vec<Candidate> {
    let object = &tables.objects[at];
    let first = object.first_global;
    let mut found = Vec::new();
    for (symbol, &name) in first.onward().zip(&object.globals) {
        let entry = &object.mapped.symbols[symbol];
        let shndx = entry.st_shndx();
        let is_in_section = shndx != SHN_UNDEF && (shndx < SHN_LORESERVE || shndx == SHN_XINDEX);
        let is_repeatable = [STB_WEAK, STB_GNU_UNIQUE].contains(&entry.bind())
            && [STT_FUNC, STT_OBJECT, STT_GNU_IFUNC].contains(&entry.kind());
        if is_in_section
            && is_repeatable
            && entry.st_size() != 0
            && object.symbol_name(symbol).starts_with(b"_Z")
        {
            found.push(Candidate { name, object: at, symbol });
        }
    }
    found
}

impl Candidate {
    fn size(self, tables: &Tables<'_>) -> u64 {
        tables.objects[self.object].mapped.symbols[self.symbol].st_size()
    }

    fn kind(self, tables: &Tables<'_>) -> u8 {
        tables.objects[self.object].mapped.symbols[self.symbol].kind()
    }

    fn section(self, tables: &Tables<'_>) -> u32 {
        let object = &tables.objects[self.object];
        object.symbol_section(self.symbol).unwrap_or_default()
    }

    /// The definition's bytes in the object, before relocation; `None` if the section has none.
    fn bytes<'a>(self, tables: &Tables<'a>) -> Option<&'a [u8]> {
        let object = &tables.objects[self.object];
        let symbol = &object.mapped.symbols[self.symbol];
        let section = object.mapped.shdrs.get(self.section(tables) as usize)?;
        let is_content = section.sh_type() != object::elf::SHT_NOBITS;
        let bytes = is_content.then(|| object.raw_bytes(self.section(tables)))?;
        let value = tables.options.machine.place_of(symbol.kind(), symbol.st_value());
        let start = usize::try_from(value).ok()?;
        let size = usize::try_from(symbol.st_size()).ok()?;
        bytes.get(start..start.checked_add(size)?)
    }
}

fn differ(tables: &Tables<'_>, one: Candidate, other: Candidate) -> bool {
    one.size(tables) != other.size(tables)
        || one.kind(tables) != other.kind(tables)
        || one.bytes(tables) != other.bytes(tables)
}

/// Source lines of the candidates. Each object is read by one thread.
fn places(tables: &Tables<'_>, candidates: &[Candidate]) -> Vec<Place> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|&at| candidates[at].object);
    let parts: Vec<Vec<Place>> = order
        .par_chunk_by(|&a, &b| candidates[a].object == candidates[b].object)
        .map(|part| {
            let sites: Vec<Site<'_>> =
                part.iter().map(|&at| site(tables, candidates[at])).collect();
            locate_heads(&sites, tables.options.demangle)
        })
        .collect();
    let mut places = vec![Place::default(); candidates.len()];
    for (at, place) in order.into_iter().zip(parts.into_iter().flatten()) {
        places[at] = place;
    }
    places
}

fn site(tables: &Tables<'_>, candidate: Candidate) -> Site<'static> {
    let object = &tables.objects[candidate.object];
    let symbol = &object.mapped.symbols[candidate.symbol];
    let value = tables.options.machine.place_of(symbol.kind(), symbol.st_value());
    let (section_index, section_offset) =
        object.mapped.place_of_symbol(candidate.section(tables), value);
    Site {
        file_name: tables.object_name(candidate.object),
        object: object.mapped.data,
        section_index,
        section_offset,
    }
}

/// The message, if the definitions of a name are from different sources.
fn describe(tables: &Tables<'_>, group: &[Candidate], places: &[Place]) -> Option<String> {
    let is_variable = group.iter().all(|other| other.kind(tables) == STT_OBJECT);
    let has_sizes = group.iter().any(|other| other.size(tables) != group[0].size(tables));
    let mut told: Vec<(Option<&str>, u64)> = Vec::new();
    let mut lines = String::new();
    let is_new = |told: &[(Option<&str>, u64)], line: Option<&str>, size: u64| {
        let same_line = told.iter().any(|&(other, _)| other == line);
        let same_size = told.iter().any(|&(_, other)| other == size);
        (line.is_some() && !same_line) || (is_variable && !same_size)
    };
    for (candidate, place) in group.iter().zip(places) {
        let size = candidate.size(tables);
        let line = place.source.as_deref().and_then(line_of);
        if !is_new(&told, line.map(|(name, _)| name), size) {
            continue;
        }
        told.push((line.map(|(name, _)| name), size));
        lines += "\n  ";
        lines += &line.map_or(String::new(), |(_, whole)| format!("{whole} from "));
        lines += &place.file_name;
        lines += &if has_sizes { format!(" ({size} bytes)") } else { String::new() };
    }
    let name = tables.name(group[0].name);
    (told.len() > 1).then(|| {
        format!(
            "while linking {}: symbol '{}' defined in multiple places (possible ODR \
             violation):{lines}",
            tables.options.output.display(),
            display_name(name, tables.options.demangle)
        )
    })
}

/// For `a.h:3 (/src/a.h:3)` or `a.h:3`, the short and the full form; `None` for a file without a
/// line.
fn line_of(source: &str) -> Option<(&str, &str)> {
    let (short, whole) = match source.strip_suffix(')').and_then(|text| text.split_once(" (")) {
        Some((short, whole)) => (short, whole),
        None => (source, source),
    };
    let (_, line) = short.rsplit_once(':')?;
    let is_number = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some((short, whole))
}
