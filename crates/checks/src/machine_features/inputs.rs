//! The project: a program of several objects, an archive and a library, compiled once for each
//! machine and [`Compiled`] by its compiler.
//!
//! Where the machine has no C library, the project has neither exceptions nor type information, and
//! [`RUNTIME`] starts it and prints.

use super::features::{Compiled, Shape};
use super::scripts;
use crate::Result;
use crate::random::by_workers;
use skald_testkit::machine::Machine;
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// What the program prints if no feature changes it.
pub const PRINTED: &str = "\
calls 28652
tls 3 70 5 71
tls 10 71 6 73
text a common suffix, suffix
common 20 4
weak 0 0 12
wrapped 30
same 313 313
library 55 33 9
set 2 3
area 36, 7 9
caught 205 300, 4 unwound
absolute 0
bytes none
";

/// The exit status of the program.
pub const STATUS: i32 = 17;

/// Declarations that all units share.
const SHARED: &str = "
#ifdef __cplusplus
extern \"C\" {
#endif
extern __thread int tls_program;
extern __thread int tls_library;
extern int common_values[4], common_value;
int first_step(int), uses_hidden(int), indirect(int), from_archive(int), inner_member(int);
int from_library(int), with_version(int), library_tls(void), weak_in_library(void);
int library_calls(int (*)(int), int);
void library_throws(int);
const char *long_text(void), *short_text(void);
int wrapped(int), same_one(int), same_two(int), hidden_value(void);
int weak_missing(int) __attribute__((weak));
int weak_other(int) __attribute__((weak));
extern int library_data, library_array[8], unwound;
int printf(const char *, ...);
#ifdef __cplusplus
}
struct Problem { int code; };
struct Shape { virtual ~Shape(); virtual int area() const; int x; };
struct Square : Shape { int area() const override; };
template <class T> __attribute__((noinline)) T twice(T t) { static int n; n++; return t + t + (n > 0); }
int throws(int);
#ifdef __cpp_exceptions
#define THROW(value, returned) throw value
#define TRY(call, type, value, place) try { call; } catch (type) { place = value; }
#else
#define THROW(value, returned) return returned
#define TRY(call, type, value, place) call
#endif
#endif
";

/// Name, source and language of each unit.
const UNITS: &[(&str, &str)] = &[
    (
        "start.c",
        "int program(int);\nint main(int argc, char **argv) { return argv ? program(argc) : 1; }\n",
    ),
    (
        "main.cc",
        "#include \"shared.h\"
static thread_local int own_tls = 5;
static int plus(int a) { return a + 1; }
struct Early { int value; Early() : value(0) {} } early;
int Shape::area() const { return x; }
Shape::~Shape() {}
extern \"C\" {
extern char absolute_mark[] __attribute__((weak));
extern char _binary_bytes_bin_start[] __attribute__((weak));
extern int __start_own_set[] __attribute__((weak)), __stop_own_set[] __attribute__((weak));
}
int (*const table[])(int) = { first_step, indirect, from_library, from_archive, plus };
extern \"C\" int program(int count) {
  int sum = early.value;
  for (auto function : table) sum = sum * 3 + function(count);
  printf(\"calls %d\\n\", sum);
  for (int n = 0; n < 2; n++) {
    printf(\"tls %d %d %d %d\\n\", tls_program, tls_library, own_tls, library_tls());
    tls_program += 7; own_tls++; tls_library++;
  }
  printf(\"text %s, %s\\n\", long_text(), short_text());
  common_values[2] = 9; common_value = 4;
  printf(\"common %d %d\\n\", uses_hidden(0), common_value);
  printf(\"weak %d %d %d\\n\", weak_missing ? 1 : 0, weak_other ? 1 : 0, weak_in_library());
  printf(\"wrapped %d\\n\", wrapped(3));
  printf(\"same %d %d\\n\", same_one(4), same_two(4));
  printf(\"library %d %d %d\\n\", library_data, library_array[3], with_version(2));
  int in_set = 0;
  for (int *entry = __start_own_set; entry < __stop_own_set; entry++) in_set += *entry;
  printf(\"set %d %d\\n\", int(__stop_own_set - __start_own_set), in_set);
  Square square; square.x = 6; const Shape *shape = &square;
  printf(\"area %d, %d %ld\\n\", shape->area(), twice(3), twice(4L));
  int caught = 0, library_caught = 0;
  TRY(throws(2), const Problem &problem, problem.code, caught);
  TRY(library_throws(3), int code, code, library_caught);
  printf(\"caught %d %d, %d unwound\\n\", caught, library_caught, unwound + library_calls(plus, 0));
  printf(\"absolute %lx\\n\", (unsigned long)absolute_mark);
  printf(\"bytes %.5s\\n\", &_binary_bytes_bin_start[0] ? _binary_bytes_bin_start : \"none\");
  return 17;
}
",
    ),
    (
        "first.c",
        "#include \"shared.h\"
__thread int tls_program = 3;
static __thread int zero;
int common_values[4];
int common_value;
__attribute__((visibility(\"hidden\"))) int hidden_value(void) { return 11; }
int first_step(int a) { zero++; return a + hidden_value() + zero; }
int uses_hidden(int a) { return common_values[2] + a + hidden_value(); }
const char *long_text(void) { return \"a common suffix\"; }
int wrapped(int a) { return a * 10; }
int same_one(int a) { return a * 77 + 5; }
int unused_one(int a) { static int big[100]; return big[a] + unused_one(a - 1); }
__attribute__((section(\"own_set\"), used)) int entry_one = 1;
",
    ),
    (
        "second.c",
        "#include \"shared.h\"
static int chosen(int a) { return a + 1000; }
static int (*choose(void))(int) { return chosen; }
int indirect(int) __attribute__((ifunc(\"choose\")));
const char *short_text(void) { return \"suffix\"; }
int same_two(int a) { return a * 77 + 5; }
int unused_two(void) { return hidden_value(); }
int common_value;
__attribute__((section(\"own_set\"), used)) int entry_two = 2;
",
    ),
    (
        "third.cc",
        "#include \"shared.h\"
int unwound;
struct Guard { ~Guard() { unwound++; } };
int Square::area() const { return x * x; }
__attribute__((noinline)) int deeper(int a) {
  Guard guard;
  if (a > 1) THROW(Problem{a * 100 + twice(a)}, twice(a));
  return a;
}
int throws(int a) { Guard guard; return deeper(a) + 1; }
",
    ),
    (
        "member.c",
        "#include \"shared.h\"\nint from_archive(int a) { return inner_member(a) + 1; }\n",
    ),
    (
        "inner.c",
        "#include \"shared.h\"
static const int numbers[] = {1, 2, 3, 5, 8};
int inner_member(int a) {
  switch (a) {
    case 1: return 21; case 2: return 31; case 3: return 50; case 4: return 16; case 7: return 3;
    default: return numbers[a % 5];
  }
}
",
    ),
    ("unwanted.c", "int never_wanted(void) { return 1; }\n"),
    (
        "wrap.c",
        "int __real_wrapped(int);\nint __wrap_wrapped(int a) { return __real_wrapped(a) + 1; }\n",
    ),
    (
        "library.cc",
        "#include \"shared.h\"
extern \"C\" {
__thread int tls_library = 70;
static __thread int calls = 1;
int library_data = 55;
int library_array[8] = {0, 1, 2, 33, 4};
int from_library(int a) { return a + library_data; }
int with_version(int a) { return a + 7; }
int library_tls(void) { return tls_library + calls++; }
int __attribute__((weak)) weak_in_library(void) { return 12; }
int library_calls(int (*function)(int), int a) { return function(a) * 2; }
void library_throws(int n) { THROW(n * 100, ); }
}
",
    ),
];

/// Name and text of what takes the place of a C library.
const RUNTIME: (&str, &str) = ("runtime.c", include_str!("runtime.c"));

/// Name and text of the files that options name.
const FILES: &[(&str, &str)] = &[
    ("bytes.bin", "bytes and more"),
    ("absolute.s", ".globl absolute_mark\nabsolute_mark = 0x410020\n"),
    ("insert.ld", "SECTIONS { .mine : { *(mine) } } INSERT AFTER .data;\n"),
    (
        "exports.map",
        "VX { global: program; first_*; tls_*; _ZT*; extern \"C++\" { Shape::*; }; local: *; };\n",
    ),
    ("library.map", "V1 { global: *; }; V2 { global: with_version; } V1;\n"),
    ("dynamic.list", "{ first_*; program; tls_program; };\n"),
    ("order.txt", "first_step\nfrom_archive\nprogram\n"),
    (
        "calls.txt",
        "program first_step 100\nprogram from_archive 50\nfrom_archive inner_member 1000\n",
    ),
    ("retain.txt", "main\nprogram\nfirst_step\ninner_member\n"),
];

/// What the program prints on `machine` if no feature changes it.
pub fn printed(machine: &Machine) -> String {
    // Without exceptions the functions that throw return.
    let caught = if machine.has_libraries() { "caught 205 300" } else { "caught 0 0" };
    PRINTED.replace("caught 205 300", caught)
}

/// Makes all files in `directory`, objects in a directory for each of these ways to compile them.
pub fn make(machine: &Machine, directory: &Path, ways: &[Compiled]) -> Result<()> {
    let write = |name: &str, text: &str| {
        let path = directory.join(name);
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
    };
    fs::create_dir_all(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    for (name, text) in UNITS.iter().chain(FILES).chain([&RUNTIME]) {
        write(name, text)?;
    }
    write("shared.h", SHARED)?;
    let units: Vec<&str> = UNITS.iter().map(|(unit, _)| *unit).chain(own_units(machine)).collect();
    let mut objects = Vec::new();
    for &compiled in ways {
        fs::create_dir_all(directory.join(compiled.word())).map_err(|e| e.to_string())?;
        objects.extend(units.iter().map(|unit| (compiled, *unit)));
    }
    let one = |at: u64| {
        let (compiled, unit) = objects[usize::try_from(at).expect("a position")];
        compile(machine, directory, compiled, unit)
    };
    by_workers(0..objects.len() as u64, one, |_, ()| {})?;
    for &compiled in ways {
        archive(machine, directory, compiled)?;
    }
    let run = |program: &str, words: &str| run(machine, directory, program, words);
    run("as", "absolute.s -o absolute.o")?;
    run("ld", "-Ttext=0x500000 -e 0 absolute.o -o absolute.elf")?;
    let nothing = if machine.has_libraries() { "" } else { " -nostdlib" };
    let options =
        "-shared shared/library.o -Wl,-soname,library.so -Wl,--version-script=library.map";
    run("g++", &format!("{options}{nothing} -o library.so"))?;
    for &shape in Shape::ALL {
        let words = format!("-m {} {} --verbose", machine.emulation, shape.of_gnu_ld());
        let printed = run("ld", words.trim())?;
        // The script stands between two lines of this sign.
        let script = printed.split("\n=====").nth(1).and_then(|part| part.split_once('\n'));
        let (_, script) = script.ok_or("GNU ld prints no script")?;
        write(&format!("{}.ld", shape.word()), script)?;
        write(&format!("{}.memory.ld", shape.word()), &scripts::with_regions(script)?)?;
        write(&format!("{}.headers.ld", shape.word()), &scripts::with_headers(script, shape)?)?;
    }
    Ok(())
}

/// The unit that the machine's program has besides.
pub fn own_units(machine: &Machine) -> Option<&'static str> {
    (!machine.has_libraries()).then_some(RUNTIME.0)
}

fn compile(machine: &Machine, directory: &Path, compiled: Compiled, unit: &str) -> Result<()> {
    let (name, extension) = unit.split_once('.').ok_or("a unit without extension")?;
    let [c, cxx, _] = compiled.tools();
    let compiler = if extension == "cc" { cxx } else { c };
    let mut options = compiled.options().to_owned();
    if compiled == Compiled::LlvmLto {
        options.extend(machine.clang_options().iter().map(|option| format!(" {option}")));
    }
    if !machine.has_libraries() {
        let of_cxx = if extension == "cc" { " -fno-exceptions -fno-rtti" } else { "" };
        options = format!("{options} -ffreestanding{of_cxx}");
    }
    // Relative to the objects, so that names of split debug information differ by directory.
    let always = "-c -g -O1 -w -fcommon -ffunction-sections -fdata-sections";
    let word = compiled.word();
    run(machine, directory, compiler, &format!("{always} {options} {unit} -o {word}/{name}.o"))?;
    Ok(())
}

fn archive(machine: &Machine, directory: &Path, compiled: Compiled) -> Result<()> {
    let at = directory.join(compiled.word());
    let _ = fs::remove_file(at.join("members.a"));
    let [.., archiver] = compiled.tools();
    run(machine, &at, archiver, "rc members.a member.o inner.o unwanted.o").map(drop)
}

fn run(machine: &Machine, directory: &Path, program: &str, words: &str) -> Result<String> {
    let mut command = machine.tool(program);
    command.args(words.split_whitespace()).current_dir(directory).stdin(Stdio::null());
    let output = command.output().map_err(|e| format!("{program}: {e}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}
