//! The C source of each unit, for machines without assembler sources ([`super::units`]).
//!
//! The compiler reaches symbols in the ways that its options and attributes ask for: directly, by
//! the GOT, by words that are relocated, by each model of thread-local storage. Units print the
//! same as those in assembler code.

use super::Chance;
use super::program::{Definition, Kind, Module, Program, Shape, Symbol};
use std::fmt::Write;

/// What all units begin with.
const HEAD: &str = "void tell(long);\nvoid same(int, void *);\n";

/// The rest of the unit of `main`.
const MAIN: &str = r##"
extern long __start_set[], __stop_set[];
long write(int, const void *, unsigned long);
static char buffer[8];
static void *seen[64];
void tell(long number) {
  for (int i = 3; i >= 0; i--, number >>= 4)
    buffer[i] = 'a' + (number & 15);
  buffer[4] = ' ';
  write(1, buffer, 5);
}
void same(int index, void *address) {
  if (!seen[index])
    seen[index] = address;
  write(1, seen[index] == address ? "=" : "#", 1);
}
int main(void) {
"##;

/// One source a unit.
pub fn sources(chance: &mut Chance, program: &Program) -> Vec<String> {
    (0..program.units.len()).map(|unit| source(chance, program, unit)).collect()
}

/// The compiler's options for a unit are in the first line of its source.
pub fn options(source: &str) -> impl Iterator<Item = &str> {
    let first = source.lines().next().unwrap_or_default();
    first.trim_start_matches("//").split(' ').filter(|word| !word.is_empty())
}

fn source(chance: &mut Chance, program: &Program, unit: usize) -> String {
    let module = program.units[unit];
    let mode = match (module, program.shape) {
        (Module::Library(_), _) => "-fPIC",
        (_, Shape::Pie) => chance.one_of(&["-fPIE", "-fPIC"]),
        _ => chance.one_of(&["-fno-pie", "-fno-pie", "-fPIE"]),
    };
    let mut text = format!("// {mode} {}", chance.one_of(&["-O1", "-O2", "-O0"]));
    for (percent, option) in
        [(20, "-fno-plt"), (30, "-ffunction-sections"), (15, "-fno-asynchronous-unwind-tables")]
    {
        if chance.happens(percent) {
            let _ = write!(text, " {option}");
        }
    }
    text += "\n";
    text += HEAD;
    for (index, symbol) in program.symbols.iter().enumerate() {
        match symbol.definitions.iter().find(|d| d.unit == unit) {
            Some(definition) => text += &define(chance, symbol, definition),
            None => text += &declare(chance, program, unit, index),
        }
    }
    if !matches!(module, Module::Library(_)) {
        let number = unit + 0x70;
        let _ = writeln!(
            text,
            "__attribute__((section(\"set\"), used)) static long member_{unit} = {number};"
        );
    }
    if chance.happens(30) {
        let priority = chance.one_of(&["", "(200)", "(101)"]);
        let number = 0x80 + unit;
        let _ = writeln!(
            text,
            "__attribute__((constructor{priority})) static void begin(void) {{ tell({number}); }}"
        );
    }
    text += &references(chance, program, unit);
    if unit == 0 {
        for other in 0..program.units.len() {
            let _ = writeln!(text, "void run_{other}(void);");
        }
        text += MAIN;
        for other in 0..program.units.len() {
            let _ = writeln!(text, "  run_{other}();");
        }
        text +=
            "  for (long *m = __start_set; m < __stop_set; m++)\n    tell(*m);\n  return 42;\n}\n";
    }
    text
}

fn define(chance: &mut Chance, symbol: &Symbol, definition: &Definition) -> String {
    let Symbol { name, kind, .. } = symbol;
    let Definition { number, is_weak, visibility, .. } = definition;
    let mut attributes = Vec::new();
    if *is_weak {
        attributes.push("weak".to_owned());
    }
    // A compiler takes a protected symbol to be local, so its address may differ from that in other
    // modules.
    if *visibility == ".hidden" {
        attributes.push("visibility(\"hidden\")".to_owned());
    }
    if *kind == Kind::Function {
        let attributes = [attributes, vec!["noinline".to_owned()]].concat().join(", ");
        return format!("__attribute__(({attributes})) int {name}(void) {{ return {number}; }}\n");
    }
    attributes.push(format!("aligned({})", chance.one_of(&[8, 8, 16, 64])));
    let value = format!(" = {number}");
    let (storage, value) = match kind {
        Kind::Common => {
            attributes.push("common".to_owned());
            ("", "")
        }
        Kind::Zero => ("", " = 0"),
        Kind::Thread => ("__thread ", value.as_str()),
        _ => ("", value.as_str()),
    };
    format!("__attribute__(({})) {storage}long {name}{value};\n", attributes.join(", "))
}

/// Declares a symbol that another unit may define.
fn declare(chance: &mut Chance, program: &Program, unit: usize, index: usize) -> String {
    let symbol = &program.symbols[index];
    let name = &symbol.name;
    let module = program.units[unit];
    let is_own = symbol.definitions.iter().any(|d| program.units[d.unit].joins(module));
    let is_program = !matches!(module, Module::Library(_));
    let mut attributes = Vec::new();
    if symbol.definitions.is_empty() {
        attributes.push("weak");
    }
    if symbol.kind == Kind::Thread {
        let general = ["tls_model(\"global-dynamic\")", "tls_model(\"initial-exec\")"];
        if is_program && is_own && chance.happens(40) {
            attributes.push("tls_model(\"local-exec\")");
        } else {
            attributes.push(chance.one_of(&general));
        }
    }
    let attributes = if attributes.is_empty() {
        String::new()
    } else {
        format!("__attribute__(({})) ", attributes.join(", "))
    };
    match symbol.kind {
        Kind::Function => format!("{attributes}int {name}(void);\n"),
        Kind::Thread => format!("{attributes}extern __thread long {name};\n"),
        _ => format!("{attributes}extern long {name};\n"),
    }
}

fn references(chance: &mut Chance, program: &Program, unit: usize) -> String {
    let module = program.units[unit];
    let (mut words, mut body) = (String::new(), format!("  tell({});\n", 0xf0 + unit));
    for round in 0..2 {
        for (index, symbol) in program.symbols.iter().enumerate() {
            let is_defined = !symbol.definitions.is_empty();
            if chance.happens(35) || is_defined && !symbol.is_seen_by(module, &program.units) {
                continue;
            }
            let name = &symbol.name;
            if !is_defined {
                // Nobody defines it: the address is zero. A thread-local one has none.
                if symbol.kind != Kind::Thread {
                    let _ = writeln!(body, "  tell((long)&{name});");
                }
                continue;
            }
            let read = if symbol.kind == Kind::Function {
                if chance.happens(40) {
                    let _ = writeln!(body, "  tell({name}());");
                    continue;
                }
                "((int (*)(void))p)()".to_owned()
            } else {
                "*(long *)p".to_owned()
            };
            let address = match (symbol.kind, chance.below(4)) {
                (Kind::Thread, _) | (_, 0 | 1) => format!("(char *)&{name}"),
                (_, 2) => {
                    let _ = writeln!(words, "static void *w{round}_{index} = (void *)&{name};");
                    format!("*(char *volatile *)&w{round}_{index}")
                }
                _ => {
                    let _ = writeln!(
                        words,
                        "static char *const w{round}_{index} = (char *)&{name} + 8;"
                    );
                    format!("*(char *const volatile *)&w{round}_{index} - 8")
                }
            };
            let _ = writeln!(body, "  {{ char *p = {address}; tell({read}); same({index}, p); }}");
        }
    }
    format!("{words}void run_{unit}(void) {{\n{body}}}\n")
}
