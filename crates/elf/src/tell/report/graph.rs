//! References between sections: the edges that decide what is live, without repetitions.

use super::Input;
use super::collect::Rows;
use crate::resolve::definitions::SectionId;
use crate::select::references::EdgeTarget;
use skald_core::ids::IdSlice;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_report::data::{NONE, ReferenceLists, Report};

/// Sections whose edges one task collects.
const CHUNK: usize = 2048;

/// Fills in references and roots. `import_of` is the row of a name's import plus one, 0 for none.
pub fn collect(
    input: &Input<'_>,
    rows: &Rows,
    import_of: &IdSlice<NameId, u32>,
    report: &mut Report,
) {
    let references = input.references();
    let first_import = report.sections.len() as u32;
    let edges = |(at, chunk): (usize, &[SectionId])| {
        let first = (at * CHUNK) as u32;
        let mut counts = Vec::with_capacity(chunk.len());
        let mut targets: Vec<u32> = Vec::new();
        for &id in chunk {
            let start = targets.len();
            let own = rows.row[id];
            references.of(id, &mut |target| {
                let row = match target {
                    EdgeTarget::Section(section) => rows.row[section],
                    EdgeTarget::Name(name) => match import_of[name] {
                        0 => NONE,
                        import => first_import + import - 1,
                    },
                };
                if row != NONE && row != own && targets[start..].last() != Some(&row) {
                    targets.push(row);
                }
            });
            targets[start..].sort();
            dedup_from(&mut targets, start);
            counts.push((targets.len() - start) as u32);
        }
        ReferenceLists { first, counts, targets }
    };
    report.references = rows.section.par_chunks(CHUNK).enumerate().map(edges).collect();
    let roots = input.kept.0.iter().map(|&(id, reason)| (rows.row[id], reason));
    report.roots = roots.filter(|&(row, _)| row != NONE).collect();
    // Folded sections have the same row as their leader.
    report.roots.sort_by_key(|&(row, _)| row);
    report.roots.dedup_by_key(|root| root.0);
}

/// Removes repetitions from the sorted part from `first` on.
fn dedup_from(list: &mut Vec<u32>, first: usize) {
    let mut kept = first;
    for at in first..list.len() {
        if kept == first || list[kept - 1] != list[at] {
            list[kept] = list[at];
            kept += 1;
        }
    }
    list.truncate(kept);
}

#[cfg(test)]
mod tests {
    #[test]
    fn repetitions_go_from_a_part_only() {
        let mut list = vec![1, 1, 1, 2, 2, 3];
        super::dedup_from(&mut list, 2);
        assert_eq!(list, [1, 1, 1, 2, 3]);
    }
}
