//! Which cases that name no machine are about x86-64 all the same.
//!
//! Such a case is run for another machine if its sources are C or C++ and what it expects says
//! nothing that only x86-64 has. A rule here, or the case itself by `//# machines:`, says why it is
//! not run; the reasons are counted.

use crate::case::{Case, Directive, Variant};
use crate::{Result, machine};

/// Why a case is not for another machine than x86-64.
struct Rule {
    why: &'static str,
    applies: fn(&Case, &Variant) -> bool,
}

const RULES: [Rule; 8] = [
    Rule {
        why: "assembler code of x86-64",
        applies: |case, _| {
            let is_assembler = |extension| matches!(extension, "s" | "S");
            case.files
                .iter()
                .any(|file| is_assembler(file.extension()) || has_instructions(&file.text))
        },
    },
    Rule {
        why: "YAML that describes objects of x86-64",
        applies: |case, _| case.files.iter().any(|file| file.text.contains("EM_X86_64")),
    },
    Rule {
        why: "rustc, which has the libraries of x86-64 alone",
        applies: |case, variant| {
            let is_rust = |file: &crate::case::CaseFile| file.extension() == "rs";
            crate::programs::driver(case, variant) == "rustc" || case.files.iter().any(is_rust)
        },
    },
    Rule {
        why: "relocations of x86-64 are expected by name",
        applies: |case, variant| says(case, variant, |d| d.text.contains("R_X86_64_")),
    },
    Rule {
        why: "bytes or instructions of x86-64 are expected",
        applies: |case, variant| {
            says(case, variant, |d| matches!(d.name.as_str(), "bytes" | "disasm" | "no-disasm"))
        },
    },
    Rule {
        why: "x86-64 is named",
        applies: |case, variant| {
            let is_named = |text: &str| text.contains("x86-64") || text.contains("x86_64");
            let option = |words: &[String]| words.iter().any(|word| is_named(word));
            says(case, variant, |d| d.name != "machines" && is_named(&d.text))
                || option(&variant.link_options)
                || option(&variant.compile_options)
                || case.files.iter().any(|file| is_named(&file.text))
        },
    },
    Rule {
        why: "a debugger runs the program",
        applies: |case, variant| {
            says(case, variant, |d| d.text.contains("gdb -") || d.text.contains("lldb-19 -"))
        },
    },
    Rule {
        why: "a shell command runs a program that was linked",
        applies: |case, variant| {
            let runs = |d: &Directive| d.text.starts_with("./") || d.text.contains(" ./");
            says(case, variant, |d| matches!(d.name.as_str(), "sh" | "check") && runs(d))
        },
    },
];

/// Whether a directive that counts in `variant` is one of which `holds` is true.
fn says(case: &Case, variant: &Variant, holds: impl Fn(&Directive) -> bool) -> bool {
    case.directives.iter().any(|directive| directive.applies_to(variant) && holds(directive))
}

/// Whether C code has assembler code with registers: `asm` of mere directives does for any machine.
fn has_instructions(text: &str) -> bool {
    let mut parts = text.split("asm").skip(1);
    parts.any(|rest| {
        let statement = rest.split(");").next().unwrap_or_default();
        statement.contains("%") && !statement.contains("%c")
            || statement.contains("call ")
            || statement.contains(".quad")
    })
}

/// Why `case` is not run for its machine; `None` if it is.
pub fn why_not(case: &Case, variant: &Variant) -> Result<Option<String>> {
    for directive in case.directives_for(variant, "machines") {
        let at = |e: &str| format!("line {}: machines: {e}", directive.line);
        let is_machine = |word: &&str| machine::find(word).is_some();
        let words = directive.text.split_whitespace();
        let given: Vec<&str> = words.clone().take_while(is_machine).collect();
        let reason: Vec<&str> = words.skip(given.len()).collect();
        if given.is_empty() || reason.is_empty() {
            return Err(at("the machines and the reason are wanted"));
        }
        if !given.contains(&case.machine.word) {
            return Ok(Some(format!("it says: {}", reason.join(" "))));
        }
    }
    if case.machine.is_native() || !case.is_generic {
        return Ok(None);
    }
    let rule = RULES.iter().find(|rule| (rule.applies)(case, variant));
    Ok(rule.map(|rule| format!("about x86-64: {}", rule.why)))
}

#[cfg(test)]
mod tests {
    use super::why_not;
    use crate::case::Case;
    use crate::machine;

    fn asked(word: &str, extension: &str, text: &str) -> Option<String> {
        let mut case = Case::parse("area/x", extension, text).unwrap();
        case.machine = machine::find(word).unwrap();
        why_not(&case, &case.variants[0]).unwrap()
    }

    #[test]
    fn what_is_about_one_machine_says_why() {
        assert_eq!(asked("aarch64", "c", "int x;\n//# section: .data\n"), None);
        assert_eq!(asked("x86-64", "s", "ret\n"), None);
        assert!(asked("aarch64", "s", "ret\n").unwrap().contains("assembler"));
        let text = "int x;\n//# reloc: R_X86_64_COPY\n";
        assert!(asked("i386", "c", text).unwrap().contains("relocations"));
        let text = "//# machines: x86-64 aarch64 words of eight bytes\nint x;\n";
        assert_eq!(asked("i386", "c", text).unwrap(), "it says: words of eight bytes");
        assert_eq!(asked("aarch64", "c", text), None);
        assert_eq!(asked("x86-64", "c", text), None);
    }

    #[test]
    fn a_reason_is_wanted() {
        let case = Case::parse("area/x", "c", "int x;\n//# machines: x86-64\n").unwrap();
        assert!(why_not(&case, &case.variants[0]).is_err());
    }
}
