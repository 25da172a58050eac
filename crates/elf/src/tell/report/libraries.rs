//! Shared libraries of the link, and what binds to each.

use super::Input;
use super::data::{NONE, Needed, Report};
use crate::resolve::definitions::{Strength, attr};
use skald_core::ids::Column;
use skald_core::names::NameId;

/// Fills in libraries and imports; returns by name id the row of its import plus one, 0 for none.
pub fn collect(input: &Input<'_>, report: &mut Report) -> Column<NameId, u32> {
    let symbols = &input.planned.plan.symbols;
    report.needed = input
        .sources
        .candidates
        .shared
        .with_ids()
        .zip(&input.sources.candidates.shared_paths)
        .map(|((at, shared), path)| Needed {
            name: shared.soname.clone(),
            path: path.display().to_string(),
            is_needed: symbols.needed.contains(&at),
            as_needed: shared.as_needed,
        })
        .collect();
    let is_import = |name: &&NameId| {
        let global = input.definitions.globals[**name];
        global.has(attr::IMPORTED) && !global.has(attr::DEFINED)
    };
    let text =
        |name: NameId| input.sources.extraction.pools.name(&input.sources.extraction.names, name);
    let mut names: Vec<NameId> = symbols.names.iter().filter(is_import).copied().collect();
    names.extend(input.planned.copies.iter().map(|&(name, _)| name));
    names.sort_by_key(|&name| text(name));
    names.dedup();
    let mut import_of = Column::filled(0, input.definitions.globals.len());
    for (&name, row) in names.iter().zip(1..) {
        import_of[name] = row;
        let rank = input.definitions.ranks[name];
        let library =
            if rank.strength() == Strength::Shared { rank.library().number() } else { NONE };
        report.imports.push((text(name), library));
    }
    import_of
}
