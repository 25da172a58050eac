//! Sections that their memory region has no room for move to later statements that match them
//! (`--enable-non-contiguous-regions`, and references to a `CLASS`).
//!
//! What moves is known once everything has its address, so the layout is planned and placed on
//! trial until all regions have room or nothing can move; then the link goes on with the statements
//! that were found. A section moves to later output sections only, so there is an end.

use super::frozen::Frozen;
use super::resolving::Resolved;
use super::{laying_out, plan};
use crate::layout::spill::{Spill, Spilled};
use crate::resolve::outputs::spills::SpillRules;
use crate::select::selected::Selected;
use skald_core::diag::{Diag, Failed, Style};

/// Moves sections until each is where it fits, as far as there is such a place.
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

/// What has to move in the layout as it is now. Messages are those of the link that follows.
fn trial(resolved: &Resolved<'_>, selected: &Selected) -> Result<Vec<Spill>, Failed> {
    let diag = Diag::new(Style { no_warnings: true, is_silent: true, ..Style::default() });
    let frozen = Frozen::new(resolved, selected, &diag);
    let arranged = plan::arrange(&frozen, resolved.names.clone());
    let (mut planned, outputs) = plan::plan(&frozen, arranged)?;
    let rules = SpillRules::new(&resolved.scripted, &resolved.options.arrangement);
    laying_out::spills(&frozen, &mut planned, outputs, &rules)
}
