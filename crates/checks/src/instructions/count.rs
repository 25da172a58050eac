//! The instructions that one link takes within the linker's own program file, as callgrind counts
//! them.
//!
//! In the report, a line `ob=` names the object file of the costs below it; a number in brackets
//! stands for the name from then on. The line after `calls=` has the inclusive cost of a callee,
//! which the callee's own lines count already.

use crate::Result;
use std::path::Path;
use std::process::Command;
use xtask::corpus::synthetic::input::RESPONSE_FILE;
use xtask::corpus::tools;

/// Counts the link in `directory`.
///
/// # Errors
/// When it fails, or the report is not understood.
pub fn count(linker: &Path, directory: &Path) -> Result<u64> {
    let report = directory.join("callgrind");
    let mut run = Command::new("valgrind");
    run.args(["--tool=callgrind", "--dump-line=no", "--compress-strings=yes"]);
    run.arg(format!("--log-file={}", directory.join("log").display()));
    run.arg(format!("--callgrind-out-file={}", report.display()));
    run.arg(linker).args(["--threads=1", &format!("@{RESPONSE_FILE}"), "-o", "out"]);
    tools::run(run.current_dir(directory))?;
    let text =
        std::fs::read_to_string(&report).map_err(|e| format!("{}: {e}", report.display()))?;
    let linker = linker.canonicalize().map_err(|e| format!("{}: {e}", linker.display()))?;
    match own_instructions(&text, &linker.display().to_string()) {
        0 => Err("nothing was counted".to_owned()),
        instructions => Ok(instructions),
    }
}

/// The instructions within the object file `object`.
fn own_instructions(report: &str, object: &str) -> u64 {
    let mut own_number = None;
    let mut is_own = false;
    let mut is_of_callee = false;
    let mut total = 0;
    for line in report.lines() {
        if let Some(named) = line.strip_prefix("ob=").or_else(|| line.strip_prefix("cob=")) {
            let (number, name) = named.split_once(' ').unwrap_or((named, ""));
            if name == object {
                own_number = Some(number);
            }
            if line.starts_with("ob=") {
                is_own = own_number == Some(number);
            }
        } else if line.starts_with("calls=") {
            is_of_callee = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
            if is_own && !is_of_callee {
                let cost = line.split(' ').nth(1).and_then(|cost| cost.parse::<u64>().ok());
                total += cost.unwrap_or(0);
            }
            is_of_callee = false;
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::own_instructions;

    #[test]
    fn only_own_code_is_counted() {
        let report = "events: Ir\n\nob=(1) /lib/libc.so.6\nfn=(1) memcpy\n0 1000\n\n\
            ob=(2) /bin/skald\nfn=(2) main\n0 5\n+3 7\ncob=(1)\ncfn=(1)\ncalls=2 0\n0 1000\n* \
            30\n\n\
            ob=(1)\nfn=(3) free\n0 9\n\nob=(2)\nfn=(4) f\n0 100\ntotals: 1151\n";
        assert_eq!(own_instructions(report, "/bin/skald"), 142);
        assert_eq!(own_instructions(report, "/lib/libc.so.6"), 1009);
        assert_eq!(own_instructions(report, "/bin/other"), 0);
    }
}
