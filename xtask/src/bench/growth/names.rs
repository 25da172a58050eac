//! Symbols: the number of each kind, and the lengths of names.

use super::dimension::{Dimension, grows};
use crate::corpus::synthetic::code::Code;
use crate::corpus::synthetic::input::Input;
use crate::corpus::synthetic::object::{
    ALLOC, GOTTPOFF, NOBITS, RESOLVED_FUNCTION, REX_GOTPCRELX, THREAD_LOCAL, THREAD_LOCAL_DATUM,
    Target, WRITE,
};

pub const ROWS: &[Dimension] = &[
    grows("symbols", 50_000, symbols).also(&["-r", "--emit-relocs", "-shared"]),
    grows("symbols-across-objects", 20_000, symbols_across),
    grows("local-symbols", 100_000, locals).also(&["-r", "--discard-all", "--strip-all"]),
    grows("name-lengths", 400, name_lengths).also(&["-r", "-shared"]),
    grows("weak-undefined", 20_000, weak_undefined),
    grows("commons", 20_000, commons).also(&["-r", "--sort-common"]),
    grows("thread-locals", 20_000, thread_locals),
    grows("ifuncs", 10_000, ifuncs),
    grows("got-entries", 30_000, got_entries),
    grows("versions-in-names", 2000, versions_in_names),
];

fn symbols(n: u64, input: &mut Input) {
    let mut code = Code::starting();
    for number in 0..n {
        code.define(&format!("symbol_{number}"));
    }
    input.code("main.o", &code);
}

/// Defined in one object, used in two others.
fn symbols_across(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    let (mut definitions, mut user) = (Code::new(), Code::new());
    for number in 0..n {
        let name = format!("symbol_{number}");
        definitions.define(&name);
        main.call(&name);
        user.call(&name);
    }
    input.code("main.o", &main);
    input.code("definitions.o", &definitions);
    input.code("user.o", &user);
}

fn locals(n: u64, input: &mut Input) {
    let mut code = Code::starting();
    let text = code.text();
    for number in 0..n {
        code.object.local(&format!("local_{number}"), text, 0);
    }
    input.code("main.o", &code);
}

/// Five thousand names of `n` bytes each.
fn name_lengths(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    let mut definitions = Code::new();
    let tail = "n".repeat(n as usize);
    for number in 0..5000 {
        let name = format!("symbol_{number}_{tail}");
        definitions.define(&name);
        main.call(&name);
    }
    input.code("main.o", &main);
    input.code("definitions.o", &definitions);
}

fn weak_undefined(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    for number in 0..n {
        let name = format!("absent_{number}");
        main.call(&name);
        let symbol = main.object.global(&name);
        main.object.weaken(symbol);
    }
    input.code("main.o", &main);
}

/// Each common symbol is in two objects, with different sizes.
fn commons(n: u64, input: &mut Input) {
    let (mut first, mut second) = (Code::starting(), Code::new());
    for number in 0..n {
        let name = format!("common_{number}");
        for (object, size) in [(&mut first.object, 8), (&mut second.object, 8 << (number % 4))] {
            let symbol = object.global(&name);
            object.common(symbol, size);
        }
    }
    input.code("first.o", &first);
    input.code("second.o", &second);
}

fn thread_locals(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    let mut definitions = Code::new();
    let variables = definitions.object.section_of(NOBITS, ".tbss", ALLOC | WRITE | THREAD_LOCAL, 8);
    let text = main.text();
    for number in 0..n {
        let name = format!("variable_{number}");
        let symbol = definitions.object.global(&name);
        let kind = THREAD_LOCAL_DATUM;
        definitions.object.define_at(symbol, variables, number * 8, 8, kind);
        definitions.object.data(variables).extend([0; 8]);
        let symbol = main.object.global(&name);
        let code = main.object.data(text);
        code.extend([0x48, 0x8b, 0x05, 0, 0, 0, 0]); // mov rax, [rip + variable@gottpoff]
        let place = code.len() - 4;
        main.object.relocate(text, place, GOTTPOFF, Target::Global(symbol), -4);
    }
    input.code("main.o", &main);
    input.code("definitions.o", &definitions);
}

fn ifuncs(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    let mut definitions = Code::new();
    let text = definitions.text();
    definitions.object.data(text).push(0xc3);
    for number in 0..n {
        let name = format!("resolved_{number}");
        let symbol = definitions.object.global(&name);
        definitions.object.define_at(symbol, text, 0, 1, RESOLVED_FUNCTION);
        main.call(&name);
    }
    input.code("main.o", &main);
    input.code("definitions.o", &definitions);
}

/// Loads through the GOT that cannot be relaxed: `cmp` with memory.
fn got_entries(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    let mut definitions = Code::new();
    let text = main.text();
    for number in 0..n {
        let name = format!("f_{number}");
        definitions.define(&name);
        let symbol = main.object.global(&name);
        let code = main.object.data(text);
        code.extend([0x48, 0x63, 0x05, 0, 0, 0, 0]); // movsxd rax, [rip + f@GOTPCREL]
        let place = code.len() - 4;
        main.object.relocate(text, place, REX_GOTPCRELX, Target::Global(symbol), -4);
    }
    input.code("main.o", &main);
    input.code("definitions.o", &definitions);
    input.word("-pie");
}

/// `.symver`: two versions of each name in a library.
fn versions_in_names(n: u64, input: &mut Input) {
    let mut code = Code::new();
    for number in 0..n {
        code.define(&format!("f_{number}@OLD"));
        code.define(&format!("f_{number}@@NEW"));
    }
    input.code("main.o", &code);
    input.file("script", b"OLD { }; NEW { local: nothing_of_this; } OLD;\n");
    input.words(["-shared", "--version-script=script"].map(String::from));
}
