//! Relocations that could not be applied.

use super::{overflow_hint, relocations};
use crate::diagnose::location::{Site, locate};
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
    let machine = image.machine;
    let place_of = |failure: &Failure| RelocId { section: failure.section, index: failure.reloc };
    let sites: Vec<Site<'_>> =
        failures.iter().map(|f| relocations::site(&tables, place_of(f))).collect();
    for (failure, located) in failures.iter().zip(locate(&sites, tables.options.demangle)) {
        let place = place_of(failure);
        let r_type = relocations::reloc_type(&tables, place);
        let relocation = machine.relocation_name(r_type);
        let key = relocations::key(place);
        let text = match failure.what {
            Fault::OutOfRange(value) => {
                let (min, max) = machine.howto(r_type).map_or((0, 0), |h| h.range.bounds());
                RelocationOverflow {
                    place: located,
                    relocation: relocation.to_string(),
                    value: i128::from(value),
                    min: i128::from(min),
                    max: i128::from(max),
                    referent: Some(relocations::referent(&tables, place)),
                    defined_in: relocations::defined_in(&tables, place),
                    hint: overflow_hint::hint(&tables, place, r_type, value),
                }
                .render()
            }
            Fault::Misaligned(value) => format!(
                "{}: relocation {relocation} wants a multiple of {} and got {value:#x} for {}",
                located.location(),
                (machine.field_align)(r_type),
                relocations::referent_text(&tables, place)
            ),
            Fault::BadPlace => {
                format!("{}: relocation {relocation} lies outside its section", located.location())
            }
            Fault::BadSymbol => format!(
                "{}: relocation {relocation} has an invalid symbol index: {}",
                located.location(),
                relocations::symbol_index(&tables, place)
            ),
            Fault::NoRestore => format!(
                "{}: relocation {relocation} to {}: the call is not followed by a nop, which would become the \
                 instruction that restores the TOC's address (r2)",
                located.location(),
                relocations::referent_text(&tables, place)
            ),
            Fault::Unpaired => format!(
                "{}: relocation {relocation} refers to {}, where no relocation has the upper part",
                located.location(),
                relocations::referent_text(&tables, place)
            ),
            Fault::ShortPadding { needed, has } => format!(
                "{}: {relocation} stands where alignment takes {needed} bytes of padding, and has {has}",
                located.location(),
            ),
            Fault::Unsupported => format!(
                "{}: relocation {relocation} cannot be applied to {}",
                located.location(),
                relocations::referent_text(&tables, place)
            ),
        };
        if tables.options.noinhibit_exec {
            tables.diag.warn(key, text)
        } else {
            tables.diag.error(key, text)
        }
    }
}
