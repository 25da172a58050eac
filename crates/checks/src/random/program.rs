//! What a program is made of: units in a program, in libraries and in an archive, symbols that they
//! define, and the options of the link.

use super::{Chance, c_units, units};

/// How the program is linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `-pie`.
    Pie,
    /// `-no-pie`.
    Fixed,
    /// `-static`.
    Static,
}

/// The output or archive that a unit is linked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Module {
    /// The program itself.
    Program,
    /// An archive that the program takes members of.
    Archive,
    /// A shared library, by number.
    Library(usize),
}

impl Module {
    /// Whether definitions of the two compete within one output.
    pub fn joins(self, other: Module) -> bool {
        let output = |module| if module == Module::Archive { Module::Program } else { module };
        output(self) == output(other)
    }
}

/// What a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Returns its number.
    Function,
    /// Holds its number.
    Data,
    /// The symbol's value is zero.
    Zero,
    /// A common variable.
    Common,
    /// Thread-local, holds its number.
    Thread,
}

/// A definition of a symbol.
#[derive(Debug, Clone)]
pub struct Definition {
    /// The unit that defines the symbol.
    pub unit: usize,
    /// A number that distinguishes it from other definitions.
    pub number: usize,
    /// The symbol is weak.
    pub is_weak: bool,
    /// `.protected` or `.hidden`, or nothing.
    pub visibility: &'static str,
}

/// A symbol and its definitions. There are none if the program works without it.
#[derive(Debug, Clone)]
pub struct Symbol {
    /// Name of the symbol.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Who defines it.
    pub definitions: Vec<Definition>,
}

impl Symbol {
    /// Whether code of `module` finds a definition.
    pub fn is_seen_by(&self, module: Module, units: &[Module]) -> bool {
        let seen = |d: &Definition| d.visibility != ".hidden" || units[d.unit].joins(module);
        self.definitions.iter().any(seen)
    }

    /// Whether code may hold the address as a constant: all definitions have default visibility.
    pub fn is_plain(&self) -> bool {
        !self.definitions.is_empty() && self.definitions.iter().all(|d| d.visibility.is_empty())
    }
}

/// What the units are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Assembler code of x86-64.
    Assembler,
    /// C, for any machine.
    C,
}

/// A program made by chance.
pub struct Program {
    /// What its sources are written in.
    pub language: Language,
    /// How it is linked.
    pub shape: Shape,
    /// Where each unit goes; the first is that of `main`.
    pub units: Vec<Module>,
    /// The symbols of the program.
    pub symbols: Vec<Symbol>,
    /// Options of the last link.
    pub options: Vec<&'static str>,
    /// Options of each library.
    pub library_options: [Vec<&'static str>; 2],
    /// The program's own units are joined with `-r` first.
    pub is_joined_first: bool,
    sources: Vec<String>,
}

impl Program {
    /// The program that `chance` makes.
    pub fn new(chance: &mut Chance, language: Language) -> Program {
        let shape =
            chance.one_of(&[Shape::Pie, Shape::Pie, Shape::Fixed, Shape::Fixed, Shape::Static]);
        let mut program = Program {
            language,
            shape,
            units: modules(chance, shape),
            symbols: Vec::new(),
            options: program_options(chance),
            library_options: [library_options(chance), library_options(chance)],
            is_joined_first: chance.happens(25),
            sources: Vec::new(),
        };
        for at in 0..chance.below(5) + 2 {
            let symbol = symbol(chance, &program.units, at);
            program.symbols.push(symbol);
        }
        program.sources = match language {
            Language::Assembler => units::sources(chance, &program),
            Language::C => c_units::sources(chance, &program),
        };
        program
    }

    /// Source of each unit.
    pub fn sources(&self) -> &[String] {
        &self.sources
    }

    /// The units of `module`.
    pub fn units_of(&self, module: Module) -> impl Iterator<Item = usize> {
        (0..self.units.len()).filter(move |&unit| self.units[unit] == module)
    }
}

fn modules(chance: &mut Chance, shape: Shape) -> Vec<Module> {
    let mut units = vec![Module::Program];
    let others: &[Module] = match shape {
        Shape::Static => &[Module::Program, Module::Archive],
        _ => &[
            Module::Program,
            Module::Archive,
            Module::Library(0),
            Module::Library(0),
            Module::Library(1),
        ],
    };
    for _ in 0..chance.below(4) + 1 {
        units.push(chance.one_of(others));
    }
    units
}

fn symbol(chance: &mut Chance, units: &[Module], at: usize) -> Symbol {
    let kinds =
        [Kind::Function, Kind::Function, Kind::Data, Kind::Zero, Kind::Common, Kind::Thread];
    let kind = chance.one_of(&kinds);
    let mut symbol = Symbol { name: format!("s{at}"), kind, definitions: Vec::new() };
    for _ in 0..chance.one_of(&[0, 1, 1, 1, 2, 2, 3]) {
        let unit = chance.below(units.len());
        let competes = |d: &Definition| units[d.unit].joins(units[unit]);
        if symbol.definitions.iter().any(|d| d.unit == unit) {
            continue;
        }
        let is_other = symbol.definitions.iter().any(competes);
        let visibility = match kind {
            Kind::Common => "",
            _ => chance.one_of(&["", "", "", "", "", ".protected", ".hidden"]),
        };
        symbol.definitions.push(Definition {
            unit,
            number: at * 10 + symbol.definitions.len() + 1,
            is_weak: kind != Kind::Common && (is_other || chance.happens(20)),
            visibility,
        });
    }
    symbol
}

fn program_options(chance: &mut Chance) -> Vec<&'static str> {
    let choices: [(usize, &[&str]); 12] = [
        (35, &["--gc-sections"]),
        (40, &["-z,now", "-z,lazy"]),
        (25, &["--hash-style=gnu", "--hash-style=sysv", "--hash-style=both"]),
        (20, &["-z,pack-relative-relocs"]),
        (15, &["--export-dynamic"]),
        (10, &["-z,norelro"]),
        (10, &["--no-relax"]),
        (10, &["-z,noseparate-code", "-z,separate-code"]),
        (10, &["-z,nocombreloc"]),
        (10, &["-O2"]),
        (10, &["-s", "-S", "-x"]),
        (30, &["--as-needed"]),
    ];
    chosen(chance, &choices)
}

fn library_options(chance: &mut Chance) -> Vec<&'static str> {
    let choices: [(usize, &[&str]); 4] = [
        (20, &["-Bsymbolic-functions", "--dynamic-list-data"]),
        (20, &["-z,now", "-z,pack-relative-relocs"]),
        (15, &["--hash-style=gnu", "--hash-style=sysv"]),
        (15, &["--gc-sections"]),
    ];
    chosen(chance, &choices)
}

fn chosen(chance: &mut Chance, choices: &[(usize, &[&'static str])]) -> Vec<&'static str> {
    let mut options = Vec::new();
    for (percent, words) in choices {
        if chance.happens(*percent) {
            options.push(chance.one_of(words));
        }
    }
    options
}
