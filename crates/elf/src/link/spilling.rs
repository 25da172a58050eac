//! Moves sections that do not fit into their memory region to later statements that match them
//! (`--enable-non-contiguous-regions`, and references to a `CLASS`).
//!
//! Which sections move is known only when everything has its address. So the layout is planned and
//! placed on trial until all regions have room or nothing can move, and the link goes on with the
//! statements that were found. A section moves to later output sections only, so this terminates.

use super::frozen::Frozen;
use super::resolving::Resolved;
use super::{laying_out, plan};
use crate::layout::spill::{Spill, Spilled};
use crate::resolve::outputs::spills::SpillRules;
use crate::select::selected::Selected;
use skald_core::diag::{Diag, Failed, Style};

/// Moves sections until each fits, as far as there are statements that can take them.
pub(super) fn spill(resolved: &mut Resolved<'_>, selected: &mut Selected, diag: &Diag) {
    let rules = SpillRules::new(&resolved.scripted, &resolved.options.arrangement);
    rules.tell(&resolved.candidates, &resolved.objects, &resolved.definitions, diag);
    while let Ok(spills) = trial(resolved, selected)
        && !spills.is_empty()
    {
        for (what, to) in spills {
            let sections = &mut resolved.definitions.sections;
            match what {
                Spilled::Section(section) => sections[section].out = to.into(),
                Spilled::Group(group) => {
                    let group = &mut selected.merged.groups[group];
                    group.out = to;
                    for &member in &group.members {
                        sections[selected.merged.members[member].section].out = to.into();
                    }
                }
            }
        }
    }
}

/// The sections that have to move in the current layout. Messages are left to the link that
/// follows.
fn trial(resolved: &Resolved<'_>, selected: &Selected) -> Result<Vec<Spill>, Failed> {
    let diag = Diag::new(Style { no_warnings: true, is_silent: true, ..Style::default() });
    let frozen = Frozen::new(resolved, selected, &diag);
    let arranged = plan::arrange(&frozen, resolved.names.clone());
    let (mut planned, outputs) = plan::plan(&frozen, arranged)?;
    let rules = SpillRules::new(&resolved.scripted, &resolved.options.arrangement);
    laying_out::spills(&frozen, &mut planned, outputs, &rules)
}
