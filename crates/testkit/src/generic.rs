//! Decides which cases without a machine are nevertheless specific to x86-64.
//!
//! Such a case is run for another machine if its sources are C or C++, or assembler code that every
//! machine has, and what it expects says nothing that only x86-64 has. If it is not run, a rule
//! here or the case's own `//# machines:` gives the reason; the reasons are counted.

use crate::case::{Case, Directive, Variant};
use crate::machine::Machine;
use crate::{Result, machine, portable};

/// A reason why a case is for x86-64 only.
struct Rule {
    why: &'static str,
    applies: fn(&Question<'_>) -> bool,
}

/// The case and variant that a rule decides on.
struct Question<'a> {
    case: &'a Case,
    variant: &'a Variant,
    machine: &'a Machine,
}

/// Reasons why a case is not for a machine of the other byte order, which has no C library, be it a
/// case of its twin or of any machine.
const OF_TWIN: [Rule; 4] = [
    Rule {
        why: "YAML that describes little-endian objects",
        applies: |q| {
            let is_little = |file: &crate::case::CaseFile| file.text.contains("ELFDATA2LSB");
            q.machine.twin.is_some() && q.case.files.iter().any(is_little)
        },
    },
    Rule {
        why: "a C library and start files are linked",
        applies: |q| {
            let is_free = |words: &[String]| words.iter().any(|w| w == "-nostdlib" || w == "-r");
            let directives = |name| q.case.directives_for(q.variant, name);
            let mut link = q.variant.link_options.clone();
            link.extend(directives("link").flat_map(|d| d.words().unwrap_or_default()));
            let mut libraries = directives("shared").map(|d| d.words().unwrap_or_default());
            let driver = crate::programs::driver(q.case, q.variant);
            driver != "ld" && (!is_free(&link) || libraries.any(|words| !is_free(&words)))
        },
    },
    Rule {
        why: "clang needs headers of a C library",
        applies: |q| {
            let includes = |file: &crate::case::CaseFile| file.text.contains("#include <");
            let compiles = q.case.directives_for(q.variant, "cc").any(|d| d.text.contains("clang"));
            compiles && q.case.files.iter().any(includes)
        },
    },
    Rule {
        why: "a shell command links a C library",
        applies: |q| {
            let links = |text: &str| {
                let is_compiler = text.contains("gcc ") || text.contains("g++ ");
                let is_free = [" -c ", " -S ", "-nostdlib"].iter().any(|word| text.contains(word));
                is_compiler && !is_free
            };
            q.says(|d| matches!(d.name.as_str(), "sh" | "check") && links(&d.text))
        },
    },
];

/// What cases say where a function's symbol is that of its code: the section of such a symbol, code
/// on the stack, references from code to code, and lists of symbols by section.
const OF_CODE_SYMBOLS: [&str; 6] = [
    "section=.text",
    "GNU_STACK flags=RWX",
    "^live symbol: ",
    "$(nm $OUT | awk",
    "first\\(\\)\\n",
    "prohibited cross reference",
];

/// What cases say that LLVM's tools do not know: options of readelf, objcopy and gcc, and words of
/// the assembler.
const OF_GNU_TOOLS: [&str; 8] = [
    "readelf -wk",
    "--debug-dump=",
    "zlib-gnu",
    "-fno-ipa-icf",
    "-fno-fat-lto-objects",
    ".section .mbind",
    ".tls_common",
    "\"o\",@progbits,.note.b",
];

const RULES: [Rule; 34] = [
    Rule {
        why: "programs of microcontrollers have no system",
        applies: |q| matches!(q.machine.word, "avr" | "msp430"),
    },
    Rule {
        why: "relocations of x86-64 are expected by name, or written",
        applies: |q| {
            let is_named = |text: &str| text.contains("R_X86_64_");
            q.says(|d| is_named(&d.text)) || q.case.files.iter().any(|file| is_named(&file.text))
        },
    },
    Rule {
        why: "assembler code of x86-64",
        applies: |q| {
            let is_portable = |file: &crate::case::CaseFile| match file.extension() {
                "s" => portable::is_assembler(&file.text),
                "S" => false,
                _ => portable::is_c(&file.text),
            };
            !q.case.files.iter().filter(|file| file.is_source()).all(is_portable)
        },
    },
    Rule {
        why: "assembler code whose functions have no descriptors",
        applies: |q| {
            let is_assembler = |file: &crate::case::CaseFile| file.extension() == "s";
            q.machine.word == "ppc64" && q.case.files.iter().any(is_assembler)
        },
    },
    Rule {
        why: "symbols of functions are those of descriptors",
        applies: |q| {
            let folds = q.case.name.starts_with("icf/");
            let is_of_code = |text: &str| {
                OF_CODE_SYMBOLS.iter().any(|word| text.contains(word))
                    || folds && text.contains(" value=symbol(")
            };
            q.machine.word == "ppc64" && q.says(|d| is_of_code(&d.text))
        },
    },
    Rule {
        why: "eight bytes have an address",
        applies: |q| {
            let is_narrow = q.machine.has_narrow_addresses();
            is_narrow && q.case.files.iter().any(|file| portable::has_wide_addresses(&file.text))
        },
    },
    Rule {
        why: "YAML that describes objects of x86-64",
        applies: |q| q.case.files.iter().any(|file| file.text.contains("EM_X86_64")),
    },
    Rule {
        why: "rustc, which has the libraries of x86-64 alone",
        applies: |q| {
            let is_rust = |file: &crate::case::CaseFile| file.extension() == "rs";
            let driver = crate::programs::driver(q.case, q.variant);
            driver == "rustc" || q.case.files.iter().any(is_rust)
        },
    },
    Rule {
        why: "clang, for which x32 has no headers and start files",
        applies: |q| {
            let includes = |file: &crate::case::CaseFile| file.text.contains("#include <");
            let driver = crate::programs::driver(q.case, q.variant);
            let compiles = q.case.directives_for(q.variant, "cc").any(|d| d.text.contains("clang"));
            let is_compiled = compiles && q.case.files.iter().any(includes);
            q.machine.word == "x32" && (is_compiled || driver.starts_with("clang"))
        },
    },
    Rule {
        why: "static C++, for which x32's libm.a names files that are not there",
        applies: |q| {
            let links = |words: &[String]| words.iter().any(|word| word.starts_with("-static"));
            let given = q.case.directives_for(q.variant, "link").filter_map(|d| d.words().ok());
            let is_static = links(&q.variant.link_options) || given.into_iter().any(|w| links(&w));
            let driver = crate::programs::driver(q.case, q.variant);
            q.machine.word == "x32" && is_static && driver == "g++"
        },
    },
    Rule {
        why: "static PIE, for which the machine's C library has no start file",
        applies: |q| {
            let is_asked = |words: &[String]| words.iter().any(|word| word == "-static-pie");
            let mut given = q.case.directives_for(q.variant, "link").filter_map(|d| d.words().ok());
            let is_static_pie = is_asked(&q.variant.link_options) || given.any(|w| is_asked(&w));
            let has_none = matches!(
                q.machine.word,
                "arm"
                    | "riscv64"
                    | "m68k"
                    | "s390x"
                    | "ppc64le"
                    | "sparc64"
                    | "ppc64"
                    | "sh4"
                    | "ppc32"
            );
            (has_none || q.machine.is_mips()) && is_static_pie
        },
    },
    Rule {
        why: "IFUNC, which the machine does not have",
        applies: |q| {
            let has_none = matches!(q.machine.word, "m68k" | "sh4") || q.machine.is_mips();
            let is_asked = |text: &str| text.contains("ifunc") || text.contains("gnu_indirect");
            has_none && q.case.files.iter().any(|file| is_asked(&file.text))
        },
    },
    Rule {
        why: "clang, which does not know the machine well",
        applies: |q| {
            let driver = crate::programs::driver(q.case, q.variant);
            let compiles = q.case.directives_for(q.variant, "cc").any(|d| d.text.contains("clang"));
            matches!(q.machine.word, "m68k" | "sh4") && (compiles || driver.starts_with("clang"))
        },
    },
    Rule {
        why: "GNU's tools, where the machine has LLVM's",
        applies: |q| {
            let has = |text: &str| OF_GNU_TOOLS.iter().any(|word| text.contains(word));
            // clang deletes the output of a link that fails.
            let is_kept = crate::programs::driver(q.case, q.variant) != "ld"
                && q.says(|d| matches!(d.name.as_str(), "expect-error" | "error-text"));
            q.machine.word == "loongarch64"
                && (is_kept
                    || q.says(|d| has(&d.text))
                    || q.case.files.iter().any(|file| has(&file.text))
                    || q.compiler_options().iter().any(|word| has(word)))
        },
    },
    Rule {
        why: "functions that are bound when they are called, which those of MIPS are not",
        applies: |q| {
            q.machine.is_mips()
                && matches!(
                    &*q.case.name,
                    "symbols/shlib-undefined-weak" | "symbols/unresolved-in-libraries"
                )
        },
    },
    Rule {
        why: "addresses below those that MIPS programs reach",
        applies: |q| {
            q.machine.is_mips()
                && matches!(&*q.case.name, "tls/misaligned-template" | "scripts/printed-layout")
        },
    },
    Rule {
        why: "debug sections of PROGBITS: those of MIPS have a type of their own, and need more memory",
        applies: |q| q.machine.is_mips() && q.case.name == "corrupt/compressed-bomb",
    },
    Rule {
        why: "references that MIPS code makes twice, by a word and by a hint at the call",
        applies: |q| q.machine.is_mips() && q.case.name == "lto/referred-to",
    },
    Rule {
        why: "jumps to absolute addresses in a PIE",
        applies: |q| q.machine.is_mips() && q.case.name == "symbols/wrap-same-file",
    },
    Rule {
        why: "ends of sections, which MIPS's assembler pads",
        applies: |q| q.machine.is_mips() && q.case.name == "layout/ends-beside-apart",
    },
    Rule {
        why: "llvm-dwp, which reads little-endian files alone",
        applies: |q| {
            let is_big = matches!(
                q.machine.word,
                "aarch64_be" | "m68k" | "s390x" | "sparc64" | "ppc64" | "ppc32" | "mips64" | "mips"
            );
            is_big && q.says(|d| d.text.contains("llvm-dwp"))
        },
    },
    Rule {
        why: "`.eh_frame`, which ARM's compilers do not write",
        applies: |q| {
            let names = ["--debug-dump=frames", ".gcc_except_table"];
            let is_about = |text: &str| names.iter().any(|name| text.contains(name));
            q.machine.word == "arm" && q.says(|d| is_about(&d.text))
        },
    },
    Rule {
        why: "a PIE, whose start file has code that the loader of SH writes",
        applies: |q| {
            let is_pie = |words: &[String]| words.iter().any(|word| word == "-pie");
            let is_free = |words: &[String]| words.iter().any(|word| word == "-nostdlib");
            let given = q.case.directives_for(q.variant, "link").filter_map(|d| d.words().ok());
            let mut all: Vec<Vec<String>> = given.collect();
            all.push(q.variant.link_options.clone());
            let is_linked = all.iter().any(|words| is_pie(words));
            q.machine.word == "sh4" && is_linked && !all.iter().any(|words| is_free(words))
        },
    },
    Rule {
        why: "safe folding, where SH's calls have addresses like any other use",
        applies: |q| {
            let is_safe = |word: &String| word.contains("icf=safe");
            let mut given = q.case.directives_for(q.variant, "link").filter_map(|d| d.words().ok());
            let is_asked =
                q.variant.link_options.iter().any(is_safe) || given.any(|w| w.iter().any(is_safe));
            q.machine.word == "sh4" && is_asked
        },
    },
    Rule {
        why: "options of x86-64's compiler",
        applies: |q| {
            let own = if q.machine.is_x86() { "-mcmodel" } else { "-m" };
            let is_own = |word: &String| word.starts_with(own);
            q.compiler_options().iter().any(is_own)
        },
    },
    Rule {
        why: "bytes or instructions of x86-64 are expected",
        applies: |q| q.says(|d| matches!(d.name.as_str(), "bytes" | "disasm" | "no-disasm")),
    },
    Rule {
        why: "x86-64 is named",
        applies: |q| {
            let is_named = |text: &str| text.contains("x86-64") || text.contains("x86_64");
            let option = |words: &[String]| words.iter().any(|word| is_named(word));
            q.says(|d| d.name != "machines" && is_named(&d.text))
                || option(&q.variant.link_options)
                || option(&q.variant.compile_options)
                || q.case.files.iter().any(|file| is_named(&file.text))
        },
    },
    Rule {
        why: "protections of x86's processors",
        applies: |q| {
            let names = ["cet-report", "lam-", "force-ibt", "ibtplt", "-z ibt", "-z shstk"];
            let has = |text: &str| names.iter().any(|name| text.contains(name));
            !q.machine.is_x86()
                && (q.says(|d| has(&d.text)) || q.variant.link_options.iter().any(|word| has(word)))
        },
    },
    Rule {
        why: "a plugin is compiled for the linker's own machine",
        applies: |q| q.says(|d| d.name == "sh" && d.text.contains("-shared")),
    },
    Rule {
        why: "versions of x86-64's glibc are expected",
        applies: |q| q.says(|d| d.text.contains("GLIBC_2.")),
    },
    Rule {
        why: "a 16-digit address is expected in a text",
        applies: |q| {
            q.machine.has_narrow_addresses()
                && q.says(|d| ["{16}", "0x00000000"].iter().any(|digits| d.text.contains(digits)))
        },
    },
    Rule {
        why: "a debugger runs the program",
        applies: |q| q.says(|d| d.text.contains("gdb -") || d.text.contains("lldb-19 -")),
    },
    Rule {
        why: "a shell command runs a program that was linked",
        applies: |q| {
            let runs = |d: &Directive| d.text.starts_with("./") || d.text.contains(" ./");
            q.says(|d| matches!(d.name.as_str(), "sh" | "check") && runs(d))
        },
    },
    Rule {
        why: "a shell command calls clang, which compiles for x86-64",
        applies: |q| {
            q.says(|d| matches!(d.name.as_str(), "sh" | "check") && d.text.contains("clang"))
        },
    },
];

impl Question<'_> {
    /// Whether `holds` is true of a relevant directive.
    fn says(&self, holds: impl Fn(&Directive) -> bool) -> bool {
        let mut counting = self.case.directives.iter().filter(|d| d.applies_to(self.variant));
        counting.any(holds)
    }

    /// The compiler options of all compilations of the case.
    fn compiler_options(&self) -> Vec<String> {
        let mut options = self.variant.compile_options.clone();
        for directive in self.case.directives_for(self.variant, "compile") {
            options.extend(directive.words().unwrap_or_default());
        }
        for file in &self.case.files {
            options.extend(file.compile_options.iter().cloned());
        }
        options
    }
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
    let machine = case.machine;
    let question = Question { case, variant, machine };
    let find = |rules: &'static [Rule]| rules.iter().find(|rule| (rule.applies)(&question));
    if !machine.is_native()
        && case.is_generic
        && let Some(rule) = find(&RULES)
    {
        return Ok(Some(format!("about x86-64: {}", rule.why)));
    }
    let of_twin = || find(&OF_TWIN).map(|rule| rule.why);
    match machine.twin {
        Some(twin) => Ok(of_twin().map(|why| format!("about {twin}: {why}"))),
        None if machine.has_libraries() => Ok(None),
        None => Ok(of_twin().map(|why| format!("about a C library: {why}"))),
    }
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
        assert_eq!(asked("x86-64", "s", "syscall\n"), None);
        assert!(asked("aarch64", "s", "syscall\n").unwrap().contains("assembler"));
        assert_eq!(asked("aarch64", "s", "f: ret\n .quad f\n"), None);
        assert!(asked("i386", "s", "f: ret\n .quad f\n").unwrap().contains("eight bytes"));
        let text = "int x;\n//# compile: -mtls-dialect=gnu2\n";
        assert_eq!(asked("i386", "c", text), None);
        assert!(asked("aarch64", "c", text).unwrap().contains("options"));
        assert!(asked("aarch64_be", "c", "int x;\n").unwrap().contains("start files"));
        assert_eq!(asked("aarch64_be", "c", "int x;\n//# link: -nostdlib\n"), None);
        assert_eq!(asked("aarch64_be", "s", "f: ret\n"), None);
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
