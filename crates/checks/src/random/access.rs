//! The ways in which code reaches a symbol: instructions that leave the address in `%rax`, or the
//! value in `%rdi` for functions that are called.

use super::Chance;
use super::program::{Kind, Module, Program, Shape, Symbol};
use std::fmt::Write;

/// How a reference is made.
pub struct Reference<'a> {
    /// The symbol.
    pub symbol: &'a Symbol,
    /// Its index, under which the address is remembered.
    pub index: usize,
    /// The unit that refers to it.
    pub unit: usize,
    /// A unique number of the reference, for labels.
    pub number: usize,
}

/// Code that prints the value of a symbol, and whether its address is the one that other units saw.
pub fn code(chance: &mut Chance, program: &Program, reference: &Reference<'_>) -> String {
    let Reference { symbol, index, .. } = *reference;
    let name = &symbol.name;
    let mut text = String::new();
    let is_function = symbol.kind == Kind::Function;
    if symbol.definitions.is_empty() {
        // Nobody defines it: the address is zero.
        let _ = writeln!(text, " mov {name}@GOTPCREL(%rip), %rdi\n call tell@PLT");
        return text;
    }
    if is_function && chance.happens(40) {
        let called = chance.one_of(&["NAME@PLT", "*NAME@GOTPCREL(%rip)"]).replace("NAME", name);
        let _ = writeln!(text, " call {called}\n mov %eax, %edi\n call tell@PLT");
        return text;
    }
    text += &match symbol.kind {
        Kind::Thread => thread_address(chance, program, reference),
        _ => address(chance, program, reference),
    };
    let read = if is_function { "call *%rax\n mov %eax, %edi" } else { "mov (%rax), %rdi" };
    let _ = writeln!(
        text,
        " mov %rax, %r12\n {read}\n call tell@PLT\n mov ${index}, %edi\n mov %r12, %rsi\n \
         call same@PLT"
    );
    text
}

/// Whether the unit's code may hold the address as a constant that the linker fills in.
fn is_direct(program: &Program, reference: &Reference<'_>) -> bool {
    !matches!(program.units[reference.unit], Module::Library(_)) && reference.symbol.is_plain()
}

fn address(chance: &mut Chance, program: &Program, reference: &Reference<'_>) -> String {
    let Reference { symbol, number, unit, .. } = *reference;
    let got = [
        " mov NAME@GOTPCREL(%rip), %rax\n",
        " xor %eax, %eax\n add NAME@GOTPCREL(%rip), %rax\n",
        " mov NAME@GOTPCREL(%rip), %r14\n mov %r14, %rax\n",
        POINTER,
        CONSTANT_POINTER,
    ];
    let direct = [" lea NAME(%rip), %rax\n"];
    let fixed = [" mov $NAME, %eax\n", " movabs $NAME, %rax\n"];
    // GNU ld treats `lea` of a function as a jump, for which any PLT entry will do.
    let is_function = symbol.kind == Kind::Function;
    let is_direct = is_direct(program, reference) && chance.happens(50);
    let text = if is_direct && program.shape != Shape::Pie {
        chance.one_of(&fixed)
    } else if is_direct && !is_function {
        chance.one_of(&direct)
    } else {
        chance.one_of(&got)
    };
    let text = text.replace("NAME", &symbol.name).replace("NUMBER", &number.to_string());
    text.replace("UNIT", &unit.to_string())
}

const POINTER: &str = " .section .data.pNUMBER, \"aw\", @progbits\n .balign 8\n.Lp: .quad NAME\n \
     .section .text.run_UNIT, \"ax\", @progbits\n mov .Lp(%rip), %rax\n";
const CONSTANT_POINTER: &str = " .section .data.rel.ro, \"aw\", @progbits\n .balign 8\n\
     .Lp: .quad NAME + 8\n .section .text.run_UNIT, \"ax\", @progbits\n mov .Lp(%rip), %rax\n \
     sub $8, %rax\n";

fn thread_address(chance: &mut Chance, program: &Program, reference: &Reference<'_>) -> String {
    let general = [
        " data16 leaq NAME@tlsgd(%rip), %rdi\n .value 0x6666\n rex64 call __tls_get_addr@PLT\n",
        " data16 leaq NAME@tlsgd(%rip), %rdi\n .byte 0x66\n rex64 call \
         *__tls_get_addr@GOTPCREL(%rip)\n",
        " mov %fs:0, %rax\n add NAME@gottpoff(%rip), %rax\n",
        " mov NAME@gottpoff(%rip), %rax\n add %fs:0, %rax\n",
        " leaq NAME@tlsdesc(%rip), %rax\n call *NAME@tlscall(%rax)\n add %fs:0, %rax\n",
    ];
    let local = [" mov %fs:0, %rax\n lea NAME@tpoff(%rax), %rax\n"];
    let module = program.units[reference.unit];
    let is_own = |unit: usize| program.units[unit].joins(module);
    let is_local = !matches!(module, Module::Library(_))
        && reference.symbol.definitions.iter().any(|d| is_own(d.unit));
    let text = if is_local && chance.happens(40) { local[0] } else { chance.one_of(&general) };
    text.replace("NAME", &reference.symbol.name)
}
