//! What garbage collection starts from, and what marking needs to know beside relocations.

use super::liveness::StartStop;
use crate::args::Options;
use crate::read::ObjectFile;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{Definitions, SectionId, attr};
use crate::resolve::extract::Extraction;
use crate::resolve::references::ref_flags;
use rayon::prelude::*;
use skald_core::column::{split_mut, zeroed};

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
        .filter(|(_, s)| s.flags.has(SectionFlags::KEEP) && s.flags.has(SectionFlags::ALLOC))
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
    roots.retain(|&id| (id as usize) < definitions.sections.len());
    Some(roots)
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
    for (id, section) in definitions.sections.iter().enumerate() {
        if !section.flags.has(SectionFlags::C_IDENT) {
            continue;
        }
        for &(_, name) in symbols.iter().filter(|(out, _)| *out == section.out) {
            map.entry(name).or_default().push(id as SectionId);
        }
    }
    map
}

/// For every section in a group that is taken the next member of its group, as a ring; 0 for
/// none. Empty without `--gc-sections`, where nothing asks.
pub fn group_rings(
    objects: &[ObjectFile],
    definitions: &Definitions,
    extraction: &Extraction,
    options: &Options,
) -> Vec<u32> {
    if !options.gc_sections {
        return Vec::new();
    }
    let mut next: Vec<u32> = zeroed(definitions.sections.len());
    let parts = split_mut(
        &mut next,
        definitions.section_base.windows(2).map(|w| w[0] as usize..w[1] as usize),
    );
    objects.par_iter().with_max_len(2).zip(parts).enumerate().for_each(|(at, (object, part))| {
        let base = definitions.section_base[at];
        let file = object.file.expect("numbered when taken").0;
        let taken =
            object.groups.iter().filter(|g| extraction.refs.get(g.name).comdat_owner() == file);
        for group in taken.chain(&object.plain_groups) {
            let words = object.group_members(group);
            let members: Vec<u32> =
                words.iter().filter_map(|w| object.record_index(w.get())).collect();
            for (i, &member) in members.iter().enumerate() {
                let follower = members[(i + 1) % members.len()];
                if follower != member {
                    part[member as usize] = base + follower;
                }
            }
        }
    });
    next
}
