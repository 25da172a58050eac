//! The programs that a case calls: compilers by the language of its files, the driver of its links,
//! and those that `//# requires:` names. A case is skipped where one of them is missing.

use crate::Result;
use crate::case::{Case, CaseFile, Variant};
use crate::machine::Runner;

/// The compiler driver that links: that of `//# driver:`, or the one for the case's language.
pub fn driver(case: &Case, variant: &Variant) -> String {
    let given = case.directives_for(variant, "driver").last();
    match (given, case.extension.as_str()) {
        (Some(driver), _) => driver.text.clone(),
        (None, "cc") => "g++".to_owned(),
        (None, "s" | "yaml") => "ld".to_owned(),
        (None, "rs") => "rustc".to_owned(),
        (None, _) => "gcc".to_owned(),
    }
}

/// The compiler for `file`, by its name on x86-64. rustc compiles and links in one step.
fn compiler(case: &Case, variant: &Variant, file: &CaseFile) -> &'static str {
    let cc = case.directives_for(variant, "cc").last();
    let is_clang = cc.is_some_and(|directive| directive.text.starts_with("clang"));
    match (file.extension(), is_clang) {
        ("yaml", _) => "yaml2obj-19",
        ("rs", _) => "rustc",
        ("cc", true) => "clang++-19",
        ("cc", false) => "g++",
        (_, true) => "clang-19",
        (_, false) => "gcc",
    }
}

/// The words that begin a compilation of `file`: the compiler for the machine of the case.
pub fn compiling(case: &Case, variant: &Variant, file: &CaseFile) -> Vec<String> {
    let compiler = compiler(case, variant, file);
    let mut words = case.machine.words(compiler);
    if compiler.starts_with("clang") {
        words.extend(case.machine.clang_options());
    }
    words
}

/// The first program that the case needs and that this system lacks.
pub fn missing(case: &Case, variant: &Variant) -> Result<Option<String>> {
    Ok(needed(case, variant)?.into_iter().find(|program| !is_installed(program)))
}

/// All programs that the case calls.
pub fn needed(case: &Case, variant: &Variant) -> Result<Vec<String>> {
    let mut needed = Vec::new();
    for directive in case.directives_for(variant, "requires") {
        needed.extend(directive.words()?);
    }
    let sources = case.files.iter().filter(|file| file.is_source());
    needed.extend(sources.map(|file| compiler(case, variant, file).to_owned()));
    // A driver `ld` means the linker under test.
    needed.extend(Some(driver(case, variant)).filter(|driver| driver != "ld"));
    for program in &mut needed {
        *program = case.machine.program(program);
    }
    let mut runs = ["run", "no-run", "same-as"].iter();
    if let Runner::Emulator(emulator) = case.machine.runner()
        && runs.any(|name| case.directives_for(variant, name).next().is_some())
    {
        needed.push((*emulator).to_owned());
    }
    Ok(needed)
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

#[cfg(test)]
mod tests {
    use super::{compiler, compiling, driver, missing, needed};
    use crate::case::Case;

    #[test]
    fn languages_choose_programs() {
        let text = "int x;\n//# variant: a\n//# variant: b\n//# @b cc: clang-19\n//# file: \
            y.yaml\n--- !ELF\n";
        let case = Case::parse("area/x", "cc", text).unwrap();
        let programs = |variant: usize| {
            let variant = &case.variants[variant];
            let compilers = case.files.iter().map(|file| compiler(&case, variant, file));
            (compilers.collect::<Vec<_>>(), driver(&case, variant))
        };
        assert_eq!(programs(0), (vec!["g++", "yaml2obj-19"], "g++".to_owned()));
        assert_eq!(programs(1), (vec!["clang++-19", "yaml2obj-19"], "g++".to_owned()));
    }

    #[test]
    fn machines_have_their_own() {
        let text = "//# cc: clang-19\n//# requires: readelf python3\n//# run\n";
        let case = Case::parse("aarch64/x", "c", &format!("int x;\n{text}")).unwrap();
        let variant = &case.variants[0];
        let words = compiling(&case, variant, &case.files[0]);
        assert_eq!(words, ["clang-19", "--target=aarch64-linux-gnu"]);
        let expected = [
            "aarch64-linux-gnu-readelf",
            "python3",
            "clang-19",
            "aarch64-linux-gnu-gcc",
            "qemu-aarch64",
        ];
        assert_eq!(needed(&case, variant).unwrap(), expected);
    }

    #[test]
    fn what_is_missing_is_named() {
        let case = Case::parse("area/x", "c", "//# @a requires: no-such-program\n//# variant: a\n");
        let case = case.unwrap();
        let found = missing(&case, &case.variants[0]).unwrap();
        assert_eq!(found.as_deref(), Some("no-such-program"));
    }
}
