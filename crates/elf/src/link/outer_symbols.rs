//! The values that symbols have in expressions of a layout as long as no assignment has given them
//! one: those of objects, libraries and the linker.

use super::frozen::Frozen;
use crate::layout::placed::PlacedOutput;
use crate::layout::walk::Symbols;
use crate::resolve::definitions::attr;
use crate::synth::image::Bases;
use crate::synth::planned::Planned;
use crate::synth::values::{self, Values};
use skald_core::names::NameId;
use skald_core::unordered::{UnorderedMap, UnorderedSet};

/// Whether expressions of the layout refer to symbols that are defined by something other than
/// assignments.
pub(super) fn are_needed(frozen: &Frozen<'_>) -> bool {
    let script = &frozen.scripted.script;
    if !script.evaluates {
        return false;
    }
    let assignments = frozen.assigned.iter().zip(&frozen.claimed.assigned);
    let held: UnorderedSet<&[u8]> = assignments
        .filter(|(_, name)| name.is_some())
        .map(|(assignment, _)| &assignment.name[..])
        .collect();
    !frozen.claimed.originals.is_empty() || script.symbols().any(|name| !held.contains(name))
}

/// The values of symbols during one walk through the layout.
pub(super) struct OuterSymbols<'a> {
    frozen: Frozen<'a>,
    /// `None` if no expression asks for a value.
    values: Option<Values>,
    /// Values of the definitions that assignments replace, and whether they are absolute.
    originals: UnorderedMap<NameId, (u64, bool)>,
    /// Names of the assignments that take effect.
    assigned: UnorderedSet<NameId>,
}

impl<'a> OuterSymbols<'a> {
    /// The symbols with the addresses that sections have now; values are computed only if
    /// `is_asked`.
    pub(super) fn new(
        frozen: &Frozen<'a>,
        planned: &Planned,
        placed: &PlacedOutput,
        is_asked: bool,
    ) -> OuterSymbols<'a> {
        let values = is_asked.then(|| {
            let bases = Bases::new(
                frozen.tables.options.machine,
                frozen.shape,
                &placed.outputs,
                &placed.segments,
            );
            frozen.values(planned, placed, &bases)
        });
        let known = |values: &Values| {
            let names = frozen.claimed.originals.iter().map(|(name, _)| *name);
            let known = |name| Some((name, frozen.original(planned, placed, values, name)?));
            names.filter_map(known).collect()
        };
        let originals = values.as_ref().map_or_else(UnorderedMap::new, known);
        let assigned = frozen.claimed.assigned.iter().copied().flatten().collect();
        OuterSymbols { frozen: *frozen, values, originals, assigned }
    }

    fn find(&self, name: &[u8]) -> Option<NameId> {
        let names = &self.frozen.tables.extraction.names;
        names.find_text(name)
    }
}

impl Symbols for OuterSymbols<'_> {
    fn value(&self, name: &[u8]) -> Option<(u64, bool)> {
        let (id, values) = (self.find(name)?, self.values.as_ref()?);
        if self.assigned.contains(&id) {
            return self.originals.get(&id).copied();
        }
        let global = self.frozen.tables.definitions.globals[id];
        let value = values::plain(values.of_name[id]);
        // A library's symbol has an address here only if it is copied or has a PLT entry.
        let value = if global.has(attr::DEFINED) { value.or(Some(0)) } else { value };
        let is_defined = global.has(attr::DEFINED | attr::SHARED);
        value.filter(|_| is_defined).map(|value| (value, global.has(attr::ABSOLUTE)))
    }

    fn is_defined(&self, name: &[u8]) -> bool {
        self.find(name).is_some_and(|id| {
            if self.assigned.contains(&id) {
                self.frozen.claimed.originals.defines(id)
            } else {
                self.frozen.tables.definitions.globals[id].has(attr::DEFINED | attr::SHARED)
            }
        })
    }
}
