//! The assembler source of each unit.
//!
//! `main` calls `run_N` of each unit, which reports what it finds: `tell` prints a number; `same`
//! prints whether an address is the first one seen for a symbol.

use super::Chance;
use super::access::{self, Reference};
use super::program::{Definition, Kind, Module, Program, Symbol};
use std::fmt::Write;

/// One source a unit.
pub fn sources(chance: &mut Chance, program: &Program) -> Vec<String> {
    (0..program.units.len()).map(|unit| source(chance, program, unit)).collect()
}

fn source(chance: &mut Chance, program: &Program, unit: usize) -> String {
    let mut text = String::new();
    for symbol in &program.symbols {
        for definition in symbol.definitions.iter().filter(|d| d.unit == unit) {
            text += &define(chance, symbol, definition);
        }
    }
    if unit == 0 {
        text += &main(program);
    }
    if chance.happens(30) {
        text += &constructor(chance, unit);
    }
    if !matches!(program.units[unit], Module::Library(_)) {
        let _ =
            writeln!(text, ".section set, \"aw\", @progbits\n .balign 8\n .quad {}", unit + 0x70);
    }
    text + &references(chance, program, unit) + ".section .note.GNU-stack, \"\", @progbits\n"
}

fn define(chance: &mut Chance, symbol: &Symbol, definition: &Definition) -> String {
    let Symbol { name, kind, .. } = symbol;
    let Definition { number, is_weak, visibility, .. } = definition;
    let mut text = format!(".{} {name}\n", if *is_weak { "weak" } else { "globl" });
    if !visibility.is_empty() {
        let _ = writeln!(text, "{visibility} {name}");
    }
    let align = chance.one_of(&[8, 8, 16, 64]);
    let words = chance.one_of(&[1, 1, 2]);
    let (section, content) = match kind {
        Kind::Common => {
            return format!(" .comm {name}, {}, {align}\n", words * 8);
        }
        Kind::Function => {
            return text
                + &format!(
                    ".type {name}, @function\n.section .text.{name}, \"ax\", @progbits\n{name}:\n \
                     .cfi_startproc\n mov ${number}, %eax\n ret\n .cfi_endproc\n\
                     .size {name}, .-{name}\n"
                );
        }
        Kind::Data => (".data.NAME, \"aw\", @progbits", format!(".quad {number}")),
        Kind::Zero => (".bss.NAME, \"aw\", @nobits", ".zero 8".to_owned()),
        Kind::Thread => (".tdata.NAME, \"awT\", @progbits", format!(".quad {number}")),
    };
    let section = section.replace("NAME", name);
    let _ = writeln!(
        text,
        ".type {name}, @object\n.section {section}\n .balign {align}\n{name}: {content}\n \
         .zero {}\n.size {name}, {}",
        (words - 1) * 8,
        words * 8
    );
    text
}

fn constructor(chance: &mut Chance, unit: usize) -> String {
    let array = chance.one_of(&[".init_array", ".init_array.00200", ".init_array.00101"]);
    let number = 0x80 + unit;
    format!(
        ".section {array}, \"aw\", @init_array\n .balign 8\n .quad constructor\n.text\n\
         constructor:\n push %rbx\n mov ${number}, %edi\n call tell@PLT\n pop %rbx\n ret\n"
    )
}

fn references(chance: &mut Chance, program: &Program, unit: usize) -> String {
    let module = program.units[unit];
    let mut text = format!(
        ".section .text.run_{unit}, \"ax\", @progbits\n.globl run_{unit}\n\
         .type run_{unit}, @function\nrun_{unit}:\n push %r12\n push %r14\n push %rbx\n \
         mov ${}, %edi\n call tell@PLT\n",
        0xf0 + unit
    );
    for round in 0..2 {
        for (index, symbol) in program.symbols.iter().enumerate() {
            let is_defined = !symbol.definitions.is_empty();
            if chance.happens(35) || is_defined && !symbol.is_seen_by(module, &program.units) {
                continue;
            }
            if !is_defined {
                let _ = writeln!(text, " .weak {}", symbol.name);
            }
            let number = unit * 100 + round * 10 + index;
            let reference = Reference { symbol, index, unit, number };
            let code = access::code(chance, program, &reference);
            text += &code.replace(".Lp", &format!(".Lp{number}"));
        }
    }
    text + &format!(" pop %rbx\n pop %r14\n pop %r12\n ret\n.size run_{unit}, .-run_{unit}\n")
}

fn main(program: &Program) -> String {
    let mut text = ".text\n.globl main\n.type main, @function\nmain:\n push %rbx\n".to_owned();
    for unit in 0..program.units.len() {
        let _ = writeln!(text, " call run_{unit}@PLT");
    }
    text + MAIN
}

/// The rest of `main`, which adds up the set, and the functions that print numbers.
const MAIN: &str = r#"
 lea __start_set(%rip), %rbx
1: lea __stop_set(%rip), %rax
 cmp %rax, %rbx
 jae 2f
 mov (%rbx), %rdi
 call tell
 add $8, %rbx
 jmp 1b
2: mov $42, %eax
 pop %rbx
 ret
.size main, .-main
.globl tell
.type tell, @function
tell:
 lea buffer(%rip), %rsi
 mov $4, %ecx
1: mov %edi, %eax
 and $15, %eax
 add $'a', %al
 mov %al, -1(%rsi,%rcx)
 shr $4, %edi
 dec %ecx
 jnz 1b
 movb $' ', 4(%rsi)
 mov $5, %edx
2: mov $1, %edi
 mov $1, %eax
 syscall
 ret
.size tell, .-tell
.globl same
.type same, @function
same:
 lea seen(%rip), %rdx
 mov %edi, %edi
 mov (%rdx,%rdi,8), %rax
 test %rax, %rax
 jne 1f
 mov %rsi, (%rdx,%rdi,8)
 mov %rsi, %rax
1: cmp %rax, %rsi
 mov $'=', %eax
 je 3f
 mov $'#', %eax
3: lea buffer(%rip), %rsi
 mov %al, (%rsi)
 mov $1, %edx
 jmp 2b
.size same, .-same
.local seen, buffer
.comm seen, 512, 8
.comm buffer, 16, 8
"#;
