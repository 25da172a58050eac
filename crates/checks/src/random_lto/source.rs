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
        // COMDAT groups that several units have.
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
    text += &besides(program, unit);
    let _ = writeln!(text, "int run_{unit}(int x) {{\n  int all = x;");
    for symbol in program.symbols.iter().filter(|symbol| symbol.users.contains(&unit)) {
        let name = &symbol.name;
        let _ = match symbol.kind {
            Kind::Function | Kind::Alias | Kind::Picked => {
                writeln!(text, "  all = all * 3 + {name}(x + 1);")
            }
            Kind::Maybe => writeln!(text, "  all = all * 3 + ({name} ? {name}(x) : 17);"),
            Kind::Data | Kind::Common => writeln!(text, "  all = all * 3 + {name}++;"),
            Kind::Thread => writeln!(text, "  all = all * 3 + {name}--;"),
        };
    }
    if is_cpp {
        text += "  all += shared(x) + Box<1>().get();\n";
    }
    if program.units[unit].has_assembly {
        let _ = writeln!(text, "  all += assembled_{unit};");
    }
    // Code that optimisation may turn into calls of the C library.
    text += "  char copy[40]; memset(copy, x, sizeof copy);\n  return all + copy[all & 31];\n}\n";
    if unit == 0 {
        text += "int main(void) {\n";
        for unit in 0..program.units.len() {
            let _ = writeln!(text, "  printf(\"%d \", run_{unit}({unit}));");
        }
        if program.units.iter().any(|unit| unit.has_entry) {
            text += "  const int *entry = __start_entries;\n  int sum = 0;\n\
                     \x20 while (entry < __stop_entries) sum += *entry++;\n\
                     \x20 printf(\"%d\", sum);\n";
        }
        text += "  puts(\"\");\n  return 0;\n}\n";
    }
    text + if is_cpp { "}\n" } else { "" }
}

/// Content of a unit besides the program's symbols.
fn besides(program: &Program, unit: usize) -> String {
    let own = program.units[unit];
    let mut text = String::new();
    if own.has_entry {
        let _ = writeln!(
            text,
            "__attribute__((section(\"entries\"), used)) static const int entry = {};",
            unit * 3 + 1
        );
    }
    if own.has_assembly {
        let _ = writeln!(
            text,
            "asm(\".data\\n.globl assembled_{unit}\\n.hidden assembled_{unit}\\n\
             .type assembled_{unit}, @object\\n.size assembled_{unit}, 4\\n\
             assembled_{unit}: .long {unit}\\n.text\");\n\
             extern int assembled_{unit} __attribute__((visibility(\"hidden\")));"
        );
    }
    if own.has_constructor {
        let _ = writeln!(
            text,
            "__attribute__((constructor({}))) static void early(void) {{ printf(\"c{unit} \"); }}",
            200 + unit
        );
    }
    if unit == 0 {
        text += "extern const int __start_entries[] __attribute__((weak, visibility(\"hidden\")));\n\
                 extern const int __stop_entries[] __attribute__((weak, visibility(\"hidden\")));\n";
        let name = &program.wrapped;
        if !name.is_empty() {
            let _ = writeln!(
                text,
                "int __real_{name}(int);\n\
                 int __wrap_{name}(int x) {{ return __real_{name}(x) + 5; }}"
            );
        }
    }
    text
}

fn define(symbol: &Symbol, definition: &Definition) -> String {
    let Symbol { name, kind, .. } = symbol;
    let mut attributes = String::new();
    if definition.is_weak && !matches!(kind, Kind::Common | Kind::Picked) {
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
        // The target is not static, as that would change its name in C++.
        Kind::Alias => format!(
            "__attribute__((visibility(\"hidden\"))) int {name}_other_{0}(int x);\n\
             int {name}_other_{0}(int x) {{ return x * {value} + 2; }}\n\
             {attributes}__attribute__((alias(\"{name}_other_{0}\"))) int {name}(int);\n",
            definition.unit
        ),
        Kind::Picked => format!(
            "static int {name}_one(int x) {{ return x * {value} + 3; }}\n\
             __attribute__((visibility(\"hidden\"))) int (*{name}_pick_{0}(void))(int);\n\
             int (*{name}_pick_{0}(void))(int) {{ return {name}_one; }}\n\
             {attributes}__attribute__((ifunc(\"{name}_pick_{0}\"))) int {name}(int);\n",
            definition.unit
        ),
        Kind::Data => format!("{attributes}int {name} = {value};\n"),
        Kind::Thread => format!("{attributes}__thread int {name} = {value};\n"),
        Kind::Common => format!("{attributes}int {name};\n"),
    }
}

fn declare(symbol: &Symbol) -> String {
    let name = &symbol.name;
    match symbol.kind {
        Kind::Function | Kind::Alias | Kind::Picked => format!("int {name}(int);\n"),
        Kind::Maybe => format!("__attribute__((weak)) int {name}(int);\n"),
        Kind::Data | Kind::Common => format!("extern int {name};\n"),
        Kind::Thread => format!("extern __thread int {name};\n"),
    }
}
