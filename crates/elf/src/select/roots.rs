//! What garbage collection starts from, and what marking needs to know beside relocations.

use super::liveness::StartStop;
use crate::args::Options;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{Definitions, SectionId, attr};
use crate::resolve::extract::Extraction;
use crate::resolve::references::ref_flags;
use rayon::prelude::*;
use skald_core::unordered::UnorderedMap;

/// Sections that are alive in any case; `None` without `--gc-sections`: all of them.
///
/// `names` are further names whose definitions are roots.
pub fn roots(
    definitions: &Definitions,
    extraction: &Extraction,
    options: &Options,
    names: &[u32],
) -> Option<Vec<SectionId>> {
    if !options.gc_sections {
        return None;
    }
    let mut roots: Vec<SectionId> = definitions
        .sections
        .par_iter()
        .with_min_len(1 << 14)
        .enumerate()
        .filter(|(_, section)| is_kept(section.flags))
        .map(|(id, _)| id as SectionId)
        .collect();
    let by_name: Vec<SectionId> = definitions
        .globals
        .par_iter()
        .with_min_len(1 << 14)
        .enumerate()
        .filter(|(name, global)| {
            global.has(attr::DEFINED)
                && (global.has(attr::EXPORTED)
                    || extraction.refs.get(*name as u32).flags() & ref_flags::ROOT != 0)
        })
        .map(|(_, global)| global.section)
        .collect();
    roots.extend(by_name);
    roots.extend(names.iter().map(|&name| definitions.globals[name as usize].section));
    // The loader calls what DT_INIT and DT_FINI name.
    let called = [&options.init, &options.fini].into_iter();
    let called = called.filter_map(|text| extraction.own_name(text.as_bytes()));
    roots.extend(called.map(|name| definitions.globals[name as usize].section));
    roots.retain(|&id| (id as usize) < definitions.sections.len());
    Some(roots)
}

/// Whether a section stays whatever refers to it. What is not loaded is marked apart, unless it is
/// to keep what it refers to as well.
pub fn is_kept(flags: SectionFlags) -> bool {
    flags.has(SectionFlags::KEEP) && flags.has(SectionFlags::ALLOC | SectionFlags::RETAIN)
}

/// Sections that `__start_` and `__stop_` symbols keep alive.
pub fn start_stop(
    definitions: &Definitions,
    symbols: &[(u32, u32)],
    options: &Options,
) -> StartStop {
    let mut map = StartStop::default();
    if symbols.is_empty() || options.start_stop_gc {
        return map;
    }
    let mut names_of: UnorderedMap<u32, Vec<u32>> = UnorderedMap::default();
    for &(out, name) in symbols {
        names_of.entry(out).or_default().push(name);
    }
    for (id, section) in definitions.sections.iter().enumerate() {
        // What is linked to another section lives and dies with that one, as lld has it: metadata
        // of functions that are dropped describes nothing.
        if !section.flags.has(SectionFlags::C_IDENT) || section.flags.has(SectionFlags::LINK_ORDER)
        {
            continue;
        }
        for &name in names_of.get(&section.out).into_iter().flatten() {
            map.entry(name).or_default().push(id as SectionId);
        }
    }
    map
}
