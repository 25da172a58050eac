//! `.gnu.warning.SYMBOL` sections: warnings for everyone who uses a symbol. glibc uses them for
//! `tmpnam` and `gets`, and in static programs for functions that need its shared libraries.
//!
//! As in GNU ld, there is one warning for each symbol; those of a shared library hold only for
//! symbols that bind to it. References of dead sections do not count. A section `.gnu.warning`
//! without a symbol holds for every link of the file.

use crate::diagnose::location::{Site, locate};
use crate::diagnose::order::MessageKind;
use crate::format::elf::SymbolId;
use crate::read::ObjectId;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::Strength;
use crate::resolve::names::references::ref_flags;
use crate::resolve::tables::Tables;
use crate::select::liveness::Liveness;
use object::elf::SHN_UNDEF;
use skald_core::ids::IdRange;
use skald_core::names::NameId;
use skald_core::par::prelude::*;

/// How many files a warning lists.
const LISTED: usize = 3;
const PREFIX: &[u8] = b".gnu.warning.";

/// Warns of names with a warning that live sections refer to.
pub fn warn(tables: &Tables<'_>, live: &Liveness) {
    let mut texts = Vec::new();
    for (at, object) in tables.objects.with_ids().filter(|(_, own)| !own.warnings.is_empty()) {
        for &shndx in &object.warnings {
            let Some(symbol) = object.section_name(shndx).strip_prefix(PREFIX) else {
                let text = until_nul(object.raw_bytes(shndx));
                let text = format!("{}: {text}", tables.object_name(at));
                tables.diag.warn((at.into(), u64::from(shndx)), text);
                continue;
            };
            texts.extend(referred(tables, symbol).map(|name| (name, object.raw_bytes(shndx))));
        }
    }
    for (at, shared) in tables.candidates.shared.with_ids() {
        for (symbol, text) in shared.warnings() {
            let is_taken = |name: &NameId| {
                let rank = tables.definitions.ranks[*name];
                rank.strength() == Strength::Shared && rank.library() == at
            };
            texts.extend(referred(tables, symbol).filter(is_taken).map(|name| (name, text)));
        }
    }
    if texts.is_empty() {
        return;
    }
    let mut sites: Vec<(usize, Site<'_>)> =
        tables.objects.par_ids().flat_map_iter(|at| uses(tables, live, at, &texts)).collect();
    sites.sort_by_key(|(which, _)| *which);
    for (at, users) in (0..).zip(sites.chunk_by(|a, b| a.0 == b.0)) {
        tables
            .diag
            .warn(MessageKind::WarnedSymbol.key(at), message(tables, texts[users[0].0].1, users));
    }
}

fn until_nul(text: &[u8]) -> String {
    let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    String::from_utf8_lossy(&text[..end]).into_owned()
}

fn message(tables: &Tables<'_>, text: &[u8], users: &[(usize, Site<'_>)]) -> String {
    let mut message = until_nul(text);
    let sites: Vec<Site<'_>> = users.iter().take(LISTED).map(|(_, site)| site.clone()).collect();
    for place in locate(&sites, tables.options.demangle) {
        message += "\n>>> referenced by ";
        if let Some(source) = &place.source {
            message += source;
            message += "\n>>>               ";
        }
        message += &place.object_and_symbol();
    }
    if users.len() > LISTED {
        message += &format!("\n>>> referenced by {} more files", users.len() - LISTED);
    }
    message
}

/// The id of the name `symbol` if some object refers to it, else none.
fn referred(tables: &Tables<'_>, symbol: &[u8]) -> impl Iterator<Item = NameId> {
    let names = &tables.extraction.names;
    let undefined = ref_flags::UNDEF_STRONG | ref_flags::UNDEF_WEAK;
    let name = names.find_text(symbol);
    let name = name.filter(|&name| tables.extraction.refs.get(name).flags() & undefined != 0);
    name.into_iter()
}

/// For each name in `texts`, the first relocation of a live section of the object that refers to
/// it.
fn uses<'a>(
    tables: &Tables<'a>,
    live: &Liveness,
    at: ObjectId,
    texts: &[(NameId, &[u8])],
) -> Vec<(usize, Site<'a>)> {
    let object = &tables.objects[at];
    let first = object.first_global;
    let mut wanted: Vec<(usize, SymbolId)> = Vec::new();
    for (index, name) in first.onward().zip(&object.globals) {
        if object.mapped.symbols[index].st_shndx() == SHN_UNDEF {
            let which = texts.iter().position(|text| text.0 == *name);
            wanted.extend(which.map(|which| (which, index)));
        }
    }
    let use_of = |&(which, index): &(usize, SymbolId)| {
        let place = tables.definitions.sections_of(at).ids().find_map(|id| {
            let section = &tables.definitions.sections[id];
            let is_loaded = section.flags.has(SectionFlags::ALLOC) && live.is_live(id);
            let is_code = is_loaded && !section.flags.has(SectionFlags::COMMON);
            let relocs = if is_code { object.relocs(section) } else { &[] };
            let reloc = relocs.iter().find(|reloc| reloc.symbol() == index)?;
            Some((section.shndx, reloc.r_offset()))
        });
        place.map(|(section_index, section_offset)| {
            let file_name = tables.object_name(at);
            (which, Site { file_name, object: object.mapped.data, section_index, section_offset })
        })
    };
    wanted.iter().filter_map(use_of).collect()
}
