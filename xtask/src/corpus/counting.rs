//! Generated programs that count their calls: each function adds one to its argument, passes it
//! through the functions that it calls, and the program exits with status 0 only if all calls were
//! made.
//!
//! `component` is a program of 400 shared libraries, as builds of one library a directory make
//! them; `static-archive-heavy` one of 500 archives, a tenth of which is needed.

use super::capture::{RESPONSE_FILE, settle};
use super::synthetic::input::Input;
use super::synthetic::object::{ALLOC, EXEC, FUNCTION, Object, PLT32, SectionId, Target};
use super::{Expectation, PROGRAM, Workload, tools};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Shared libraries, and functions of each.
const LIBRARIES: u64 = 400;
const LIBRARY_FUNCTIONS: u64 = 500;
/// Objects of the program that uses them, and how many of their functions each object calls.
const OBJECTS: u64 = 300;
const CALLS: u64 = 400;

/// Archives, members of each, and functions of a member.
const ARCHIVES: u64 = 500;
const MEMBERS: u64 = 60;
const MEMBER_FUNCTIONS: u64 = 12;
/// One archive in this many is needed.
const NEEDED: u64 = 10;

/// `component` and `static-archive-heavy`.
pub fn workloads() -> Vec<Workload> {
    let base = Workload {
        name: "component",
        about: "a generated program of 400 shared libraries",
        directory: "component",
        response: RESPONSE_FILE,
        extra: &[],
        recipe: 1,
        plugin: None,
        machine: None,
        slow: false,
        expects: Expectation { eh_frame_hdr: false, build_id: false, ..PROGRAM },
        make: make_component,
        prove: counts,
    };
    let archives = Workload {
        name: "static-archive-heavy",
        about: "a generated program of 500 archives, a tenth of them needed",
        directory: "static-archive-heavy",
        expects: Expectation { dynsym: false, ..base.expects },
        make: make_archives,
        ..base
    };
    vec![base, archives]
}

/// An object of functions that count.
struct Counter {
    object: Object,
}

impl Counter {
    fn new() -> Self {
        Self { object: Object::default() }
    }

    fn function(&mut self, name: &str) -> SectionId {
        self.object.section(&format!(".text.{name}"), ALLOC | EXEC, 16)
    }

    /// Ends a function with `code`.
    fn end(&mut self, name: &str, section: SectionId, code: &[u8]) {
        self.object.data(section).extend(code);
        let size = self.object.data(section).len() as u64;
        let symbol = self.object.global(name);
        self.object.define_at(symbol, section, 0, size, FUNCTION);
    }

    /// Returns its argument and one.
    fn leaf(&mut self, name: &str) {
        let section = self.function(name);
        self.end(name, section, &[0x8d, 0x47, 0x01, 0xc3]); // lea eax, [rdi + 1]; ret
    }

    /// Hands its argument through all of `callees`, and adds one.
    fn chain(&mut self, name: &str, callees: impl Iterator<Item = String>) {
        let section = self.function(name);
        self.calls(section, callees);
        self.end(name, section, &[0x8d, 0x47, 0x01, 0xc3]);
    }

    fn calls(&mut self, section: SectionId, callees: impl Iterator<Item = String>) {
        for callee in callees {
            let code = self.object.data(section);
            code.extend([0xe8, 0, 0, 0, 0, 0x89, 0xc7]); // call; mov edi, eax
            let place = code.len() - 6;
            let symbol = self.object.global(&callee);
            self.object.relocate(section, place, PLT32, Target::Global(symbol), -4);
        }
    }

    /// Starts with zero, calls all of `callees`, and exits: with status 0 if the count is right.
    fn start(&mut self, callees: impl Iterator<Item = String>, count: u64) {
        let section = self.function("_start");
        self.object.data(section).extend([0x31, 0xff]); // xor edi, edi
        self.calls(section, callees);
        let mut end = vec![0x81, 0xef]; // sub edi, count
        end.extend((count as u32).to_le_bytes());
        // setne al; movzx edi, al; mov eax, 60; syscall
        end.extend([0x0f, 0x95, 0xc0, 0x0f, 0xb6, 0xf8, 0xb8, 60, 0, 0, 0, 0x0f, 0x05]);
        self.end("_start", section, &end);
    }
}

fn exported(library: u64, at: u64) -> String {
    format!("_ZN9component{library}service{at}Ev_handle_request_{at}")
}

fn make_component(dir: &Path) -> Result<(), String> {
    let linker = tools::system_linker()?;
    let mut input = Input::new(dir);
    input.words(["-m", "elf_x86_64", "--hash-style=gnu", "-z", "now"].map(String::from));
    input.words(["-dynamic-linker", "/lib64/ld-linux-x86-64.so.2"].map(String::from));
    let mut start = Counter::new();
    let parts = (0..OBJECTS).map(|object| format!("part_{object}"));
    start.start(parts, OBJECTS * (CALLS + 1));
    input.object("start.o", &start.object);
    for object in 0..OBJECTS {
        let mut counter = Counter::new();
        let callee = |at: u64| {
            exported(
                (object * 7 + at * 11) % LIBRARIES,
                (object * 13 + at * 17) % LIBRARY_FUNCTIONS,
            )
        };
        counter.chain(&format!("part_{object}"), (0..CALLS).map(callee));
        input.object(&format!("objects/{object}.o"), &counter.object);
    }
    let mut links = Vec::new();
    fs::create_dir_all(dir.join("libraries")).map_err(|e| format!("{}: {e}", dir.display()))?;
    for library in 0..LIBRARIES {
        let mut counter = Counter::new();
        for at in 0..LIBRARY_FUNCTIONS {
            counter.leaf(&exported(library, at));
        }
        // An unused function, with references to other libraries.
        let others = (1..30).map(|step| exported((library + step) % LIBRARIES, step));
        counter.chain(&format!("component_{library}_uses_others"), others);
        let object = format!("libraries/{library}.o");
        input.file(&object, &counter.object.write());
        let name = format!("libraries/libcomponent{library}.so");
        let mut link = Command::new(&linker);
        link.current_dir(dir).args(["-shared", "--hash-style=gnu", "-o", &name, &object]);
        link.arg(format!("-soname=libcomponent{library}.so"));
        links.push(link);
        input.word(name);
    }
    input.words(settle(Vec::new()));
    tools::run_all(links)?;
    input.finish()
}

fn make_archives(dir: &Path) -> Result<(), String> {
    let name = |archive: u64, member: u64, at: u64| {
        format!("_ZN7archive{archive}module{member}Ev_compute_{at}")
    };
    let mut input = Input::new(dir);
    input.words(settle(["-m", "elf_x86_64"].map(String::from).into()));
    let mut start = Counter::new();
    let needed = (0..ARCHIVES).step_by(NEEDED as usize);
    // The first function of a member calls the next member, the last one calls the others of its
    // own member.
    let each = MEMBERS * MEMBER_FUNCTIONS;
    start.start(needed.clone().map(|archive| name(archive, 0, 0)), needed.count() as u64 * each);
    input.object("start.o", &start.object);
    for archive in 0..ARCHIVES {
        let members = (0..MEMBERS).map(|member| {
            let mut counter = Counter::new();
            let own = (1..MEMBER_FUNCTIONS).map(|at| name(archive, member, at));
            let next = (member + 1 < MEMBERS).then(|| name(archive, member + 1, 0));
            counter.chain(&name(archive, member, 0), own.chain(next));
            (1..MEMBER_FUNCTIONS).for_each(|at| counter.leaf(&name(archive, member, at)));
            (format!("module{member}.o"), counter.object)
        });
        input.archive(&format!("archives/lib{archive}.a"), members);
    }
    input.finish()
}

/// Runs the program, with its libraries beside the objects.
fn counts(output: &Path, dir: &Path) -> Result<(), String> {
    let mut program = Command::new(output);
    program.env("LD_LIBRARY_PATH", dir.join("libraries"));
    tools::run(&mut program).map(drop).map_err(|error| format!("it counts wrongly: {error}"))
}
