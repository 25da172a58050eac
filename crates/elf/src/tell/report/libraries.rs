//! Shared libraries of the link, and the names that bind to each.

use super::Input;
use crate::resolve::definitions::{Strength, attr};
use skald_core::ids::Column;
use skald_core::names::NameId;
use skald_report::data::{NONE, Needed, Report};

/// Fills in libraries and imports; returns by name id the row of its import plus one, 0 for none.
pub fn collect(input: &Input<'_>, report: &mut Report) -> Column<NameId, u32> {
    let symbols = &input.planned.plan.symbols;
    report.needed = input
        .tables
        .candidates
        .shared
        .with_ids()
        .zip(&input.tables.candidates.shared_paths)
        .map(|((at, shared), path)| Needed {
            name: shared.soname.clone(),
            path: path.display().to_string(),
            is_needed: symbols.needed.contains(&at),
            as_needed: shared.as_needed,
        })
        .collect();
    let is_import = |name: &&NameId| {
        let global = input.tables.definitions.globals[**name];
        global.has(attr::IMPORTED) && !global.has(attr::DEFINED)
    };
    let text =
        |name: NameId| input.tables.extraction.pools.name(&input.tables.extraction.names, name);
    let mut names: Vec<NameId> = symbols.names.iter().filter(is_import).copied().collect();
    names.extend(input.selected.copies.places.iter().map(|&(name, _)| name));
    names.sort_by_key(|&name| text(name));
    names.dedup();
    let mut import_of = Column::filled(0, input.tables.definitions.globals.len());
    for (&name, row) in names.iter().zip(1..) {
        import_of[name] = row;
        let rank = input.tables.definitions.ranks[name];
        let library =
            if rank.strength() == Strength::Shared { rank.library().number() } else { NONE };
        report.imports.push((text(name), library));
    }
    import_of
}
