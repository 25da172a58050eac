//! Which statements may match the same names, by the literal prefixes of their patterns.

use super::RuleId;
use crate::script::layout_script::LayoutScript;
use crate::script::statements::InputStatement;
use skald_core::ids::Column;
use skald_linking::glob::Glob;
use std::collections::BTreeSet;

/// The literal prefixes of a statement's patterns; without patterns it takes all names.
fn prefixes(statement: &InputStatement) -> Vec<Vec<u8>> {
    let all = &statement.sections;
    let own = all.iter().map(|section| Glob::new(&section.name).literal_prefix());
    own.chain(all.is_empty().then(Vec::new)).collect()
}

/// By statement, whether it may take a section that one with `KEEP` matches as well.
pub fn may_be_kept(script: &LayoutScript) -> Column<RuleId, bool> {
    let keeping = script.inputs().filter(|(_, statement)| statement.keep);
    let kept: BTreeSet<Vec<u8>> = keeping.flat_map(|(_, statement)| prefixes(statement)).collect();
    let may_be_kept = |prefix: &Vec<u8>| {
        let longer = kept.range(prefix.clone()..).next();
        longer.is_some_and(|longer| longer.starts_with(prefix))
            || (0..prefix.len()).any(|length| kept.contains(&prefix[..length]))
    };
    script.inputs().map(|(_, statement)| prefixes(statement).iter().any(may_be_kept)).collect()
}
