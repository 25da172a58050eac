//! Generated programs that count their calls: each function adds one to its argument, passes it
//! through the functions that it calls, and the program exits with status 0 only if all calls were
//! made.
//!
//! `component` is a program of 400 shared libraries, as builds of one library a directory make
//! them; `static-archive-heavy` one of 500 archives, a tenth of which is needed; `far-calls-arm64`
//! has more code than branches of AArch64 reach.

use super::capture::{RESPONSE_FILE, settle};
use super::machine::ARM64;
use super::synthetic::input::Input;
use super::synthetic::object::{
    AARCH64, ALLOC, CALL26, EXEC, FUNCTION, Object, PLT32, SectionId, Target, X86_64,
};
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

/// Objects of the program with more code than branches reach, functions of each that make a call,
/// and as many that they call. An entry of each object calls the former.
const FAR_OBJECTS: u64 = 200;
const FAR_CALLS: u64 = 260;
/// Room for a function, in bytes: 600 MiB in all.
const FAR_FUNCTION: usize = 6048;

/// `component`, `static-archive-heavy` and `far-calls-arm64`.
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
        prove: |output, dir| counts(Command::new(output), dir),
    };
    let far = Workload {
        name: "far-calls-arm64",
        about: "a generated program for AArch64 with 600 MiB of code and 104,000 calls",
        directory: "far-calls-arm64",
        machine: Some(&ARM64),
        slow: true,
        expects: Expectation { dynsym: false, ..base.expects },
        make: make_far_calls,
        prove: |output, dir| counts(ARM64.command(output, &[]), dir),
        ..base
    };
    let archives = Workload {
        name: "static-archive-heavy",
        about: "a generated program of 500 archives, a tenth of them needed",
        directory: "static-archive-heavy",
        expects: Expectation { dynsym: false, ..base.expects },
        make: make_archives,
        ..base
    };
    vec![base, archives, far]
}

/// The machine code that functions are made of.
struct Code {
    machine: u16,
    /// Sets the count to zero.
    clear: &'static [u8],
    /// What a function begins with that calls others.
    enter: &'static [u8],
    /// A call that hands the count over, the offset of the field of its target, and the relocation
    /// there with its addend.
    call: (&'static [u8], usize, u32, i64),
    /// Adds one and returns, in a function that calls others.
    leave: &'static [u8],
    /// The same in a function that calls none.
    leaf: &'static [u8],
    /// Exits: with status 0 if the count is this one.
    exit: fn(u32) -> Vec<u8>,
}

static CODE_OF_X86_64: Code = Code {
    machine: X86_64,
    clear: &[0x31, 0xff], // xor edi, edi
    enter: &[],
    call: (&[0xe8, 0, 0, 0, 0, 0x89, 0xc7], 1, PLT32, -4), // call; mov edi, eax
    leave: &[0x8d, 0x47, 0x01, 0xc3],                      // lea eax, [rdi + 1]; ret
    leaf: &[0x8d, 0x47, 0x01, 0xc3],
    exit: |count| {
        let mut code = vec![0x81, 0xef]; // sub edi, count
        code.extend(count.to_le_bytes());
        // setne al; movzx edi, al; mov eax, 60; syscall
        code.extend([0x0f, 0x95, 0xc0, 0x0f, 0xb6, 0xf8, 0xb8, 60, 0, 0, 0, 0x0f, 0x05]);
        code
    },
};

static CODE_OF_AARCH64: Code = Code {
    machine: AARCH64,
    clear: &[0x00, 0x00, 0x80, 0x52],                // mov w0, #0
    enter: &[0xfd, 0x7b, 0xbf, 0xa9],                // stp x29, x30, [sp, #-16]!
    call: (&[0x00, 0x00, 0x00, 0x94], 0, CALL26, 0), // bl
    // ldp x29, x30, [sp], #16; add w0, w0, #1; ret
    leave: &[0xfd, 0x7b, 0xc1, 0xa8, 0x00, 0x04, 0x00, 0x11, 0xc0, 0x03, 0x5f, 0xd6],
    leaf: &[0x00, 0x04, 0x00, 0x11, 0xc0, 0x03, 0x5f, 0xd6], // add w0, w0, #1; ret
    exit: |count| {
        let half = |value: u32| (value & 0xffff) << 5;
        let words = [
            0x5280_0001 | half(count),       // mov w1, #count
            0x72a0_0001 | half(count >> 16), // movk w1, #count, lsl #16
            0x6b01_0000,                     // subs w0, w0, w1
            0x1a9f_07e0,                     // cset w0, ne
            0xd280_0ba8,                     // mov x8, #93
            0xd400_0001,                     // svc #0
        ];
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    },
};

/// An object of functions that count.
struct Counter {
    object: Object,
    code: &'static Code,
}

impl Counter {
    fn new() -> Self {
        Self::of(&CODE_OF_X86_64)
    }

    fn of(code: &'static Code) -> Self {
        Self { object: Object::new(code.machine), code }
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

    /// Returns its argument and one. Returns its section.
    fn leaf(&mut self, name: &str) -> SectionId {
        let section = self.function(name);
        self.end(name, section, self.code.leaf);
        section
    }

    /// Hands its argument through all of `callees`, and adds one. Returns its section.
    fn chain(&mut self, name: &str, callees: impl Iterator<Item = String>) -> SectionId {
        let section = self.function(name);
        self.object.data(section).extend(self.code.enter);
        self.calls(section, callees);
        self.end(name, section, self.code.leave);
        section
    }

    fn calls(&mut self, section: SectionId, callees: impl Iterator<Item = String>) {
        let (call, field, kind, addend) = self.code.call;
        for callee in callees {
            let data = self.object.data(section);
            let place = data.len() + field;
            data.extend(call);
            let symbol = self.object.global(&callee);
            self.object.relocate(section, place, kind, Target::Global(symbol), addend);
        }
    }

    /// Starts with zero, calls all of `callees`, and exits: with status 0 if the count is right.
    fn start(&mut self, callees: impl Iterator<Item = String>, count: u64) {
        let section = self.function("_start");
        self.object.data(section).extend(self.code.clear);
        self.calls(section, callees);
        let end = (self.code.exit)(count as u32);
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
            for at in 1..MEMBER_FUNCTIONS {
                counter.leaf(&name(archive, member, at));
            }
            (format!("module{member}.o"), counter.object)
        });
        input.archive(&format!("archives/lib{archive}.a"), members);
    }
    input.finish()
}

fn make_far_calls(dir: &Path) -> Result<(), String> {
    let mut input = Input::new(dir);
    input.words(settle(["-m", "aarch64linux"].map(String::from).into()));
    let entry = |object: u64| format!("entry_{object}");
    let caller = |object: u64, at: u64| format!("caller_{object}_{at}");
    let leaf = |object: u64, at: u64| format!("leaf_{object}_{at}");
    let mut start = Counter::of(&CODE_OF_AARCH64);
    start.start((0..FAR_OBJECTS).map(entry), FAR_OBJECTS * (1 + 2 * FAR_CALLS));
    input.object("start.o", &start.object);
    for object in 0..FAR_OBJECTS {
        let mut counter = Counter::of(&CODE_OF_AARCH64);
        counter.chain(&entry(object), (0..FAR_CALLS).map(|at| caller(object, at)));
        for at in 0..FAR_CALLS {
            // Two primes, so that callees are spread over all objects.
            let callee = leaf((object * 7919 + at * 104_729) % FAR_OBJECTS, at);
            let functions = [
                counter.chain(&caller(object, at), [callee].into_iter()),
                counter.leaf(&leaf(object, at)),
            ];
            for section in functions {
                counter.object.data(section).resize(FAR_FUNCTION, 0);
            }
        }
        input.object(&format!("objects/{object}.o"), &counter.object);
    }
    input.finish()
}

/// Runs the program, with its libraries beside the objects.
fn counts(mut program: Command, dir: &Path) -> Result<(), String> {
    program.env("LD_LIBRARY_PATH", dir.join("libraries"));
    tools::run(&mut program).map(drop).map_err(|error| format!("it counts wrongly: {error}"))
}
