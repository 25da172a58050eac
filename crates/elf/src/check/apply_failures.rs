//! Relocations that could not be applied.

use super::{overflow_hint, relocations};
use crate::diagnose::location::{Place, Site, locate};
use crate::diagnose::messages::RelocationOverflow;
use crate::resolve::tables::Tables;
use crate::select::scan::RelocId;
use crate::synth::image::Image;
use crate::synth::patch::{Failure, Fault};
use skald_core::perturb::shuffled;

/// Reports relocations that could not be applied.
pub fn report(tables: &Tables<'_>, image: &Image<'_>, mut failures: Vec<Failure>) {
    shuffled(&mut failures).sort_unstable_by_key(|f| (f.section, f.reloc));
    let tables = Tables { definitions: image.definitions, ..*tables };
    let place_of = |failure: &Failure| RelocId { section: failure.section, index: failure.reloc };
    let sites: Vec<Site<'_>> =
        failures.iter().map(|f| relocations::site(&tables, place_of(f))).collect();
    for (failure, located) in failures.iter().zip(locate(&sites, tables.options.demangle)) {
        let place = place_of(failure);
        let key = relocations::key(place);
        let text = told(&tables, located, place, failure.what);
        if tables.options.noinhibit_exec {
            tables.diag.warn(key, text)
        } else {
            tables.diag.error(key, text)
        }
    }
}

/// The message about a relocation.
fn told(tables: &Tables<'_>, located: Place, place: RelocId, fault: Fault) -> String {
    let machine = tables.options.machine;
    let r_type = relocations::reloc_type(tables, place);
    let relocation = machine.relocation_name(r_type);
    match fault {
        Fault::OutOfRange(value) => overflow(tables, located, place, value),
        Fault::Misaligned(value) => format!(
            "{}: relocation {relocation} wants a multiple of {} and got {value:#x} for {}",
            located.location(),
            (machine.field_align)(r_type),
            relocations::referent_text(tables, place)
        ),
        Fault::BadPlace => {
            format!("{}: relocation {relocation} lies outside its section", located.location())
        }
        Fault::BadSymbol => format!(
            "{}: relocation {relocation} has an invalid symbol index: {}",
            located.location(),
            relocations::symbol_index(tables, place)
        ),
        Fault::NoRestore => format!(
            "{}: relocation {relocation} to {}: the call is not followed by a nop, which would become the \
         instruction that restores the TOC's address (r2)",
            located.location(),
            relocations::referent_text(tables, place)
        ),
        Fault::Addend(addend) => format!(
            "{}: relocation {relocation} to {} cannot have the addend {addend}",
            located.location(),
            relocations::referent_text(tables, place)
        ),
        Fault::Unpaired => format!(
            "{}: relocation {relocation} refers to {}, where no relocation has the upper part",
            located.location(),
            relocations::referent_text(tables, place)
        ),
        Fault::ShortPadding { needed, has } => format!(
            "{}: {relocation} stands where alignment takes {needed} bytes of padding, and has {has}",
            located.location(),
        ),
        Fault::Unsupported => format!(
            "{}: relocation {relocation} cannot be applied to {}",
            located.location(),
            relocations::referent_text(tables, place)
        ),
    }
}

/// The message about a value that does not fit its field.
fn overflow(tables: &Tables<'_>, located: Place, place: RelocId, value: i64) -> String {
    let machine = tables.options.machine;
    let r_type = relocations::reloc_type(tables, place);
    let (min, max) = machine.howto(r_type).map_or((0, 0), |howto| howto.range.bounds());
    RelocationOverflow {
        place: located,
        relocation: machine.relocation_name(r_type).to_string(),
        value: i128::from(value),
        min: i128::from(min),
        max: i128::from(max),
        referent: Some(relocations::referent(tables, place)),
        defined_in: relocations::defined_in(tables, place),
        hint: overflow_hint::hint(tables, place, r_type, value),
    }
    .render()
}
