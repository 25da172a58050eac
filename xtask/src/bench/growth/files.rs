//! Files: objects, archives, members, and the order in which they are extracted.

use super::dimension::{Dimension, grows};
use crate::corpus::synthetic::code::Code;
use crate::corpus::synthetic::input::Input;
use crate::corpus::synthetic::object::Object;

pub const ROWS: &[Dimension] = &[
    grows("objects", 500, objects).also(&["-r", "--emit-relocs"]),
    grows("archives", 300, archives).also(&["-r"]),
    grows("archives-in-a-chain", 300, archives_in_a_chain),
    grows("archives-in-a-group", 300, archives_in_a_group),
    grows("members", 4000, members).also(&["-r", "--whole-archive"]),
    grows("members-unused", 10_000, members_unused),
    grows("members-in-a-chain", 1000, members_in_a_chain),
    grows("lazy-objects", 500, lazy_objects),
    grows("script-inputs", 500, script_inputs),
];

fn function(name: &str) -> Code {
    let mut code = Code::new();
    code.define(name);
    code
}

/// An object that starts and calls `f_0` up to `f_n`.
fn caller(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    for number in 0..n {
        main.call(&format!("f_{number}"));
    }
    input.code("main.o", &main);
}

fn objects(n: u64, input: &mut Input) {
    caller(n, input);
    for number in 0..n {
        input.code(&format!("objects/{number}.o"), &function(&format!("f_{number}")));
    }
}

fn member(number: u64) -> (String, Object) {
    (format!("member_{number}.o"), function(&format!("f_{number}")).object)
}

/// A member that refers to the next one.
fn asking_member(number: u64) -> (String, Object) {
    let mut code = function(&format!("f_{number}"));
    code.call(&format!("f_{}", number + 1));
    (format!("member_{number}.o"), code.object)
}

fn archives(n: u64, input: &mut Input) {
    caller(n, input);
    for number in 0..n {
        input.archive(&format!("archives/lib{number}.a"), [member(number)]);
    }
}

/// Each archive refers to the next one on the command line.
fn archives_in_a_chain(n: u64, input: &mut Input) {
    caller(1, input);
    for number in 0..n {
        input.archive(&format!("archives/lib{number}.a"), [asking_member(number)]);
    }
    input.word(format!("--defsym=f_{n}=_start"));
}

/// Each archive refers to the previous one on the command line.
fn archives_in_a_group(n: u64, input: &mut Input) {
    caller(1, input);
    input.word("--start-group");
    for number in (0..n).rev() {
        input.archive(&format!("archives/lib{number}.a"), [asking_member(number)]);
    }
    input.word("--end-group");
    input.word(format!("--defsym=f_{n}=_start"));
}

fn members(n: u64, input: &mut Input) {
    caller(n, input);
    input.archive("lib.a", (0..n).map(member));
}

fn members_unused(n: u64, input: &mut Input) {
    caller(1, input);
    input.archive("lib.a", (0..n).map(member));
}

/// Each member refers to the previous one in the archive.
fn members_in_a_chain(n: u64, input: &mut Input) {
    caller(1, input);
    input.archive("lib.a", (0..n).rev().map(asking_member));
    input.word(format!("--defsym=f_{n}=_start"));
}

fn lazy_objects(n: u64, input: &mut Input) {
    caller(n, input);
    input.word("--start-lib");
    for number in 0..n {
        input.code(&format!("objects/{number}.o"), &function(&format!("f_{number}")));
    }
    input.word("--end-lib");
}

fn script_inputs(n: u64, input: &mut Input) {
    caller(n, input);
    let mut names = Vec::new();
    for number in 0..n {
        let name = format!("objects/{number}.o");
        input.file(&name, &function(&format!("f_{number}")).object.write());
        names.push(name);
    }
    input.file("libx.so", format!("INPUT({})\n", names.join(" ")).as_bytes());
    input.word("libx.so");
}
