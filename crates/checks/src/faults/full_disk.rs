//! Links onto disks of every size that is too small: for each size a tmpfs of that many pages is
//! mounted.

use super::links::{Inputs, KINDS, Kind};
use super::verdict::{self, Expected};
use super::{Trial, tracer};
use crate::Result;
use crate::disk::Disk;
use nix::errno::Errno;
use skald_testkit::suite::Counts;
use std::path::Path;

/// Number of pages by which each disk is larger than the one before.
const STEP: usize = 1;

/// Links each kind onto disks that have room for the inputs and ever more beyond, until the
/// output fits. Skipped where nothing may be mounted.
pub fn check(
    inputs: &Inputs,
    linker: &Path,
    work: &Path,
    is_wanted: &dyn Fn(&Kind) -> bool,
) -> Result<Counts> {
    let mut counts = Counts::default();
    let at = work.join("disk");
    for kind in KINDS.iter().filter(|kind| kind.name != "stream" && is_wanted(kind)) {
        let expected = Expected::of(kind, inputs, &kind.words(linker, 1), &work.join("room"))?;
        for pages in (0..).step_by(STEP) {
            match onto(kind, inputs, linker, &at, pages, &expected)? {
                Some(Ok(is_linked)) => {
                    counts.passed += 1;
                    if is_linked {
                        break;
                    }
                }
                Some(Err(how)) => {
                    println!("FAIL {} with {pages} pages left: {how}", kind.name);
                    counts.failed += 1;
                }
                None => return Ok(Counts { skipped: 1, ..counts }),
            }
        }
    }
    Ok(counts)
}

type Verdict = std::result::Result<bool, String>;

/// Links onto a disk with `pages` free beside the inputs; returns whether that was enough.
fn onto(
    kind: &Kind,
    inputs: &Inputs,
    linker: &Path,
    at: &Path,
    pages: usize,
    expected: &Expected,
) -> Result<Option<Verdict>> {
    let taken = inputs.pages(kind)?;
    let Some(_disk) = Disk::with_pages(at, taken + pages) else { return Ok(None) };
    let directory = at.join("link");
    inputs.copy(kind, &directory)?;
    let words = kind.words(linker, 1);
    let outcome = tracer::run_telling(&directory, &at.with_extension("stderr"), &words, None)?;
    let trial = Trial::Error(Errno::ENOSPC);
    let verdict = verdict::of(kind, trial, &outcome, &directory, expected, &words)?;
    let is_linked = outcome.status == Ok(0);
    Ok(Some(verdict.map(|()| is_linked)))
}
