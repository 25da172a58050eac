//! Finds the roots of marking, and the edges that it follows besides relocations.
//!
//! With `-z start-stop-gc` a reference to `__start_` or `__stop_` of a set of sections does not
//! keep the set alive. It never keeps sections that live only with what they are linked to. If the
//! whole set is dropped, the two symbols are undefined: a reference is an error or zero (lld's and
//! GNU ld's rule). Scanning must know that when it sees the first reference. So if there are such
//! symbols, one thread walks the same graph once before.

use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{Definitions, SectionId, attr};
use crate::resolve::dynamic::{self, OutputShape};
use crate::resolve::linker_symbols::ClaimedSymbols;
use crate::resolve::ref_flags;
use crate::resolve::tables::Sources;
use crate::script::section_names::OutputId;
use crate::select::eh_frame::EhFrames;
use crate::select::group_rings::GroupRings;
use crate::select::liveness::{StartStop, is_bound};
use crate::select::references::ReferenceGraph;
use crate::select::roots;
use skald_core::ids::Column;
use skald_core::names::NameId;
use skald_core::perturb::shuffled;

/// The roots of marking, and the edges that it follows besides relocations.
pub(super) struct MarkInputs {
    /// Members of section groups: they live or die together.
    pub rings: GroupRings,
    /// Sets of sections that a live reference to their `__start_` or `__stop_` symbol keeps.
    pub start_stop: StartStop,
    /// Sections that stay in any case; `None` without `--gc-sections`: all do.
    pub roots: Option<Vec<SectionId>>,
}

impl MarkInputs {
    /// Finds all of them. `__start_` and `__stop_` symbols of dropped sets lose their definition.
    pub(super) fn find(
        sources: &Sources<'_>,
        frames: &EhFrames,
        definitions: &mut Definitions,
        claimed: &mut ClaimedSymbols,
        shape: OutputShape,
    ) -> MarkInputs {
        let Sources { options, extraction, objects, .. } = *sources;
        let referenced = claimed.expressions.referenced();
        let mut found = MarkInputs {
            rings: GroupRings::new(objects, definitions, extraction, options),
            start_stop: roots::start_stop(definitions, &claimed.start_stop, options),
            roots: roots::roots(definitions, extraction, options, &referenced, &claimed.originals),
        };
        if let Some(roots) = &mut found.roots {
            let used = claimed.start_stop.iter().filter(|&&(_, name)| {
                let is_exported = definitions.globals[name].has(attr::EXPORTED);
                is_exported && extraction.refs.get(name).flags() & ref_flags::SHARED_REF != 0
            });
            roots.extend(used.flat_map(|&(_, name)| found.start_stop.bounded_by(name)));
        }
        // A set whose bounds do not keep it may be dropped.
        let has_loose_sets =
            claimed.start_stop.iter().any(|&(_, name)| !found.start_stop.bounds(name));
        if let Some(roots) = &found.roots
            && has_loose_sets
        {
            let references = ReferenceGraph {
                objects,
                definitions,
                frames,
                start_stop: &found.start_stop,
                rings: &found.rings,
            };
            let names = bounds_of_nothing(&references, roots, claimed);
            let mut sorted = names.clone();
            shuffled(&mut sorted).sort_unstable();
            claimed.symbols.retain(|symbol| sorted.binary_search(&symbol.name).is_err());
            for name in names {
                dynamic::undefine(definitions, extraction, options, shape, name);
            }
        }
        found
    }
}

/// `__start_` and `__stop_` symbols of sets of which no section is reached from `roots`.
fn bounds_of_nothing(
    references: &ReferenceGraph<'_>,
    roots: &[SectionId],
    claimed: &ClaimedSymbols,
) -> Vec<NameId> {
    let sections = &references.definitions.sections;
    let outputs = claimed.start_stop.iter().map(|bound| bound.0.index() + 1).max();
    // With `--start-stop` synthetic sections have such symbols, too; they are never dropped.
    let mut has_inputs = Column::<OutputId, bool>::filled(false, outputs.unwrap_or(0));
    let mut is_reached = has_inputs.clone();
    let parents = references.parents(roots);
    for (id, section) in sections.with_ids() {
        let out = section.output();
        if out >= has_inputs.end() || section.flags.has(SectionFlags::DISCARDED) {
            continue;
        }
        has_inputs[out] = true;
        let stays = !section.flags.has(SectionFlags::ALLOC)
            && !is_bound(section.flags, references.rings, id);
        is_reached[out] |= stays || parents[id].is_some();
    }
    let bounds = claimed.start_stop.iter();
    let is_empty = |out: OutputId| has_inputs[out] && !is_reached[out];
    bounds.filter(|&&(out, _)| is_empty(out)).map(|&(_, name)| name).collect()
}
