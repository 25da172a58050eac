//! The sources of a program.

use super::program::{Definition, Kind, Program, Symbol};
use std::fmt::Write;

/// One source a unit.
pub fn sources(program: &Program) -> Vec<String> {
    (0..program.units.len()).map(|unit| source(program, unit)).collect()
}

fn source(program: &Program, unit: usize) -> String {
    let is_cpp = program.units[unit].is_cpp;
    let mut text = String::from("#include <stdio.h>\n#include <string.h>\n");
    if is_cpp {
        // Groups that several units have.
        text += "inline int shared(int x) { static int calls; calls += x; return calls; }\n\
                 template<int N> struct Box { int a; Box(); int get() { return a + N; } };\n\
                 template<int N> Box<N>::Box() : a(N * 3) {}\n\
                 extern \"C\" {\n";
    }
    for symbol in &program.symbols {
        let own = symbol.definitions.iter().find(|definition| definition.unit == unit);
        match own {
            Some(own) => text += &define(symbol, own),
            None if symbol.users.contains(&unit) => text += &declare(symbol),
            None => {}
        }
    }
    for other in 0..program.units.len() {
        let _ = writeln!(text, "int run_{other}(int x);");
    }
    let _ = writeln!(text, "int run_{unit}(int x) {{\n  int all = x;");
    for symbol in program.symbols.iter().filter(|symbol| symbol.users.contains(&unit)) {
        let name = &symbol.name;
        let _ = match symbol.kind {
            Kind::Function => writeln!(text, "  all = all * 3 + {name}(x + 1);"),
            Kind::Maybe => writeln!(text, "  all = all * 3 + ({name} ? {name}(x) : 17);"),
            Kind::Data | Kind::Common => writeln!(text, "  all = all * 3 + {name}++;"),
            Kind::Thread => writeln!(text, "  all = all * 3 + {name}--;"),
        };
    }
    if is_cpp {
        text += "  all += shared(x) + Box<1>().get();\n";
    }
    // What optimisation may turn into calls of the library.
    text += "  char copy[40]; memset(copy, x, sizeof copy);\n  return all + copy[all & 31];\n}\n";
    if unit == 0 {
        text += "int main(void) {\n";
        for unit in 0..program.units.len() {
            let _ = writeln!(text, "  printf(\"%d \", run_{unit}({unit}));");
        }
        text += "  puts(\"\");\n  return 0;\n}\n";
    }
    text + if is_cpp { "}\n" } else { "" }
}

fn define(symbol: &Symbol, definition: &Definition) -> String {
    let Symbol { name, kind, .. } = symbol;
    let mut attributes = String::new();
    if definition.is_weak && *kind != Kind::Common {
        attributes += "__attribute__((weak)) ";
    }
    if !definition.visibility.is_empty() {
        let _ = write!(attributes, "__attribute__((visibility(\"{}\"))) ", definition.visibility);
    }
    let value = definition.unit * 10 + name.len();
    match kind {
        Kind::Function | Kind::Maybe => {
            format!("{attributes}int {name}(int x) {{ return x * {value} + 1; }}\n")
        }
        Kind::Data => format!("{attributes}int {name} = {value};\n"),
        Kind::Thread => format!("{attributes}__thread int {name} = {value};\n"),
        Kind::Common => format!("{attributes}int {name};\n"),
    }
}

fn declare(symbol: &Symbol) -> String {
    let name = &symbol.name;
    match symbol.kind {
        Kind::Function => format!("int {name}(int);\n"),
        Kind::Maybe => format!("__attribute__((weak)) int {name}(int);\n"),
        Kind::Data | Kind::Common => format!("extern int {name};\n"),
        Kind::Thread => format!("extern __thread int {name};\n"),
    }
}
