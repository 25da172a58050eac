//! Finds the roots of garbage collection, and the sets of sections that `__start_` and `__stop_`
//! symbols keep.

use super::liveness::StartStop;
use crate::args::{Options, OutputKind};
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::{Definitions, SectionId, attr};
use crate::resolve::extract::Extraction;
use crate::resolve::linker_symbols::originals::{Original, Originals};
use crate::resolve::names::references::ref_flags;
use crate::script::section_names::OutputId;
use skald_core::ids::Column;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;

/// Sections that are always live; `None` without `--gc-sections`, where all are.
///
/// `names` are further names whose definitions are roots, including definitions that assignments
/// replace.
pub fn roots(
    definitions: &Definitions,
    extraction: &Extraction,
    options: &Options,
    names: &[NameId],
    originals: &Originals,
) -> Option<Vec<SectionId>> {
    if !options.gc_sections {
        return None;
    }
    let mut roots: Vec<SectionId> = definitions
        .sections
        .par_with_ids()
        .with_min_len(1 << 14)
        .filter(|(_, section)| is_kept(section.flags))
        .map(|(id, _)| id)
        .collect();
    let by_name: Vec<SectionId> = definitions
        .globals
        .par_with_ids()
        .with_min_len(1 << 14)
        .filter(|(name, global)| {
            global.has(attr::DEFINED)
                && (global.has(attr::EXPORTED)
                    || options.gc_keep_exported && !global.has(attr::LOCAL)
                    || extraction.refs.get(*name).flags() & ref_flags::ROOT != 0)
        })
        .filter_map(|(_, global)| global.value_base.section())
        .collect();
    roots.extend(by_name);
    let section_of = |name: NameId| match originals.get(name) {
        Some(Original::Object(_, definition)) => definition.value_base.section(),
        _ => definitions.globals[name].value_base.section(),
    };
    roots.extend(names.iter().filter_map(|&name| section_of(name)));
    // The dynamic linker calls the functions of DT_INIT and DT_FINI; a library may have an entry
    // too.
    let is_library = options.kind == OutputKind::Shared && options.entry.is_none();
    let called =
        [Some(&*options.init), Some(&*options.fini), is_library.then_some(options.machine.entry)];
    let called = called.into_iter().flatten();
    let called = called.filter_map(|text| extraction.own_name(text.as_bytes()));
    roots.extend(called.filter_map(section_of));
    Some(roots)
}

/// Whether a section is a root by its flags. Sections that are not loaded are marked separately,
/// unless they keep what they refer to.
pub fn is_kept(flags: SectionFlags) -> bool {
    flags.has(SectionFlags::KEEP) && flags.has(SectionFlags::ALLOC | SectionFlags::RETAIN)
}

/// Sections that `__start_` and `__stop_` symbols keep alive.
pub fn start_stop(
    definitions: &Definitions,
    symbols: &[(OutputId, NameId)],
    options: &Options,
) -> StartStop {
    if symbols.is_empty() || options.start_stop_gc {
        return StartStop::default();
    }
    let mut has_bounds: Column<OutputId, bool> = Column::new();
    for &(out, _) in symbols {
        has_bounds.resize(has_bounds.len().max(out.index() + 1), false);
        has_bounds[out] = true;
    }
    // A section with SHF_LINK_ORDER is kept or dropped with the one it is linked to, as in lld:
    // metadata of dropped functions describes nothing.
    let is_bounded = |section: &InputSection| {
        section.flags.has(SectionFlags::C_IDENT)
            && !section.flags.has(SectionFlags::LINK_ORDER)
            && has_bounds.get(section.output()) == Some(&true)
    };
    let sections = definitions.sections.with_ids().filter(|(_, section)| is_bounded(section));
    let mut sections: Vec<(OutputId, SectionId)> =
        sections.map(|(id, section)| (section.output(), id)).collect();
    shuffled(&mut sections).sort_unstable();
    StartStop { outputs: symbols.iter().map(|&(out, name)| (name, out)).collect(), sections }
}
