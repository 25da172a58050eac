//! Messages: errors, warnings, and lists that users request.

use super::dimension::{Dimension, grows};
use crate::corpus::synthetic::code::Code;
use crate::corpus::synthetic::input::Input;
use crate::corpus::synthetic::object::{ABS32, ABS64, Target};

pub const ROWS: &[Dimension] = &[
    grows("undefined-reported", 3000, undefined).failing(),
    grows("undefined-references", 10_000, undefined_references).failing(),
    grows("duplicates-reported", 3000, duplicates).failing(),
    grows("overflows-reported", 3000, overflows).failing(),
    grows("discarded-reported", 1000, discarded).failing(),
    grows("unresolved-warned", 3000, unresolved_warned),
    grows("lists-of-symbols", 10_000, symbols).also(&[
        "-Map={output}.map",
        "--cref",
        "--report={output}.html",
        "--report={output}.json",
    ]),
];

fn all_errors(input: &mut Input) {
    input.word("--error-limit=0");
}

fn undefined(n: u64, input: &mut Input) {
    let mut code = Code::starting();
    for number in 0..n {
        code.call(&format!("absent_{number}"));
    }
    input.code("main.o", &code);
    all_errors(input);
}

/// One undefined name with many references.
fn undefined_references(n: u64, input: &mut Input) {
    let mut code = Code::starting();
    for _ in 0..n {
        code.call("absent");
    }
    input.code("main.o", &code);
    all_errors(input);
}

fn duplicates(n: u64, input: &mut Input) {
    let (mut first, mut second) = (Code::starting(), Code::new());
    for number in 0..n {
        first.define(&format!("twice_{number}"));
        second.define(&format!("twice_{number}"));
    }
    input.code("first.o", &first);
    input.code("second.o", &second);
    all_errors(input);
}

/// Addresses that are too large for their fields.
fn overflows(n: u64, input: &mut Input) {
    let mut code = Code::starting();
    let text = code.text();
    for _ in 0..n {
        let place = code.object.data(text).len();
        code.object.data(text).extend([0; 4]);
        let addend = 1 << 40;
        let word = ABS32;
        code.object.relocate(text, place, word, Target::Section(text), addend);
    }
    input.code("main.o", &code);
    all_errors(input);
}

/// Local references to sections of groups that an earlier object provides.
fn discarded(n: u64, input: &mut Input) {
    for copy in 0..2 {
        let mut code = if copy == 0 { Code::starting() } else { Code::new() };
        for number in 0..n {
            let name = format!("inline_{number}");
            let section = code.define_apart(&name);
            let symbol = code.object.global(&name);
            code.object.comdat(section, symbol);
            let local = code.object.local(&format!("within_{copy}_{number}"), section, 0);
            code.point(Target::Local(local));
        }
        input.code(&format!("{copy}.o"), &code);
    }
    all_errors(input);
}

fn unresolved_warned(n: u64, input: &mut Input) {
    undefined(n, input);
    input.word("--warn-unresolved-symbols");
}

/// Functions in two objects, those of one of which refer to the others.
fn symbols(n: u64, input: &mut Input) {
    let (mut main, mut definitions) = (Code::starting(), Code::new());
    for number in 0..n {
        let name = format!("f_{number}");
        definitions.define(&name);
        let symbol = main.object.global(&name);
        let text = main.text();
        let place = main.object.data(text).len();
        main.object.data(text).extend([0; 8]);
        main.object.relocate(text, place, ABS64, Target::Global(symbol), 0);
    }
    input.code("main.o", &main);
    input.code("definitions.o", &definitions);
}
