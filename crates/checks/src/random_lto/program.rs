//! What a program is made of.

use crate::random::Chance;

/// What a unit is compiled to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Intermediate code alone.
    Slim,
    /// Intermediate code and code.
    Fat,
    /// Code alone.
    Code,
}

/// Where a unit is linked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    Program,
    Archive,
    Library,
    /// Joined with others by `-r` before the program is linked.
    Joined,
}

/// A source.
#[derive(Debug, Clone, Copy)]
pub struct Unit {
    pub home: Home,
    pub form: Form,
    /// C++; C otherwise, which has common variables.
    pub is_cpp: bool,
}

/// What a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Function,
    Data,
    Thread,
    /// Defined in C without a value, by several.
    Common,
    /// A function that nobody may define; its address is tested.
    Maybe,
}

/// A definition of a symbol.
#[derive(Debug, Clone, Copy)]
pub struct Definition {
    pub unit: usize,
    pub is_weak: bool,
    /// With the attribute `visibility`, unless it is empty.
    pub visibility: &'static str,
}

/// A symbol, who defines it and who uses it.
#[derive(Debug, Clone)]
pub struct Symbol {
    pub name: String,
    pub kind: Kind,
    pub definitions: Vec<Definition>,
    pub users: Vec<usize>,
}

/// GNU ld tells plugins nothing of it, and forgets it for what they compile: as long as there is no
/// library, the program does the same.
const EXCLUDE_LIBS: &str = "-Wl,--exclude-libs,ALL";

/// A program.
#[derive(Debug, Clone)]
pub struct Program {
    pub units: Vec<Unit>,
    pub symbols: Vec<Symbol>,
    /// What the driver gets besides.
    pub options: Vec<String>,
}

impl Program {
    /// A program by chance.
    pub fn new(chance: &mut Chance) -> Program {
        let mut units: Vec<Unit> = (0..2 + chance.below(4)).map(|_| unit(chance)).collect();
        units[0].home = Home::Program;
        let is_static = chance.happens(15);
        if is_static {
            units
                .iter_mut()
                .filter(|u| u.home == Home::Library)
                .for_each(|u| u.home = Home::Archive);
        }
        let symbols: Vec<Symbol> =
            (0..4 + chance.below(8)).map(|number| symbol(chance, number, &units)).collect();
        let mut options = vec![format!("-O{}", chance.below(3))];
        if is_static {
            options.push("-static".to_owned());
        }
        // A library's name has no address yet in an expression.
        let is_in_program = |d: &Definition| units[d.unit].home != Home::Library;
        let function = symbols.iter().find(|symbol| {
            symbol.kind == Kind::Function
                && symbol.definitions[0].visibility.is_empty()
                && symbol.definitions.iter().all(is_in_program)
        });
        let name = function.map_or("main", |symbol| &symbol.name);
        let more = [
            "-rdynamic".to_owned(),
            "-Wl,--gc-sections".to_owned(),
            "-Wl,-Bsymbolic".to_owned(),
            "-Wl,--as-needed".to_owned(),
            EXCLUDE_LIBS.to_owned(),
            format!("-Wl,-u,{name}"),
            format!("-Wl,--defsym=also={name}"),
            // Nothing is exported from a static program; GNU ld tells plugins otherwise.
            match is_static {
                true => "-Wl,--no-gc-sections".to_owned(),
                false => format!("-Wl,--export-dynamic-symbol={name}"),
            },
            "-flto-partition=none".to_owned(),
            "-flto-partition=1to1".to_owned(),
        ];
        options.extend(more.into_iter().filter(|_| chance.happens(12)));
        if units.iter().any(|unit| unit.home == Home::Library) {
            options.retain(|option| option != EXCLUDE_LIBS);
        }
        Program { units, symbols, options }
    }

    /// Whether GNU ld tells the plugin what it shall be told.
    pub fn is_told_alike(&self) -> bool {
        !self.options.iter().any(|option| option == EXCLUDE_LIBS)
    }

    /// Whether the program has all of the C library in itself.
    pub fn is_static(&self) -> bool {
        self.options.iter().any(|option| option == "-static")
    }

    /// Units of a home.
    pub fn units_of(&self, home: Home) -> impl Iterator<Item = usize> {
        self.units.iter().enumerate().filter(move |(_, u)| u.home == home).map(|(at, _)| at)
    }
}

fn unit(chance: &mut Chance) -> Unit {
    use Home::{Archive, Joined, Library, Program};
    Unit {
        home: chance.one_of(&[Program, Program, Program, Archive, Archive, Library, Joined]),
        form: chance.one_of(&[Form::Slim, Form::Slim, Form::Fat, Form::Code]),
        is_cpp: chance.happens(60),
    }
}

fn is_joined_code(unit: &Unit) -> bool {
    unit.home == Home::Joined && unit.form == Form::Code
}

fn symbol(chance: &mut Chance, number: usize, units: &[Unit]) -> Symbol {
    use Kind::{Common, Data, Function, Maybe, Thread};
    let kind =
        chance.one_of(&[Function, Function, Function, Function, Data, Thread, Common, Maybe]);
    let any = |chance: &mut Chance| chance.below(units.len());
    let mut owners = vec![any(chance)];
    if chance.happens(45) {
        owners.push(any(chance));
    }
    owners.dedup();
    if kind == Common {
        owners.retain(|&unit| !units[unit].is_cpp);
    }
    if kind == Maybe && chance.happens(60) {
        owners.clear();
    }
    let is_first_weak = chance.happens(25);
    let is_hidden = chance.happens(20);
    let is_shared = |unit: &usize| units[*unit].home == Home::Library;
    let is_of_one_output = !units.iter().any(|unit| unit.home == Home::Library);
    let definitions = owners.iter().enumerate().map(|(at, &unit)| Definition {
        unit,
        is_weak: at > 0 && !is_shared(&unit) || is_first_weak,
        visibility: match is_hidden && is_of_one_output {
            true => chance.one_of(&["hidden", "protected"]),
            false => "",
        },
    });
    let definitions: Vec<Definition> = definitions.collect();
    let users = (0..units.len()).filter(|_| chance.happens(50)).collect();
    // Nobody defines it: nobody may use it, but for one that may be missing.
    let mut users = if definitions.is_empty() && kind != Maybe { Vec::new() } else { users };
    // With `-r`, GNU ld looks at no relocation: that code refers to the symbol whose weak
    // definition it has itself is not seen, and the definition that prevails is "IRONLY".
    let has_lost = |unit: usize| definitions.iter().skip(1).any(|d| d.unit == unit && d.is_weak);
    users.retain(|&at| !(is_joined_code(&units[at]) && has_lost(at)));
    Symbol { name: format!("s{number}"), kind, definitions, users }
}
