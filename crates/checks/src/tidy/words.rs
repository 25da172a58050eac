//! Rules about words: file headers, names, unfinished code, `unsafe`, and words that only some
//! files may use.

use super::source::Source;
use regex::Regex;
use std::sync::LazyLock;

type Findings = Vec<(usize, String)>;

/// A file opens with `//!`.
pub fn header(source: &Source, findings: &mut Findings) {
    let opens = source.lines.first().is_some_and(|line| line.text.starts_with("//!"));
    if !opens {
        findings.push((1, "the file does not open with //!".to_owned()));
    }
}

/// Names that say nothing.
const BANNED_FILES: [&str; 11] = [
    "util", "utils", "common", "misc", "helper", "helpers", "manager", "context", "ext", "passes",
    "stuff",
];

/// No file and no type has a name that says nothing.
pub fn names(source: &Source, findings: &mut Findings) {
    for part in source.path.trim_end_matches(".rs").split('/') {
        if BANNED_FILES.contains(&part) {
            findings.push((1, format!("{part} is no noun of the field")));
        }
    }
    static TYPE: LazyLock<Regex> = LazyLock::new(|| {
        let banned = "(?:Utils?|Misc|Helpers?|Manager|Context|Ext)";
        let pattern = format!(r"\b(?:struct|enum|trait|type|union)\s+(\w*?{banned})\b");
        Regex::new(&pattern).expect("a constant pattern")
    });
    for line in &source.lines {
        if let Some(found) = TYPE.captures(&line.code) {
            findings.push((line.number, format!("{} is no noun of the field", &found[1])));
        }
    }
}

/// Nothing is left for later.
pub fn unfinished(source: &Source, findings: &mut Findings) {
    // In pieces, so that this file has no finding itself.
    let comments = [concat!("TO", "DO"), concat!("FIX", "ME")];
    // A test that is ignored for a reason (another test runs it, it is a measurement) says so.
    let code = [concat!("to", "do!("), concat!("unimple", "mented!("), concat!("#[ig", "nore]")];
    for line in &source.lines {
        let in_text = comments.iter().filter(|word| line.text.contains(**word));
        let in_code = code.iter().filter(|word| line.code.contains(**word));
        for word in in_text.chain(in_code) {
            findings.push((line.number, format!("{word} is unfinished work")));
        }
    }
}

/// The files that may have `unsafe`: calls of the operating system; the allocator, columns and
/// other code that would be slower or impossible without; and the C interface of compilers'
/// plugins.
const UNSAFE: [&str; 15] = [
    "crates/host/",
    "crates/core/src/alloc.rs",
    "crates/core/src/column.rs",
    "crates/core/src/digest.rs",
    "crates/core/src/field.rs",
    "crates/core/src/hash/aes.rs",
    "crates/core/src/huge_pages.rs",
    "crates/core/src/ids.rs",
    "crates/core/src/input/release.rs",
    "crates/core/src/output/",
    "crates/core/src/zstd_frame.rs",
    "crates/core/tests/",
    "crates/plugin/src/callbacks.rs",
    "crates/plugin/src/format.rs",
    "crates/plugin/src/host.rs",
];

/// Only `host` calls the operating system. Tests and development tools may, too.
pub fn system_calls(source: &Source, findings: &mut Findings) {
    static SYSTEM: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"\b(?:libc|rustix|nix|memmap2)::|\bstd::os::(?:unix|linux|fd|windows)\b";
        Regex::new(pattern).expect("a constant pattern")
    });
    const TOOLS: [&str; 5] = ["host", "checks", "distribute", "testkit", "verify"];
    let Some(path) = source.path.strip_prefix("crates/") else { return };
    let (name, rest) = path.split_once('/').unwrap_or((path, ""));
    if TOOLS.contains(&name) || !rest.starts_with("src/") {
        return;
    }
    for line in source.code_lines() {
        if let Some(found) = SYSTEM.find(&line.code) {
            findings.push((line.number, format!("{} outside of host", found.as_str())));
        }
    }
}

/// `unsafe` is only in the files of [`UNSAFE`], with a comment on why it is sound.
pub fn unsafe_code(source: &Source, findings: &mut Findings) {
    static WORD: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\bunsafe\b").expect("a constant pattern"));
    for (index, line) in source.lines.iter().enumerate() {
        if !WORD.is_match(&line.code) {
            continue;
        }
        if !UNSAFE.iter().any(|place| source.path.starts_with(place)) {
            findings.push((line.number, "unsafe outside of host".to_owned()));
        }
        // The comment may be some lines long, and attributes may stand between.
        let before = &source.lines[index.saturating_sub(12)..=index];
        let has_reason = before.iter().any(|l| l.text.contains("// SAFETY:"));
        let is_declaration = line.code.contains("unsafe fn") || line.code.contains("unsafe trait");
        let is_documented = is_declaration && before.iter().any(|l| l.text.contains("# Safety"));
        if !has_reason && !is_documented {
            findings.push((line.number, "unsafe without // SAFETY:".to_owned()));
        }
    }
}

/// Machines and their relocations are named in machine/ and loops/ only, in code and in texts.
/// Tests name them freely; core and host may ask which machine they run on, and options have to use
/// their own words.
pub fn machine_words(source: &Source, findings: &mut Findings) {
    static RELOCATION: LazyLock<Regex> = LazyLock::new(|| {
        let machines = "X86_64|386|AARCH64|ARM|RISCV|MIPS|MICROMIPS|PPC64|PPC|390|LARCH|SPARC|68K|SH|AVR|MSP430";
        Regex::new(&format!(r"\bR_(?:{machines})_\w+")).expect("a constant pattern")
    });
    static MACHINE: LazyLock<Regex> = LazyLock::new(|| {
        let names = r"\w*(?:x86_64|X86_64|aarch64|AARCH64|riscv|RISCV|loongarch|LOONGARCH|m68k|M68K|ppc64|PPC64)\w*";
        let constants = r"\bEM_(?:386|ARM|PPC|PPC64|S390|SPARC|SPARCV9)\b|\b\w+_X86_\w+";
        Regex::new(&format!("{names}|{constants}")).expect("a constant pattern")
    });
    let is_in = |places: &[&str]| places.iter().any(|place| source.path.starts_with(place));
    if !is_in(&[
        "crates/elf/src/",
        "crates/core/",
        "crates/host/",
        "crates/linking/",
        "crates/dwarf/",
        "crates/plugin/",
        "crates/report/",
        "crates/cli/",
    ]) || is_in(&["crates/elf/src/machine/", "crates/elf/src/loops/"])
    {
        return;
    }
    let may_name_machines = is_in(&["crates/core/", "crates/host/", "crates/elf/src/args/rows/"]);
    for line in source.code_lines() {
        let text = if line.text.trim_start().starts_with("//") { "" } else { line.text.as_str() };
        let machine = MACHINE.find(text).filter(|_| !may_name_machines);
        if let Some(found) = RELOCATION.find(&line.code).or(machine) {
            findings
                .push((line.number, format!("{} outside of machine/ and loops/", found.as_str())));
        }
    }
}

/// Only elf, and plugin, whose interface is made for that format, know an object format.
pub fn format_words(source: &Source, findings: &mut Findings) {
    static FORMAT: LazyLock<Regex> = LazyLock::new(|| {
        let words =
            r"\belf\b|\belf_|_elf\b|\bElf|skald_elf|\bcoff\b|\bCoff|\bmacho\b|\bMachO|\bMachFile";
        let kinds = "SHT|SHF|SHN|STT|STB|STV|DT|PT|PF|ET|EM|NT|IMAGE_SCN|LC";
        let constants = format!(r"\b(?:{kinds})_[A-Z]|\bELF[A-Z]");
        let records = r"\b(?:Ehdr|Shdr|Phdr|Chdr|Verdef|Verneed)\b|\b(?:entsize|shndx|sonames?)\b";
        let fields = r"\bsh_[a-z]+\b|\bst_(?:name|value|info|other|shndx)\b|\br_(?:info|addend)\b";
        let all = format!("{words}|{constants}|{records}|{fields}");
        Regex::new(&all).expect("a constant pattern")
    });
    const CRATES: [&str; 5] = ["core", "dwarf", "host", "linking", "report"];
    let name = source.path.strip_prefix("crates/").and_then(|path| path.split('/').next());
    let Some(name) = name.filter(|name| CRATES.contains(name)) else { return };
    for line in &source.lines {
        if let Some(found) = FORMAT.find(&line.code) {
            findings.push((line.number, format!("{} in {name}", found.as_str())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rule: fn(&Source, &mut Findings), path: &str, text: &str) -> usize {
        let mut findings = Vec::new();
        rule(&Source::parse(path, text), &mut findings);
        findings.len()
    }

    #[test]
    fn each_rule_finds_what_it_is_for() {
        assert_eq!(found(header, "crates/a/src/x.rs", "use a;\n"), 1);
        assert_eq!(found(names, "crates/a/src/utils.rs", "struct LinkContext;\nstruct Next;\n"), 2);
        assert_eq!(found(unfinished, "x.rs", concat!("// TO", "DO\nfn f() { to", "do!() }\n")), 2);
        assert_eq!(found(unsafe_code, "crates/elf/src/x.rs", "unsafe { f() }\n"), 2);
        assert_eq!(
            found(unsafe_code, "crates/core/src/alloc.rs", "// SAFETY: so\nunsafe { f() }\n"),
            0
        );
        assert_eq!(
            found(unsafe_code, "crates/core/src/diag.rs", "// SAFETY: so\nunsafe { f() }\n"),
            1
        );
        let system = "use std::os::unix::ffi::OsStrExt;\nuse rustix::fs;\nlibc::open();\n";
        assert_eq!(found(system_calls, "crates/elf/src/read/x.rs", system), 3);
        assert_eq!(found(system_calls, "crates/host/src/linux/x.rs", system), 0);
        assert_eq!(found(system_calls, "crates/cli/tests/x.rs", system), 0);
        assert_eq!(found(machine_words, "crates/elf/src/write/x.rs", "R_X86_64_64 => {}\n"), 1);
        assert_eq!(found(machine_words, "crates/elf/src/loops/x.rs", "R_X86_64_64 => {}\n"), 0);
        assert_eq!(found(format_words, "crates/core/src/x.rs", "self.a(); elf::b(); // ELF\n"), 1);
        assert_eq!(found(format_words, "crates/linking/src/x.rs", "SHT_NOTE => {}\n"), 1);
        let record = "let chdr = Chdr::new();\nsection.sh_flags;\nlet entsize = 1;\nELFMAG;\n";
        assert_eq!(found(format_words, "crates/linking/src/x.rs", record), 4);
    }

    #[test]
    fn machines_are_named_in_their_folders() {
        let text = "use crate::machine::x86_64::loader;\nlet name = \"elf_x86_64\";\n// x86_64\n\
                    header.e_machine.set(EM_386);\nlet bit = GNU_PROPERTY_X86_FEATURE_1_IBT;\n";
        assert_eq!(found(machine_words, "crates/elf/src/write/x.rs", text), 4);
        assert_eq!(found(machine_words, "crates/elf/src/machine/x.rs", text), 0);
        assert_eq!(found(machine_words, "crates/elf/src/write/x/tests.rs", text), 0);
        let host = "#[cfg(target_arch = \"x86_64\")]\n";
        assert_eq!(found(machine_words, "crates/core/src/x.rs", host), 0);
        assert_eq!(found(machine_words, "crates/linking/src/x.rs", host), 1);
    }
}
