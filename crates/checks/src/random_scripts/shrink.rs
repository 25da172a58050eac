//! Makes a script that differs smaller, by whole statements, as long as it still has the same kind
//! of difference.

use super::links::{self, Compared, Linkers};
use super::script::Script;
use crate::Result;
use std::path::Path;

/// Returns a smaller script with a difference of the same kind as the first one, and all its
/// differences. At the end `directory` holds the link of that script.
pub fn shrink(
    linkers: &Linkers,
    mut script: Script,
    directory: &Path,
    compared: &Compared,
) -> Result<(Script, Compared)> {
    let Some(first) = compared.differences.first() else {
        return Ok((script, Compared::default()));
    };
    let mut is_smaller = true;
    while is_smaller {
        is_smaller = false;
        let mut at = 0;
        while at < script.droppable() {
            let less = script.without(at);
            let is_less = less != script && !less.objects.is_empty() && less.lays_out();
            if is_less && is_like(&links::compare(linkers, &less, directory)?, first) {
                script = less;
                is_smaller = true;
            } else {
                at += 1;
            }
        }
    }
    let left = links::compare(linkers, &script, directory)?;
    Ok((script, left))
}

fn is_like(compared: &Compared, first: &super::compare::Difference) -> bool {
    compared.differences.iter().any(|difference| difference.signature() == first.signature())
}
