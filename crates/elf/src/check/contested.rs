//! Conflicts between definitions, reported before anything is selected.

use super::{duplicates, odr, tls_references, warnings};
use crate::diagnose::order::MessageKind;
use crate::resolve::definitions::Strength;
use crate::resolve::tables::Tables;
use skald_core::diag::Failed;
use skald_core::perturb::shuffled;

/// Reports conflicts of definitions. Duplicates do not end the link yet, so that undefined names
/// are listed with them.
pub fn check(tables: &Tables<'_>) -> Result<(), Failed> {
    bad_symbols(tables);
    tables.diag.checkpoint()?;
    own_got(tables);
    duplicates::check(tables);
    tls_mismatches(tables);
    odr::warn(tables);
    local_exports(tables);
    warnings::commons(tables);
    warnings::ifuncs_with_text_relocations(tables);
    Ok(())
}

/// `_GLOBAL_OFFSET_TABLE_`: code finds the GOT by its address, so no object may define the name.
fn own_got(tables: &Tables<'_>) {
    const GOT: &str = "_GLOBAL_OFFSET_TABLE_";
    let Some(name) = tables.extraction.own_name(GOT.as_bytes()) else { return };
    let rank = tables.definitions.ranks[name];
    if rank.strength() <= Strength::Weak {
        let object = tables.object_name(rank.object());
        let text = format!("{object} cannot redefine linker defined symbol '{GOT}'");
        tables.diag.error(MessageKind::InvalidSymbol.key(u64::from(rank.object()) << 32), text);
    }
}

/// Reports conflicts between definitions that are errors in `-r`, too; others are left to the final
/// link.
pub fn check_in_part(tables: &Tables<'_>) {
    bad_symbols(tables);
    duplicates::check(tables);
    tls_mismatches(tables);
    tls_references::check(tables);
    warnings::commons(tables);
}

/// Reports symbols whose fields are wrong: see `ObjectFile::symbol_fault`.
fn bad_symbols(tables: &Tables<'_>) {
    for &(at, index) in &tables.definitions.bad_symbols {
        if let Some(what) = tables.objects[at].symbol_fault(index) {
            let key = MessageKind::InvalidSymbol.key(u64::from(at) << 32 | u64::from(index));
            tables.diag.error(key, format!("{}: {what}", tables.object_name(at)));
        }
    }
}

/// Reports names that are thread-local in one object and not in another.
fn tls_mismatches(tables: &Tables<'_>) {
    let mut all = tables.definitions.tls_mismatches.clone();
    shuffled(&mut all).sort_unstable_by_key(|d| (d.object, d.symbol));
    for (at, (loser, [first, second])) in (0..).zip(all.iter().zip(duplicates::both(tables, &all)))
    {
        let name = tables.printed(tables.name(loser.name));
        let text = format!("TLS attribute mismatch: {name}{}{}", first.line(), second.line());
        tables.diag.error(MessageKind::MixedDefinitions.key(at), text);
    }
}

/// Reports symbols that a shared library exports in `.dynsym` and marks as local by their version
/// (VER_NDX_LOCAL). The format does not allow that, and lld and mold refuse it too. If such symbols
/// were ignored, they would be reported as undefined.
fn local_exports(tables: &Tables<'_>) {
    for (at, shared) in tables.candidates.shared.with_ids() {
        let Some(symbol) = shared.local_export else { continue };
        let path = tables.candidates.shared_paths[at].display();
        let name = tables.printed(shared.symbol_name(symbol));
        let text = format!("{path}: invalid version index 0 for defined symbol {name}");
        tables.diag.error(MessageKind::LibraryVersion.key(at.into()), text);
    }
}
