//! Names of version scripts that nothing defines.

use super::known_names;
use crate::args::version_script::{ExactId, ExactName};
use crate::diagnose::messages::VersionUndefined;
use crate::diagnose::undefined;
use crate::read::FileId;
use crate::resolve::definitions::attr;
use crate::resolve::dynamic::Versions;
use crate::resolve::tables::Tables;
use skald_core::demangle::demangle_cxx;
use skald_core::unordered::UnorderedSet;

/// Reports names of a version script that no input defines, if that is an error.
pub fn check(tables: &Tables<'_>, versions: &Versions) {
    let script = &versions.script;
    let exact = |&rank: &ExactId| &script.exact_names()[rank];
    let mut missing: Vec<&ExactName> = versions.undefined.iter().map(exact).collect();
    drop_defined_cxx(tables, &mut missing);
    if missing.is_empty() {
        return;
    }
    let names: Vec<&[u8]> = missing.iter().map(|exact| &*exact.name).collect();
    let file_name = |file| tables.candidates.display_name(FileId::new(file));
    let hints = undefined::alike(
        &names,
        known_names::object_names(tables),
        &file_name,
        tables.options.demangle,
    );
    for (exact, hint) in missing.into_iter().zip(hints) {
        let report = VersionUndefined {
            place: format!("{}:{}", exact.origin, exact.line),
            version: script.describe(exact.assignment),
            name: String::from_utf8_lossy(&exact.name).into_owned(),
            hint,
        };
        tables.diag.error((0, u64::from(exact.line)), report.render());
    }
}

/// Removes exact names that are defined after all: a symbol may get its version by its mangled
/// name, and then its pattern in `extern "C++"` is not used.
fn drop_defined_cxx(tables: &Tables<'_>, missing: &mut Vec<&ExactName>) {
    if !missing.iter().any(|exact| exact.cxx) {
        return;
    }
    let globals = tables.definitions.globals.with_ids();
    let defined: UnorderedSet<String> = globals
        .filter(|(_, global)| global.has(attr::DEFINED))
        .filter_map(|(name, _)| demangle_cxx(tables.name(name)))
        .collect();
    let is_defined =
        |name: &[u8]| std::str::from_utf8(name).is_ok_and(|name| defined.contains(name));
    missing.retain(|exact| !exact.cxx || !is_defined(&exact.name));
}
