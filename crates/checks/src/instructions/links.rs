//! The links that are counted. Their inputs are generated and always the same, and each link is of
//! another kind.

use crate::Result;
use std::path::Path;
use xtask::corpus::synthetic;
use xtask::corpus::synthetic::code::Code;
use xtask::corpus::synthetic::input::Input;
use xtask::corpus::synthetic::library::Library;
use xtask::corpus::synthetic::object::{
    ABS64, ALLOC, Object, PC32, REX_GOTPCRELX, STRINGS, Target, WRITE,
};

/// The name of a link, and the function that makes its input in a directory.
type Link = (&'static str, fn(&Path) -> Result<()>);

/// All links.
pub const LINKS: [Link; 3] = [("archives", archives), ("debug", debug), ("library", library)];

/// Archives as of a program in C, a third of whose members are not needed.
fn archives(directory: &Path) -> Result<()> {
    const ARCHIVES: u64 = 24;
    const MEMBERS: u64 = 60;
    const FUNCTIONS: u64 = 10;
    let mut input = Input::new(directory);
    let name = |archive: u64, member: u64, at: u64| format!("module_{archive}_{member}_call_{at}");
    let mut main = Code::starting();
    for archive in 0..ARCHIVES {
        main.call(&name(archive, 0, 0));
    }
    input.code("main.o", &main);
    for word in ["--gc-sections", "--build-id", "--eh-frame-hdr", "--start-group"] {
        input.word(word);
    }
    for archive in 0..ARCHIVES {
        let members = (0..MEMBERS).map(|member| {
            let mut code = Code::new();
            let strings = code.object.section(".rodata.str1.1", ALLOC | STRINGS, 1);
            for at in 0..FUNCTIONS {
                let section = code.define_apart(&name(archive, member, at));
                // Three members a step lead to all but every third.
                let next = if member + 3 < MEMBERS { member + [1, 3][at as usize % 2] } else { 0 };
                let next = if next % 3 == 2 { next + 1 } else { next };
                code.call_from(section, &name((archive + at) % ARCHIVES, next % MEMBERS, at));
                code.call_from(section, &name(archive, member, (at * 7 + 3) % FUNCTIONS));
                let place = code.object.data(strings).len() as i64;
                let text = format!("message {} of module {archive}\0", (member * 31 + at) % 400);
                code.object.data(strings).extend(text.bytes());
                let reference = code.object.data(section).len();
                code.object.data(section).extend([0; 8]);
                code.object.relocate(section, reference, ABS64, Target::Section(strings), place);
            }
            (format!("member_{member}.o"), code.object)
        });
        input.archive(&format!("lib{archive}.a"), members);
    }
    input.word("--end-group");
    input.finish()
}

/// A C++ program that consists mostly of debug information.
fn debug(directory: &Path) -> Result<()> {
    synthetic::make(directory, 64)
}

/// A library that exports much and uses another.
fn library(directory: &Path) -> Result<()> {
    const OBJECTS: u64 = 40;
    const FUNCTIONS: u64 = 400;
    let mut input = Input::new(directory);
    for word in ["-shared", "--build-id", "--hash-style=gnu", "--version-script=exports"] {
        input.word(word);
    }
    input.file("exports", b"V { global: api_*; extern \"C++\" { \"f(int)\"; }; local: *; };\n");
    let mut used = Library::new("libused.so");
    for number in 0..2000 {
        used.export(&format!("used_{number}"));
    }
    for number in 0..OBJECTS {
        let mut code = Code::new();
        for at in 0..FUNCTIONS {
            let section = code.define_apart(&format!("api_{number}_{at}"));
            code.call_from(section, &format!("used_{}", (number * 97 + at) % 2000));
            code.call_from(section, &format!("api_{}_{at}", (number + 1) % OBJECTS));
            load(&mut code.object, section, &format!("table_{number}"));
        }
        let table = code.object.section(".data.rel.ro", ALLOC | WRITE, 8);
        for at in 0..FUNCTIONS {
            let place = code.object.data(table).len();
            code.object.data(table).extend([0; 8]);
            let target = code.object.global(&format!("api_{number}_{at}"));
            code.object.relocate(table, place, ABS64, Target::Global(target), 0);
        }
        let symbol = code.object.global(&format!("table_{number}"));
        code.object.define(symbol, table, false, true);
        input.code(&format!("{number}.o"), &code);
    }
    input.library("libused.so", &used);
    input.finish()
}

/// Loads the address of a variable through the GOT.
fn load(object: &mut Object, section: synthetic::object::SectionId, name: &str) {
    let symbol = object.global(name);
    let code = object.data(section);
    code.extend([0x48, 0x8b, 0x05, 0, 0, 0, 0]); // mov rax, [rip + name@GOTPCREL]
    let place = code.len() - 4;
    object.relocate(section, place, REX_GOTPCRELX, Target::Global(symbol), -4);
    let place = object.data(section).len();
    object.data(section).extend([0; 4]);
    object.relocate(section, place, PC32, Target::Section(section), 0);
}
