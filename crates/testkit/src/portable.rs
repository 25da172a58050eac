//! Which assembler code every machine has: directives, labels, the few instructions that have one
//! name and no operands everywhere, and the macros of [`INCLUDED`].

use crate::case::CaseFile;
use crate::machine::Machine;
use std::borrow::Cow;

/// The file that sources include for [`MACROS`]; it is made beside them, for their machine.
pub const INCLUDED: &str = "machine.inc";

/// Macros that each machine has: `exit STATUS` ends the program, `calls NAME` calls a function.
const MACROS: [&str; 2] = ["exit", "calls"];

/// The text of [`INCLUDED`].
pub fn macros(machine: &Machine) -> String {
    let (exit, call, through) = match machine.word {
        "aarch64" | "aarch64_be" => ("mov x0, #\\status\n mov x8, #93\n svc #0", "bl", ""),
        "ppc64le" | "ppc64" | "ppc32" => ("li 3, \\status\n li 0, 1\n sc", "bl", "\n nop"),
        "arm" => ("mov r0, #\\status\n mov r7, #1\n svc #0", "bl", ""),
        "loongarch64" => ("li.w $a0, \\status\n li.w $a7, 93\n syscall 0", "bl", ""),
        "mips64el" | "mips64" => (MIPS64_EXIT, MIPS64_CALL, ""),
        "mipsel" | "mips" => (MIPS_EXIT, MIPS_CALL, ""),
        "riscv64" => ("li a0, \\status\n li a7, 93\n ecall", "call", ""),
        "m68k" => ("move.l #\\status, %d1\n moveq #1, %d0\n trap #0", "bsr.l", "@PLTPC"),
        "s390x" => ("lghi %r2, \\status\n svc 1", "brasl %r14,", "@PLT"),
        "sparc64" => ("mov \\status, %o0\n mov 1, %g1\n ta 0x6d", "call", "\n nop"),
        "sh4" => (
            "mov #\\status, r4\n mov #1, r3\n trapa #0x11",
            "mov.l .Lcalled\\@, r1\n bsrf r1\n nop\n.Lbase\\@: bra .Lnext\\@\n nop\n .align 2\n\
             .Lcalled\\@: .long",
            "@PLT-(.Lbase\\@-.)\n.Lnext\\@:",
        ),
        "i386" => ("mov $\\status, %ebx\n mov $1, %eax\n int $0x80", "call", "@PLT"),
        "x32" => ("mov $\\status, %edi\n mov $0x4000003c, %eax\n syscall", "call", ""),
        _ => ("mov $\\status, %edi\n mov $60, %eax\n syscall", "call", ""),
    };
    format!(
        ".macro exit status\n {exit}\n.endm\n.macro calls function\n {call} \\function{through}\n.endm\n"
    )
}

/// A call through the GOT: code that can be anywhere has no other. The distance from the return
/// address of a branch to the global pointer is known.
const MIPS64_CALL: &str = ".set push\n .set noreorder\n bal 9f\n nop\n9:\n\
    lui $28, %hi(%neg(%gp_rel(9b)))\n daddiu $28, $28, %lo(%neg(%gp_rel(9b)))\n\
    daddu $28, $28, $31\n ld $25, %call16(\\function)($28)\n .set pop\n jalr $25 #";
const MIPS64_EXIT: &str = "li $4, \\status\n li $2, 5058\n syscall";
const MIPS_CALL: &str = ".set push\n .set noreorder\n bal 9f\n nop\n9:\n\
    lui $28, %hi(_gp_disp)\n addiu $28, $28, %lo(_gp_disp)\n addu $28, $28, $31\n\
    lw $25, %call16(\\function)($28)\n nop\n .set pop\n jalr $25 #";
const MIPS_EXIT: &str = "li $4, \\status\n li $2, 4001\n syscall";

/// The text of a file of a case, with comments that the machine's assembler knows, where that takes
/// `//` for an operator, and with the machine's instructions in place of [`INSTRUCTIONS`].
pub fn comments<'a>(machine: &Machine, file: &'a CaseFile) -> Cow<'a, str> {
    if machine.word == "arm" && file.extension() == "s" {
        return Cow::Owned(file.text.lines().map(for_arm).collect());
    }
    let (comment, ret) = match machine.word {
        "riscv64" => ("#", "ret"),
        "m68k" => ("|", "rts"),
        "sh4" => ("!", "rts; nop"),
        "avr" | "msp430" => (";", "ret"),
        "s390x" => ("#", "br %r14"),
        "ppc64le" | "ppc64" | "ppc32" => ("#", "blr"),
        "sparc64" => ("!", "retl; nop"),
        "mips64el" | "mips64" | "mipsel" | "mips" => ("#", "jr $31"),
        _ => return Cow::Borrowed(&file.text),
    };
    if file.extension() != "s" {
        return Cow::Borrowed(&file.text);
    }
    let with_own = |code: &str| {
        let is_own = |c: char| c.is_whitespace() || c == ';' || c == ':';
        let words = code.split_inclusive(is_own).map(|word| match word.strip_prefix("ret") {
            Some(rest) if rest.chars().all(is_own) => format!("{ret}{rest}"),
            _ => word.to_owned(),
        });
        words.collect::<String>()
    };
    let line = |line: &str| match line.split_once("//") {
        Some((code, text)) => format!("{}{comment}{text}\n", with_own(code)),
        None => format!("{}\n", with_own(line)),
    };
    // The emulator looks at the version of the ABI.
    let version = if machine.word == "ppc64le" { ".abiversion 2; " } else { "" };
    Cow::Owned(std::iter::once(version.to_owned()).chain(file.text.lines().map(line)).collect())
}

/// A line for ARM's assembler.
fn for_arm(line: &str) -> String {
    let is_directive = line.trim_start().starts_with('.');
    let line = match line.split_once('@').filter(|_| is_directive) {
        Some((before, word)) if TYPES.iter().any(|known| word.starts_with(known)) => {
            format!("{before}%{word}")
        }
        _ => line.to_owned(),
    };
    let (label, code) = line.rsplit_once(": ").unwrap_or(("", &line));
    if code.trim() != "ret" {
        return line + "\n";
    }
    if label.is_empty() { "  bx lr\n".to_owned() } else { format!("{label}: bx lr\n") }
}

/// Whether a source includes [`INCLUDED`].
pub fn includes_macros(text: &str) -> bool {
    text.contains(INCLUDED)
}

/// Instructions of x86, i386 and AArch64 alike.
const INSTRUCTIONS: [&str; 2] = ["ret", "nop"];

/// What stands behind an `@` in directives of GNU as, and is no relocation.
const TYPES: [&str; 14] = [
    "progbits",
    "nobits",
    "note",
    "init_array",
    "fini_array",
    "preinit_array",
    "function",
    "object",
    "tls_object",
    "notype",
    "common",
    "gnu_indirect_function",
    "gnu_unique_object",
    "0x",
];

/// Directives of one machine's assembler, or whose meaning differs.
const DIFFERING: [&str; 6] = [".align", ".code", ".att_", ".intel_", ".gnu_attribute", ".value"];

/// Whether all of an assembler source is portable.
pub fn is_assembler(text: &str) -> bool {
    text.lines().all(|line| is_comment(line) || statements(line).iter().all(|s| is_portable(s)))
}

/// Whether the assembler code within a C source is: what stands in the strings of its `asm`.
pub fn is_c(text: &str) -> bool {
    let code: String =
        text.lines().filter(|line| !is_comment(line)).map(|line| format!("{line}\n")).collect();
    let mut parts = code.split("asm").skip(1);
    parts.all(|rest| {
        // `asm` may be part of another word.
        let rest = rest.trim_start_matches('_').trim_start();
        let rest = rest.strip_prefix("volatile").unwrap_or(rest).trim_start();
        let Some(rest) = rest.strip_prefix('(') else { return true };
        let Some((inside, _)) = rest.split_once(')') else { return false };
        // Operands are in registers of a machine.
        if inside.split('"').step_by(2).any(|between| between.contains(':')) {
            return false;
        }
        let strings: String = inside.split('"').skip(1).step_by(2).collect();
        // The name of a symbol, as `asm("name")` gives it to a declaration.
        let is_name = |b: u8| b.is_ascii_alphanumeric() || b"_.@$".contains(&b);
        if strings.bytes().all(is_name) && !INSTRUCTIONS.contains(&strings.as_str()) {
            return !is_instruction(&strings);
        }
        is_assembler(&strings.replace("\\n", "\n").replace("\\t", " "))
    })
}

/// Whether a name in `asm` is an instruction without operands that one machine has.
fn is_instruction(word: &str) -> bool {
    ["syscall", "hlt", "ud2", "pause", "leave", "int3", "cpuid"].contains(&word)
}

/// Whether words of eight bytes are more than numbers.
pub fn has_wide_addresses(text: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_hexadecimal = |word: &str| word.trim_start_matches('-').starts_with("0x");
    let mut operands = text.split(".quad").skip(1);
    operands.any(|rest| {
        let line = rest.lines().next().unwrap_or_default();
        let line = line.split([';', '#', '\\']).next().unwrap_or_default();
        let mut words = line.split([',', ' ', '+', '-', '*']).map(str::trim);
        words.any(|word| word.contains(is_name) && !is_hexadecimal(word))
    })
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("//") || line.starts_with("# ")
}

/// The statements of a line without its labels, and with what stands in quotes left out.
fn statements(line: &str) -> Vec<String> {
    let unquoted: String = line.split('"').step_by(2).collect::<Vec<_>>().join("\"\"");
    let statements = unquoted.split(';').map(|statement| {
        let mut rest = statement.trim();
        while let Some((label, behind)) = rest.split_once(':') {
            if !label.chars().all(|c| c.is_ascii_alphanumeric() || "_.$\\".contains(c)) {
                break;
            }
            rest = behind.trim_start();
        }
        rest.to_owned()
    });
    statements.filter(|statement| !statement.is_empty()).collect()
}

fn is_portable(statement: &str) -> bool {
    let first = statement.split_whitespace().next().unwrap_or_default();
    if INSTRUCTIONS.contains(&statement) {
        return true;
    }
    // A comment behind code begins in another way on each machine.
    if statement.contains(['#', '%']) {
        return false;
    }
    if MACROS.contains(&first) {
        return !statement.contains('@');
    }
    let is_assignment = statement.split_once('=').is_some_and(|(name, _)| {
        name.trim().bytes().all(|b| b.is_ascii_alphanumeric() || b"_.$".contains(&b))
    });
    let is_directive = statement.starts_with('.')
        && !DIFFERING.iter().any(|differing| statement.starts_with(differing));
    let has_types_alone = statement.starts_with(".symver")
        || statement.split('@').skip(1).all(|word| TYPES.iter().any(|t| word.starts_with(t)));
    (is_assignment || is_directive) && has_types_alone
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_portable() {
        let text = "// why\n.section .a, \"a#w\", @progbits\nf: g: ret; nop\n .quad f - 8\n\
                    .symver f, f@@V\nx = f + 1\n\\name: .long 16\n";
        assert!(is_assembler(text));
        assert!(is_assembler(".include \"machine.inc\"\nf: calls g; exit 3\n"));
        assert!(!is_assembler("calls g@PLT\n"));
        for own in [
            "mov $1, %eax",
            "call f",
            ".align 8",
            ".value 1",
            ".long f@GOT",
            ".byte 1 # one",
            ".section .x, \"a\", %progbits",
            "lock; nop",
        ] {
            assert!(!is_assembler(own), "{own}");
        }
    }

    #[test]
    fn strings_of_asm_are_looked_into() {
        assert!(is_c("int f(void) asm(\"name\");\nasm(\".globl g\\ng: ret\");\nint plasma;\n"));
        assert!(is_c("// asm(\"syscall\")\nint x;\n"));
        assert!(!is_c("__asm__ volatile(\"syscall\" : : \"a\"(60));\n"));
        assert!(!is_c("__asm__ volatile(\"nop\" : : \"D\"(x));\n"));
        assert!(!is_c("asm(\"hlt\");\n"));
        assert!(!is_c("asm(\".text\\ncall f\");\n"));
    }

    #[test]
    fn machines_have_the_same_macros() {
        for machine in crate::machine::all() {
            let text = macros(machine);
            let starts = text.lines().filter_map(|line| line.strip_prefix(".macro "));
            let names: Vec<&str> = starts.filter_map(|line| line.split(' ').next()).collect();
            assert_eq!(names, MACROS);
        }
    }

    #[test]
    fn wide_words_may_have_numbers() {
        assert!(!has_wide_addresses(".quad 1, 0x10, -3\n"));
        assert!(has_wide_addresses(" .quad f\n"));
        assert!(has_wide_addresses(".quad 8 + f; nop\n"));
    }
}
