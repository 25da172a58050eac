//! Ways to call the linker that must not change the output. Each is a script that sets an
//! environment and adds options.

use crate::Result;
use crate::disk::is_done;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A way to link again.
pub struct Way {
    /// Name of the way.
    pub name: &'static str,
    /// Shell commands that come before.
    environment: &'static str,
    /// Words before the linker.
    before: &'static str,
    /// Options before those of the link.
    options: &'static str,
    /// It sets the number of threads, on which random order depends most.
    pub is_of_threads: bool,
    /// It uses the perturbed build.
    pub is_perturbed: bool,
    /// The output is written over that of the previous link.
    pub is_relink: bool,
    /// It uses the script that `--verbose` prints, unless the link has one. Maps and lists of
    /// dependencies name that script, so only the output is compared.
    pub is_output_alone: bool,
}

const fn way(name: &'static str, options: &'static str) -> Way {
    Way {
        name,
        environment: "",
        before: "",
        options,
        is_of_threads: false,
        is_perturbed: false,
        is_relink: false,
        is_output_alone: false,
    }
}

const fn threads(name: &'static str, options: &'static str) -> Way {
    Way { is_of_threads: true, ..way(name, options) }
}

/// All ways; the first is the plain one.
pub const WAYS: &[Way] = &[
    threads("1 thread", "--threads=1"),
    threads("2 threads", "--threads=2"),
    threads("3 threads", "--threads=3"),
    threads("8 threads", "--threads=8"),
    threads("64 threads", "--threads=64"),
    Way { is_relink: true, ..way("over the output before", "") },
    way("mapped output", "--mmap-output-file"),
    way("mapped output, 8 threads", "--mmap-output-file --threads=8"),
    way("in the background", "--fork"),
    way("in the background, mapped output", "--fork --mmap-output-file"),
    way("not in the background", "--no-fork"),
    Way { is_output_alone: true, ..way("by the printed script", "") },
    way("no prefetch", "--no-prefetch"),
    way("atomic output", "--atomic-output"),
    Way {
        environment: "umask 077; unset SOURCE_DATE_EPOCH; \
                      export TZ=Pacific/Kiritimati LANG=tr_TR.UTF-8 LC_ALL=tr_TR.UTF-8 \
                      HOME=/nonexistent TMPDIR=/nonexistent USER=nobody LOGNAME=nobody \
                      HOSTNAME=elsewhere COLUMNS=20 TERM=dumb",
        ..way("another environment", "")
    },
    Way {
        // But for what GCC's driver tells the compiler that its plugin starts.
        before: "env -i ${COLLECT_GCC:+\"PATH=$PATH\" \"COLLECT_GCC=$COLLECT_GCC\" \
                 \"COLLECT_GCC_OPTIONS=$COLLECT_GCC_OPTIONS\" \
                 \"COLLECT_LTO_WRAPPER=$COLLECT_LTO_WRAPPER\"}",
        ..way("no environment", "")
    },
    Way {
        before: "unshare --uts sh -c 'hostname elsewhere; exec \"$@\"' sh",
        ..way("another host", "")
    },
    Way { is_perturbed: true, is_of_threads: true, ..way("perturbed", "") },
    Way { is_perturbed: true, is_of_threads: true, ..way("perturbed, 8 threads", "--threads=8") },
];

impl Way {
    /// Whether this way is possible on this machine.
    pub fn is_possible(&self) -> bool {
        let Some(program) = self.before.split(' ').next().filter(|program| *program == "unshare")
        else {
            return true;
        };
        is_done(Command::new(program).args(["--uts", "hostname", "elsewhere"]))
    }

    /// Writes the script for `linker` into `directory`.
    pub fn script(&self, linker: &Path, directory: &Path) -> Result<PathBuf> {
        std::fs::create_dir_all(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        let path = directory.join(self.name.replace([' ', ','], "-"));
        let Way { environment, before, options, .. } = self;
        let linker = linker.display();
        let printed = if self.is_output_alone {
            printed_script(&linker.to_string(), &path)
        } else {
            String::new()
        };
        let text = format!(
            "#!/bin/sh\n{environment}\n{printed}exec {before} '{linker}' {options} \"$@\"\n"
        );
        let io = |e: std::io::Error| format!("{}: {e}", path.display());
        std::fs::write(&path, text).map_err(io)?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).map_err(io)?;
        Ok(path)
    }
}

/// Commands that add `-T` with the script that `--verbose` prints between its two lines. Nothing is
/// added if a script is given already, or to what has no such script: `-r` and `--task-link`. The
/// script is not below the root directory that `--chroot` names.
fn printed_script(linker: &str, beside: &Path) -> String {
    let script = format!("{}.$$.ld", beside.display());
    format!(
        "case \" $* \" in *' -T'*|*' -dT'*|*script*|*' -r '*|*' --relocatable '*|*' -i '*|*task-link*|*chroot*) ;; *)\n\
         '{linker}' \"$@\" --verbose -o /dev/null 2>&1 | sed '1,/^=====/d; /^=====/,$d' >\"{script}\"\n\
         if [ -s \"{script}\" ]; then set -- \"$@\" -T \"{script}\"; fi ;; esac\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_run_what_they_are_for() {
        let directory = tempfile::tempdir().unwrap();
        for way in WAYS.iter().filter(|way| way.is_possible()) {
            let script = way.script(Path::new("/bin/echo"), directory.path()).unwrap();
            let output = Command::new(script).args(["a", "b c"]).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            assert_eq!(text.trim(), format!("{} a b c", way.options).trim(), "{}", way.name);
        }
    }
}
