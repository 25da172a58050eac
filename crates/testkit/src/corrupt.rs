//! Links with damaged inputs: every result but a crash, a hang or a half-written output is correct.
//!
//! `//# corrupt: truncate FILE STEP` cuts the file at each multiple of STEP bytes; the link must
//! fail. `//# corrupt: overwrite FILE STEP BYTE` writes one byte at each multiple of STEP; the
//! link may succeed.

use crate::artifact::{OUTPUT, Work};
use crate::case::Directive;
use crate::linker::{Identity, Way};
use crate::run_case::{SENTINEL, crashed};
use crate::{Result, words};
use std::fs;

/// Links the files that a `corrupt` directive damages.
pub fn run(work: &mut Work<'_>, directive: &Directive) -> Result<()> {
    let words = words::split(&directive.text)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (name, step, byte) = match words.as_slice() {
        ["truncate", name, step] => (*name, *step, None),
        ["overwrite", name, step, byte] => {
            let byte = u8::from_str_radix(byte.trim_start_matches("0x"), 16);
            (*name, *step, Some(byte.map_err(|e| e.to_string())?))
        }
        _ => return Err("not truncate FILE STEP or overwrite FILE STEP BYTE".to_owned()),
    };
    let step: usize = step.parse().map_err(|_| "STEP is no number".to_owned())?;
    let path = work.path(name);
    let whole = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    // An empty file would be an empty script, so nothing is cut at 0.
    let first = if byte.is_some() { 0 } else { step };
    for at in (first..whole.len()).step_by(step.max(1)) {
        let mut damaged = whole.clone();
        match byte {
            Some(byte) => damaged[at] = byte,
            None => damaged.truncate(at),
        }
        fs::write(&path, &damaged).map_err(|e| format!("{}: {e}", path.display()))?;
        one_link(work, byte.is_none()).map_err(|e| format!("{name} at {at}: {e}"))?;
    }
    fs::write(&path, &whole).map_err(|e| format!("{}: {e}", path.display()))
}

fn one_link(work: &mut Work<'_>, must_fail: bool) -> Result<()> {
    let output = work.path(OUTPUT);
    // Removed first, as the output of an earlier step may be in use or not writable.
    let _ = fs::remove_file(&output);
    fs::write(&output, SENTINEL).map_err(|e| e.to_string())?;
    let link = work.link_command(Way::Plain, OUTPUT)?;
    let finished = link.run(&work.directory)?;
    if crashed(&finished) {
        return Err(format!("{}\n{}", finished.status_text(), finished.stderr));
    }
    let is_skald = work.settings.linker.identity == Identity::Skald;
    if finished.status.success() {
        return if must_fail { Err("the link succeeds".to_owned()) } else { Ok(()) };
    }
    if is_skald && fs::read(&output).ok().as_deref() != Some(SENTINEL) {
        return Err("the link fails and the old output is gone".to_owned());
    }
    if finished.stderr.trim().is_empty() {
        return Err("the link fails silently".to_owned());
    }
    Ok(())
}
