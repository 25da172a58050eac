//! Growth of the number of sections, output sections and groups, and of chains of references.

use super::dimension::{Dimension, grows};
use crate::corpus::synthetic::code::Code;
use crate::corpus::synthetic::input::Input;
use crate::corpus::synthetic::object::{
    ABS64, ALLOC, INIT_ARRAY, Object, PC32, PROGBITS, Target, WRITE,
};

/// Most sections of one object; each may have relocations and a group.
const PER_OBJECT: u64 = 10_000;

pub const ROWS: &[Dimension] = &[
    grows("sections", 40_000, sections).also(&[
        "-r",
        "--emit-relocs",
        "--gc-sections",
        "--icf=all",
        "--unique",
        "--sort-section=name",
    ]),
    grows("sections-in-a-chain", 10_000, chain).also(&["--icf=all", "--print-gc-sections"]),
    grows("sections-alike", 10_000, alike),
    grows("sections-alike-in-a-chain", 1000, alike_in_a_chain),
    grows("output-sections", 5000, output_sections).also(&["-r", "--emit-relocs"]),
    grows("groups", 5000, groups).also(&["-r", "--emit-relocs"]),
    grows("start-stop-sets", 5000, start_stop).also(&["--gc-sections", "-r"]),
    grows("init-priorities", 60_000, init_priorities).also(&["-r"]),
    grows("constructor-priorities", 40_000, constructor_priorities),
    grows("alignments", 10_000, alignments),
];

/// Adds `n` sections, in as many objects as it takes; `add` adds one of them.
fn objects(n: u64, input: &mut Input, add: impl Fn(u64, &mut Code)) {
    for (at, first) in (0..n).step_by(PER_OBJECT as usize).enumerate() {
        let mut code = if at == 0 { Code::starting() } else { Code::new() };
        for number in first..n.min(first + PER_OBJECT) {
            add(number, &mut code);
        }
        input.code(&format!("sections_{at}.o"), &code);
    }
}

/// Sections of code, each of which calls another and returns another value.
fn sections(n: u64, input: &mut Input) {
    objects(n, input, |number, code| {
        let section = code.define_apart(&format!("f_{number}"));
        code.call_from(section, &format!("f_{}", number.wrapping_mul(7919) % n));
        code.object.data(section).extend((number as u32).to_le_bytes());
    });
}

/// Each section refers to the next one, so that garbage collection follows a chain of all sections.
fn chain(n: u64, input: &mut Input) {
    objects(n, input, |number, code| {
        let section = code.define_apart(&format!("f_{number}"));
        if number + 1 < n {
            code.call_from(section, &format!("f_{}", number + 1));
        }
        if number == 0 {
            code.call("f_0");
        }
    });
    input.word("--gc-sections");
}

/// Functions with the same bytes.
fn alike(n: u64, input: &mut Input) {
    objects(n, input, |number, code| {
        let section = code.define_apart(&format!("f_{number}"));
        code.object.data(section).extend((number as u32 % 100).to_le_bytes());
    });
    input.word("--icf=all");
}

/// Functions with the same bytes, each of which calls the next: only the end of the chain
/// distinguishes them.
fn alike_in_a_chain(n: u64, input: &mut Input) {
    objects(n, input, |number, code| {
        let section = code.define_apart(&format!("f_{number}"));
        if number + 1 < n {
            code.call_from(section, &format!("f_{}", number + 1));
        }
    });
    input.word("--icf=all");
}

/// Sections with unknown names, each of which becomes an output section.
fn output_sections(n: u64, input: &mut Input) {
    objects(n, input, |number, code| {
        let object = &mut code.object;
        let section = object.section(&format!("section_{number}"), ALLOC | WRITE, 8);
        object.data(section).extend([0; 8]);
        code.point(Target::Section(section));
    });
}

/// The same groups in four objects.
fn groups(n: u64, input: &mut Input) {
    input.code("main.o", &Code::starting());
    for (at, first) in (0..n).step_by(PER_OBJECT as usize).enumerate() {
        for copy in 0..4 {
            let mut code = Code::new();
            for number in first..n.min(first + PER_OBJECT) {
                let name = format!("inline_{number}");
                let section = code.define_apart(&name);
                let symbol = code.object.global(&name);
                code.object.weaken(symbol);
                code.object.comdat(section, symbol);
            }
            input.code(&format!("groups_{at}_{copy}.o"), &code);
        }
    }
}

/// Sections with C names, whose `__start_` and `__stop_` symbols are referenced.
fn start_stop(n: u64, input: &mut Input) {
    objects(n, input, |number, code| {
        let object = &mut code.object;
        let section = object.section(&format!("set_{number}"), ALLOC | WRITE, 8);
        object.data(section).extend([0; 8]);
        code.point_at(&format!("__start_set_{number}"));
        code.point_at(&format!("__stop_set_{number}"));
    });
}

fn priorities(n: u64, input: &mut Input, kind: u32, name: &str) {
    objects(n, input, |number, code| {
        // All of them are different, in no order.
        let priority = number * 7919 % 65_521;
        let name = format!("{name}.{priority:05}");
        let section = code.object.section_of(kind, &name, ALLOC | WRITE, 8);
        let (place, text) = (code.object.data(section).len(), code.text());
        code.object.data(section).extend([0; 8]);
        let target = Target::Section(text);
        code.object.relocate(section, place, ABS64, target, 0);
    });
}

fn init_priorities(n: u64, input: &mut Input) {
    priorities(n, input, INIT_ARRAY, ".init_array");
}

fn constructor_priorities(n: u64, input: &mut Input) {
    priorities(n, input, PROGBITS, ".ctors");
}

/// Sections of odd sizes and many alignments, which refer to each other.
fn alignments(n: u64, input: &mut Input) {
    objects(n, input, |number, code| {
        let object: &mut Object = &mut code.object;
        let section = object.section(&format!(".rodata.f{number}"), ALLOC, 1 << (number % 7));
        object.data(section).extend(std::iter::repeat_n(1, 4 + number as usize % 61));
        object.relocate(section, 0, PC32, Target::Section(section), 0);
    });
}
