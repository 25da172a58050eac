//! The parts of a random program: units, symbols and options.

use crate::random::Chance;

/// What a unit is compiled to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Intermediate code alone.
    Slim,
    /// Intermediate code and machine code.
    Fat,
    /// Machine code alone.
    Code,
}

/// The output or archive that a unit is linked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Module {
    Program,
    Archive,
    Library,
    /// Joined with others by `-r` before the program is linked.
    Joined,
}

/// A source.
#[derive(Debug, Clone, Copy)]
pub struct Unit {
    pub module: Module,
    pub form: Form,
    /// C++; C otherwise, which has common variables.
    pub is_cpp: bool,
    /// It adds entries to a set that the linker bounds with `__start_` and `__stop_`.
    pub has_entry: bool,
    /// It defines a variable in assembly, which its intermediate code does not list.
    pub has_assembly: bool,
    /// It has a function that runs before `main`.
    pub has_constructor: bool,
}

/// What a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Function,
    Data,
    Thread,
    /// A common variable in C, defined by several units.
    Common,
    /// A function that may have no definition; its address is tested.
    Maybe,
    /// A function that is an alias of a local one.
    Alias,
    /// An IFUNC: a function that a resolver picks.
    Picked,
}

/// A definition of a symbol.
#[derive(Debug, Clone, Copy)]
pub struct Definition {
    pub unit: usize,
    pub is_weak: bool,
    /// The attribute `visibility`, or empty for none.
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

/// GNU ld does not report this option to plugins, and ignores it for code that they compile.
/// Without a library the program behaves the same.
const EXCLUDE_LIBS: &str = "-Wl,--exclude-libs,ALL";

/// The library's symbols have versions.
const VERSIONS: &str = "-Wl,--version-script=some.map";

/// A program made by chance.
#[derive(Debug, Clone)]
pub struct Program {
    /// Clang and LLVM's plugin; GCC otherwise.
    pub is_clang: bool,
    pub units: Vec<Unit>,
    pub symbols: Vec<Symbol>,
    /// Further options of the compiler driver.
    pub options: Vec<String>,
    /// Further options of the driver for the library.
    pub library_options: Vec<String>,
    /// The name that `--wrap` wraps, or nothing.
    pub wrapped: String,
    /// Joined units stay intermediate code if they consist of nothing else.
    pub is_joined_as_is: bool,
    /// The archive is thin: its members are separate files.
    pub has_thin_archive: bool,
}

impl Program {
    /// A program by chance.
    pub fn new(chance: &mut Chance) -> Program {
        let is_clang = chance.happens(30);
        let mut units: Vec<Unit> =
            (0..2 + chance.below(4)).map(|_| unit(chance, is_clang)).collect();
        units[0].module = Module::Program;
        let is_static = chance.happens(15);
        if is_static {
            units
                .iter_mut()
                .filter(|u| u.module == Module::Library)
                .for_each(|u| u.module = Module::Archive);
        }
        let symbols: Vec<Symbol> =
            (0..4 + chance.below(8)).map(|number| symbol(chance, number, &units)).collect();
        let mut options = vec![format!("-O{}", chance.below(3))];
        if is_static {
            options.push("-static".to_owned());
        }
        options.extend(more_options(chance, &units, &symbols, is_static));
        let mut wrapped = String::new();
        if chance.happens(10) {
            // Unit 0 has the other function, and calls by their names what it defines.
            let function = symbols
                .iter()
                .find(|s| s.kind == Kind::Function && s.definitions.iter().all(|d| d.unit != 0));
            wrapped = function.map(|symbol| symbol.name.clone()).unwrap_or_default();
        }
        if !wrapped.is_empty() {
            options.push(format!("-Wl,--wrap={wrapped}"));
        }
        let scripts = ["", "", "-Wl,--version-script=all.map", VERSIONS];
        let script = chance.one_of(&scripts);
        let library_options = (!script.is_empty()).then(|| script.to_owned());
        let library_options = library_options.into_iter().collect();
        let has_thin_archive = chance.happens(25);
        let is_joined_as_is = chance.happens(50);
        Program {
            is_clang,
            units,
            symbols,
            options,
            library_options,
            wrapped,
            is_joined_as_is,
            has_thin_archive,
        }
    }

    /// Whether GNU ld gives the plugin correct resolutions; it does not report `--wrap` to LLVM's
    /// plugin.
    pub fn is_told_alike(&self) -> bool {
        let is_wrapped = self.is_clang && !self.wrapped.is_empty();
        !is_wrapped && !self.options.iter().any(|option| option == EXCLUDE_LIBS)
    }

    /// Whether the library's symbols have versions.
    pub fn has_versions(&self) -> bool {
        self.library_options.iter().any(|option| option == VERSIONS)
    }

    /// Whether the C library is linked in statically.
    pub fn is_static(&self) -> bool {
        self.options.iter().any(|option| option == "-static")
    }

    /// The units of `module`.
    pub fn units_of(&self, module: Module) -> impl Iterator<Item = usize> {
        self.units.iter().enumerate().filter(move |(_, u)| u.module == module).map(|(at, _)| at)
    }
}

fn more_options(
    chance: &mut Chance,
    units: &[Unit],
    symbols: &[Symbol],
    is_static: bool,
) -> Vec<String> {
    // In an expression a library's symbol has no address yet.
    let is_in_program = |d: &Definition| units[d.unit].module != Module::Library;
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
        if is_static {
            "-Wl,--no-gc-sections".to_owned()
        } else {
            format!("-Wl,--export-dynamic-symbol={name}")
        },
        if is_static {
            "-Wl,--as-needed".to_owned()
        } else {
            "-Wl,--dynamic-list=some.list".to_owned()
        },
        if is_static {
            "-Wl,-z,now".to_owned()
        } else {
            "-Wl,--export-dynamic-symbol-list=some.list".to_owned()
        },
        "-Wl,--whole-archive".to_owned(),
        "-Wl,--emit-relocs".to_owned(),
        "-Wl,-Bsymbolic-functions".to_owned(),
        // There, GNU ld uses the PLT entry as the function, even if nothing takes its address. An
        // undefined symbol is null for all code, if it is null for code that has to be linked so.
        if symbols.iter().any(|symbol| matches!(symbol.kind, Kind::Picked | Kind::Maybe)) {
            "-pie".to_owned()
        } else {
            "-no-pie".to_owned()
        },
        "-flto-partition=none".to_owned(),
        "-flto-partition=1to1".to_owned(),
    ];
    let has_library = units.iter().any(|unit| unit.module == Module::Library);
    let chosen = more.into_iter().filter(|_| chance.happens(12));
    chosen.filter(|option| !(has_library && option == EXCLUDE_LIBS)).collect()
}

fn unit(chance: &mut Chance, is_clang: bool) -> Unit {
    use Module::{Archive, Joined, Library, Program};
    let modules = [Program, Program, Program, Archive, Archive, Library, Joined];
    let forms = [Form::Slim, Form::Slim, Form::Fat, Form::Code];
    Unit {
        // LLVM's plugin makes no relocatable files, and knows no objects that hold its code.
        module: chance.one_of(if is_clang { &modules[..6] } else { &modules }),
        form: match chance.one_of(&forms) {
            Form::Fat if is_clang => Form::Slim,
            form => form,
        },
        is_cpp: chance.happens(60),
        has_entry: chance.happens(20),
        has_assembly: chance.happens(10),
        has_constructor: chance.happens(15),
    }
}

fn is_joined_code(unit: &Unit) -> bool {
    unit.module == Module::Joined && unit.form == Form::Code
}

fn symbol(chance: &mut Chance, number: usize, units: &[Unit]) -> Symbol {
    use Kind::{Alias, Common, Data, Function, Maybe, Picked, Thread};
    let kinds = [Function, Function, Function, Data, Thread, Common, Maybe, Alias, Picked];
    let kind = chance.one_of(&kinds);
    let any = |chance: &mut Chance| chance.below(units.len());
    let mut owners = vec![any(chance)];
    if chance.happens(45) {
        owners.push(any(chance));
    }
    owners.dedup();
    if kind == Picked {
        // Such a definition cannot be weak, and several are an error.
        owners.truncate(1);
    }
    if kind == Common {
        owners.retain(|&unit| !units[unit].is_cpp);
    }
    if kind == Maybe && chance.happens(60) {
        owners.clear();
    }
    let is_first_weak = chance.happens(25);
    let is_hidden = chance.happens(20);
    let is_shared = |unit: &usize| units[*unit].module == Module::Library;
    let is_of_one_output = !units.iter().any(|unit| unit.module == Module::Library);
    let definitions = owners.iter().enumerate().map(|(at, &unit)| Definition {
        unit,
        is_weak: at > 0 && !is_shared(&unit) || is_first_weak,
        visibility: if is_hidden && is_of_one_output {
            chance.one_of(&["hidden", "protected"])
        } else {
            ""
        },
    });
    let definitions: Vec<Definition> = definitions.collect();
    let users = (0..units.len()).filter(|_| chance.happens(50)).collect();
    // An undefined symbol must not be used, unless it is one that may be missing.
    let mut users = if definitions.is_empty() && kind != Maybe { Vec::new() } else { users };
    // With `-r`, GNU ld does not look at relocations. So it misses that machine code refers to a
    // symbol of which it has a weak definition itself, and the definition that prevails is
    // "IRONLY".
    let has_lost = |unit: usize| {
        definitions.len() > 1 && definitions.iter().any(|d| d.unit == unit && d.is_weak)
    };
    users.retain(|&at| !(is_joined_code(&units[at]) && has_lost(at)));
    Symbol { name: format!("s{number}"), kind, definitions, users }
}
