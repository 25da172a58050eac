//! Identifies files that cannot be linked, and suggests what was meant instead.

use skald_linking::spelling::errors;
use std::fs;
use std::path::Path;

/// Extensions of source files, and their languages.
const LANGUAGES: &[(&str, &str)] = &[
    ("c", "C"),
    ("h", "C"),
    ("i", "C"),
    ("cc", "C++"),
    ("cpp", "C++"),
    ("cxx", "C++"),
    ("C", "C++"),
    ("hh", "C++"),
    ("hpp", "C++"),
    ("ii", "C++"),
    ("f", "Fortran"),
    ("f90", "Fortran"),
    ("go", "Go"),
    ("rs", "Rust"),
    ("s", "assembler"),
    ("S", "assembler"),
    ("asm", "assembler"),
];

/// Machines of objects (gABI, `e_machine`), with the names that compilers use.
const MACHINES: &[(u16, &str)] = &[
    (3, "i386"),
    (8, "MIPS"),
    (20, "PowerPC"),
    (21, "PowerPC64"),
    (22, "S/390"),
    (40, "ARM"),
    (62, "x86-64"),
    (183, "AArch64"),
    (243, "RISC-V"),
    (247, "BPF"),
    (258, "LoongArch"),
];

/// The language of a source file, by its name.
pub fn language(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?;
    LANGUAGES.iter().find(|(known, _)| *known == extension).map(|&(_, language)| language)
}

/// `AArch64`, or `machine 999`.
pub fn machine(number: u16) -> String {
    let known = MACHINES.iter().find(|(known, _)| *known == number);
    known.map_or_else(|| format!("machine {number}"), |(_, name)| (*name).to_owned())
}

/// For a file that does not exist: the one in the same directory with the most similar name.
pub fn near(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let entries = fs::read_dir(directory.unwrap_or(Path::new("."))).ok()?;
    let limit = 1 + usize::from(name.len() >= 10);
    let candidate = |other: String| {
        // The extension shows the kind of file.
        let same_kind = Path::new(&other).extension() == path.extension();
        let errors = errors(name.as_bytes(), other.as_bytes(), limit)?;
        same_kind.then_some((errors, other))
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let (_, other) = names.filter_map(candidate).min()?;
    Some(format!("did you mean: {}", path.with_file_name(other).display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_and_machines_are_named() {
        assert_eq!(language(Path::new("a/b.cc")), Some("C++"));
        assert_eq!(language(Path::new("b.o")), None);
        assert_eq!(language(Path::new("c")), None);
        assert_eq!(machine(183), "AArch64");
        assert_eq!(machine(9), "machine 9");
    }

    #[test]
    fn near_files_have_the_same_extension() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        for name in ["areas.o", "area.c"] {
            fs::write(directory.path().join(name), b"").expect("written");
        }
        let text = near(&directory.path().join("area.o")).expect("one is near");
        assert!(text.ends_with("/areas.o"), "{text}");
        assert_eq!(near(&directory.path().join("other.o")), None);
    }
}
