//! Options that are given many times, and files of options that grow.

use super::dimension::{Dimension, grows};
use crate::corpus::synthetic::code::Code;
use crate::corpus::synthetic::input::Input;
use crate::corpus::synthetic::object::Object;
use std::fmt::Write;

pub const ROWS: &[Dimension] = &[
    grows("wrap", 5000, wrap),
    grows("defsym-chain", 5000, defsym_chain),
    grows("undefined", 10_000, |n, input| options(n, input, "--undefined=f_")),
    grows("require-defined", 40_000, |n, input| options(n, input, "--require-defined=f_")),
    grows("keep-unique", 10_000, |n, input| options(n, input, "--keep-unique=f_")),
    grows("trace-symbol", 5000, |n, input| options(n, input, "--trace-symbol=f_")),
    grows("export-dynamic-symbol", 10_000, exports),
    grows("export-dynamic-symbol-glob", 100, export_globs),
    grows("version-exact", 30_000, version_exact),
    grows("version-exact-cpp", 10_000, version_exact_cpp),
    grows("version-glob", 100, version_glob),
    grows("version-nodes", 1500, version_nodes),
    grows("dynamic-list", 30_000, dynamic_list),
    grows("dynamic-list-glob", 100, dynamic_list_glob),
    grows("retain-symbols-file", 30_000, retained),
    grows("exclude-libs", 500, exclude_libs),
    grows("search-directories", 100, search_directories),
    grows("section-start", 300, section_start),
    grows("symbol-ordering-file", 10_000, symbol_order),
    grows("section-ordering-file", 10_000, section_order),
    grows("call-graph-ordering-file", 10_000, call_graph),
];

/// `f_0`, `f_1` and so on, in one object.
fn functions(n: u64, input: &mut Input) {
    let mut code = Code::starting();
    for number in 0..n {
        code.define(&format!("f_{number}"));
    }
    input.code("main.o", &code);
}

/// The same functions, each in a section of its own, in several objects because of the limit per
/// object.
fn functions_apart(n: u64, input: &mut Input) {
    for (at, first) in (0..n).step_by(10_000).enumerate() {
        let mut code = if at == 0 { Code::starting() } else { Code::new() };
        for number in first..n.min(first + 10_000) {
            code.define_apart(&format!("f_{number}"));
        }
        input.code(&format!("functions_{at}.o"), &code);
    }
}

/// One option per function.
fn options(n: u64, input: &mut Input, option: &str) {
    functions(n, input);
    input.words((0..n).map(|number| format!("{option}{number}")));
}

fn wrap(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    let mut definitions = Code::new();
    for number in 0..n {
        main.call(&format!("f_{number}"));
        definitions.define(&format!("f_{number}"));
        definitions.define(&format!("__wrap_f_{number}"));
        definitions.call(&format!("__real_f_{number}"));
    }
    input.code("main.o", &main);
    input.code("definitions.o", &definitions);
    input.words((0..n).map(|number| format!("--wrap=f_{number}")));
}

/// Each symbol is defined as the next one; only the last has a value.
fn defsym_chain(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    main.call("link_0");
    input.code("main.o", &main);
    input.words((0..n).map(|number| format!("--defsym=link_{number}=link_{}+1", number + 1)));
    input.word(format!("--defsym=link_{n}=_start"));
}

fn exports(n: u64, input: &mut Input) {
    options(n, input, "--export-dynamic-symbol=f_");
    input.word("-pie");
}

/// Ten thousand functions, and patterns of which each matches some.
fn export_globs(n: u64, input: &mut Input) {
    functions(10_000, input);
    input.words((0..n).map(|number| format!("--export-dynamic-symbol=f_{number}*")));
    input.word("-pie");
}

fn script(input: &mut Input, option: &str, text: &str) {
    input.file("script", text.as_bytes());
    input.word(format!("{option}=script"));
}

/// A line for each number.
fn lines(n: u64, line: impl Fn(u64) -> String) -> String {
    (0..n).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "{}", line(number));
        text
    })
}

fn version_exact(n: u64, input: &mut Input) {
    functions(n, input);
    let names = lines(n / 2, |number| format!("f_{};", number * 2));
    script(input, "--version-script", &format!("V {{ global: {names} local: *; }};"));
    input.word("-shared");
}

fn version_exact_cpp(n: u64, input: &mut Input) {
    let mut code = Code::new();
    for number in 0..n {
        let name = format!("f_{number}");
        code.define(&format!("_Z{}{name}i", name.len()));
    }
    input.code("main.o", &code);
    let names = lines(n / 2, |number| format!("\"f_{}(int)\";", number * 2));
    let text = format!("V {{ global: extern \"C++\" {{ {names} }}; local: *; }};");
    script(input, "--version-script", &text);
    input.word("-shared");
}

/// Ten thousand functions, and patterns of which each matches some.
fn version_glob(n: u64, input: &mut Input) {
    functions(10_000, input);
    let names = lines(n, |number| format!("f_{}*;", number * 3));
    script(input, "--version-script", &format!("V {{ global: {names} local: *; }};"));
    input.word("-shared");
}

/// One version per function.
fn version_nodes(n: u64, input: &mut Input) {
    functions(n, input);
    let nodes = lines(n, |number| format!("V_{number} {{ f_{number}; }};"));
    script(input, "--version-script", &nodes);
    input.word("-shared");
}

fn dynamic_list(n: u64, input: &mut Input) {
    functions(n, input);
    let names = lines(n / 2, |number| format!("f_{};", number * 2));
    script(input, "--dynamic-list", &format!("{{ {names} }};"));
    input.word("-pie");
}

fn dynamic_list_glob(n: u64, input: &mut Input) {
    functions(10_000, input);
    let names = lines(n, |number| format!("f_{}*;", number * 3));
    script(input, "--dynamic-list", &format!("{{ {names} }};"));
    input.word("-pie");
}

fn retained(n: u64, input: &mut Input) {
    functions(n, input);
    script(input, "--retain-symbols-file", &lines(n / 2, |number| format!("f_{}", number * 2)));
}

/// `n` archives, each of which an option names.
fn exclude_libs(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    for number in 0..n {
        main.call(&format!("f_{number}"));
    }
    input.code("main.o", &main);
    for number in 0..n {
        let mut code = Code::new();
        code.define(&format!("f_{number}"));
        input.archive(&format!("lib{number}.a"), [("member.o".to_owned(), code.object)]);
    }
    let names: Vec<String> = (0..n).map(|number| format!("lib{number}.a")).collect();
    input.word(format!("--exclude-libs={}", names.join(":")));
    input.word("-shared");
}

/// A hundred libraries, in the last of the directories.
fn search_directories(n: u64, input: &mut Input) {
    functions(1, input);
    input.words((0..n).map(|number| format!("-Ldirectory_{number}")));
    for number in 0..n {
        input.file(&format!("directory_{number}/empty"), b"");
    }
    for number in 0..100 {
        let mut code = Code::new();
        code.define(&format!("of_{number}"));
        let object: Object = code.object;
        let path = format!("directory_{}/libx{number}.a", n - 1);
        input.archive_unnamed(&path, [("member.o".to_owned(), object)]);
        input.word(format!("-lx{number}"));
    }
}

fn section_start(n: u64, input: &mut Input) {
    let mut code = Code::starting();
    for number in 0..n {
        let section = code.define_apart(&format!("f_{number}"));
        code.object.rename(section, &format!("placed_{number}"));
    }
    input.code("main.o", &code);
    let address = |number| 0x1000_0000 + number * 0x1000;
    input.words((0..n).map(|at| format!("--section-start=placed_{at}={:#x}", address(at))));
}

fn symbol_order(n: u64, input: &mut Input) {
    functions_apart(n, input);
    script(input, "--symbol-ordering-file", &lines(n, |number| format!("f_{}", n - 1 - number)));
    input.word("--no-warn-symbol-ordering");
}

fn section_order(n: u64, input: &mut Input) {
    functions_apart(n, input);
    script(input, "--section-ordering-file", &lines(n, |at| format!(".text.f_{}", n - 1 - at)));
}

/// Edges of a graph of a thousand functions.
fn call_graph(n: u64, input: &mut Input) {
    functions_apart(1000, input);
    let edge = |at: u64| {
        let (from, to) = (at % 1000, (at / 7 + at % 13) % 1000);
        format!("f_{from} f_{to} {}", at % 97 + 1)
    };
    script(input, "--call-graph-ordering-file", &lines(n, edge));
}
