//! The links that faults happen to: one for each way in which an output and what comes beside it
//! reach the disk.

use crate::Result;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A kind of link.
pub struct Kind {
    /// Name of the kind.
    pub name: &'static str,
    /// Its options; inputs follow.
    pub options: &'static [&'static str],
    /// The output of another link exists before this one starts.
    pub is_relink: bool,
    /// Files whose bytes differ from run to run, as they hold times or directories.
    pub differing: &'static [&'static str],
}

const fn kind(name: &'static str, options: &'static [&'static str]) -> Kind {
    Kind { name, options, is_relink: false, differing: &[] }
}

impl Kind {
    /// Whether a debug file is written after the output has its name.
    pub fn has_debug_file(&self) -> bool {
        self.options.iter().any(|option| option.starts_with("--separate-debug-file"))
    }
}

/// All kinds of link.
pub const KINDS: &[Kind] = &[
    kind("program", &["-o", "out"]),
    Kind { is_relink: true, ..kind("relink", &["-o", "out"]) },
    Kind { is_relink: true, ..kind("atomic", &["-o", "out", "--atomic-output"]) },
    Kind { is_relink: true, ..kind("library", &["-o", "out", "-shared", "--build-id"]) },
    kind("relocatable", &["-o", "out", "-r"]),
    kind("mapped", &["-o", "out", "--mmap-output-file"]),
    kind("stream", &["-o", "-"]),
    kind("compressed", &["-o", "out", "--compress-debug-sections=zlib", "-O2"]),
    kind("in-background", &["-o", "out", "--fork"]),
    kind("response", &["-o", "out", "@rest.rsp", "-T", "rest.ld", "--version-script=rest.ver"]),
    Kind {
        differing: &["trace.json", "report.html", "out.tar"],
        ..kind(
            "side-files",
            &[
                "-o",
                "out",
                "-Map=out.map",
                "--dependency-file=out.d",
                "--reproduce=out.tar",
                "--time-trace=trace.json",
                "--report=report.html",
                "--separate-debug-file=out.debug",
            ],
        )
    },
    kind("archived", &["-o", "out", "--start-lib", "other.o", "--end-lib", "--print-map"]),
];

const MAIN: &str = "
extern int from_library, of_member(int); int own = 3; static const char *text = \"a text\";
int many[4000] = { 1 };
int _start(void) { return own + from_library + of_member(*text); }
";
const MEMBER: &str = "static int kept[9000] = { 5 }; int of_member(int at) { return kept[at]; }\n";
const LIBRARY: &str = "int from_library = 2;\n";
/// Another `main.o`, of another size.
const OTHER: &str =
    "int own = 9; int from_library_too(void) { return own; } int _start(void) { return 0; }\n";

/// Inputs of all links.
pub struct Inputs {
    /// The directory that holds them.
    pub directory: PathBuf,
}

/// The input files, which follow the options.
const FILES: [&str; 3] = ["main.o", "libmember.a", "liblib.so"];

impl Inputs {
    /// Makes the inputs in `directory`; `linker` links the shared library.
    pub fn make(directory: &Path, linker: &Path) -> Result<Inputs> {
        std::fs::create_dir_all(directory).map_err(|e| e.to_string())?;
        let sources = [("main", MAIN), ("member", MEMBER), ("lib", LIBRARY), ("other", OTHER)];
        for (name, text) in sources {
            write(&directory.join(format!("{name}.c")), text)?;
            let output = format!("{name}.o");
            let options = ["-c", "-g", "-fPIC", "-O1", "-ffunction-sections", "-o", &output];
            let source = format!("{name}.c");
            let mut command = Command::new("gcc");
            command.current_dir(directory).args(options).arg(source);
            xtask::root::run(&mut command)?;
        }
        write(&directory.join("rest.rsp"), "--gc-sections --icf=all\n")?;
        write(&directory.join("rest.ld"), "ASSERT(own != 0, \"own\")\n")?;
        write(&directory.join("rest.ver"), "V1 { global: own; local: *; };\n")?;
        let mut archive = Command::new("ar");
        archive.current_dir(directory).args(["rcs", "libmember.a", "member.o"]);
        xtask::root::run(&mut archive)?;
        let mut library = Command::new(linker);
        library.current_dir(directory).args(["-shared", "-o", "liblib.so", "lib.o"]);
        xtask::root::run(&mut library)?;
        Ok(Inputs { directory: directory.to_owned() })
    }

    /// Empties `to` and copies the inputs there. For a relink, writes an old output as well.
    pub fn copy(&self, kind: &Kind, to: &Path) -> Result<()> {
        let _ = std::fs::remove_dir_all(to);
        std::fs::create_dir_all(to).map_err(|e| e.to_string())?;
        for name in self.names()? {
            std::fs::copy(self.directory.join(&name), to.join(&name)).map_err(|e| e.to_string())?;
        }
        if kind.is_relink {
            let old = to.join("out");
            write(&old, &old_output())?;
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(old, mode).map_err(|e| e.to_string())?;
        }
        Ok(())
    }

    /// Pages that a copy of the inputs takes on a tmpfs, with what `kind` adds, the messages and
    /// the two directories.
    pub fn pages(&self, kind: &Kind) -> Result<usize> {
        let size = |name: &String| {
            std::fs::metadata(self.directory.join(name)).map_or(0, |found| found.len() as usize)
        };
        let old = if kind.is_relink { OLD.len() * OLD_LINES } else { 0 };
        let files = self.names()?;
        let pages = files.iter().map(size).chain([old]).map(|size| size.div_ceil(4096));
        Ok(pages.sum::<usize>() + 1)
    }

    /// Names of the files that the link writes.
    pub fn names(&self) -> Result<Vec<String>> {
        let entries = std::fs::read_dir(&self.directory).map_err(|e| e.to_string())?;
        Ok(entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect())
    }
}

const OLD: &str = "\x7fELF old";
const OLD_LINES: usize = 9000;

/// Content of the old output of a relink.
pub fn old_output() -> String {
    OLD.repeat(OLD_LINES)
}

impl Kind {
    /// The words of the command.
    pub fn words(&self, linker: &Path, threads: usize) -> Vec<String> {
        let mut words = vec![linker.display().to_string(), format!("--threads={threads}")];
        if !self.options.contains(&"--fork") {
            words.push("--no-fork".to_owned());
        }
        words.extend(self.own_words().map(str::to_owned));
        words
    }

    /// Its options and inputs.
    pub fn own_words(&self) -> impl Iterator<Item = &'static str> {
        let files = if self.options.contains(&"-r") { &FILES[..2] } else { &FILES[..] };
        self.options.iter().chain(files).copied()
    }
}

/// Files of a directory that are not among `inputs`, by name.
pub fn made(directory: &Path, inputs: &[String]) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(directory).map_err(|e| e.to_string())?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != "stderr" && !inputs.contains(&name) {
            found.insert(name, std::fs::read(entry.path()).map_err(|e| e.to_string())?);
        }
    }
    Ok(found)
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}
