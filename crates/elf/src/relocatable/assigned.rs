//! Symbols that are not in an object: `--defsym`, assignments of scripts, and names of `-u` and
//! `-e`; also the assertions of scripts.

use super::entries::SymbolEntry;
use super::laid_out::LaidOut;
use super::symbols::{Owners, SymbolInput};
use crate::args::assignments::Assignment;
use crate::format::elf::Sym;
use crate::format::encoding::Encoding;
use crate::layout::address_segments;
use crate::resolve::definitions::Strength;
use crate::resolve::linker_symbols;
use crate::resolve::linker_symbols::expressions::{Expression, Expressions};
use crate::resolve::names::references::ref_flags;
use crate::resolve::referent::ValueBase;
use object::elf::*;
use skald_core::names::NameId;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use skald_linking::expr::{Constant, Environment, SectionAddress, Value};

/// A symbol that `--defsym` or an assignment of a script defines, or that the command line leaves
/// undefined.
#[derive(Debug, Clone, Copy)]
pub struct AssignedSymbol {
    /// The name that is assigned.
    pub name: NameId,
    /// The bytes of `name`.
    pub text: &'static [u8],
    /// The symbol table entry, without `st_name`.
    pub sym: Sym,
    /// Section header index in the output; 0 if `st_shndx` holds as it is.
    pub shndx: u32,
}

impl AssignedSymbol {
    /// The entry for the symbol table.
    pub fn entry(&self) -> SymbolEntry {
        SymbolEntry { sym: self.sym, header: self.shndx }
    }
}

/// The symbols of all assignments; assignments without a value are reported and left out.
pub fn evaluate(input: &SymbolInput<'_>) -> Vec<AssignedSymbol> {
    match input.laid_out {
        Some(laid_out) => of_layout(input, laid_out),
        None => of_sections(input),
    }
}

/// The symbols whose values the walk through a script's layout has computed; if a name is assigned
/// several times, the last counts.
fn of_layout(input: &SymbolInput<'_>, laid_out: &LaidOut) -> Vec<AssignedSymbol> {
    let names = &input.entries.extraction.names;
    let mut symbols = Vec::new();
    let (mut seen, kinds) = (UnorderedSet::new(), kinds(input));
    for (assignment, value) in input.assigned.iter().zip(&laid_out.values).rev() {
        let &Some((value, head)) = value else { continue };
        let Some(name) = names.find_text(&assignment.name) else { continue };
        if seen.insert(name) {
            let id = head.map(|head| input.entries.joined.of_script[head]);
            let header = id.map(|out| input.entries.joined.outputs.header_index_of_id(out));
            symbols.push(assigned_symbol(input, &kinds, name, assignment, value, header));
        }
    }
    symbols.reverse();
    symbols
}

/// The symbol that `assignment` gives this value, in the section of a header, or absolute.
fn assigned_symbol(
    input: &SymbolInput<'_>,
    kinds: &Kinds,
    name: NameId,
    assignment: &Assignment,
    value: u64,
    header: Option<u32>,
) -> AssignedSymbol {
    let mut sym = Sym::with_info(STB_GLOBAL, STT_NOTYPE);
    let stated = input.entries.extraction.refs.get(name).flags();
    let hidden = if assignment.hidden { ref_flags::HIDDEN } else { 0 };
    sym.set_st_other(ref_flags::visibility(stated | hidden));
    sym.set_st_info(STB_GLOBAL << 4 | kinds.get(&name).copied().unwrap_or(STT_NOTYPE));
    sym.set_st_value(value);
    sym.set_st_shndx(SHN_ABS);
    let text = input.entries.extraction.pools.name(&input.entries.extraction.names, name);
    AssignedSymbol { name, text, sym, shndx: header.unwrap_or(0) }
}

/// Evaluates all assignments in terms of offsets in sections, because there are no addresses.
fn of_sections(input: &SymbolInput<'_>) -> Vec<AssignedSymbol> {
    let id = |text: &[u8]| input.entries.extraction.names.find_text(text);
    let provided = linker_symbols::provided(
        input.entries.definitions,
        input.entries.extraction,
        input.assigned,
    );
    let all = input.assigned.iter().zip(provided);
    let effective: Vec<(NameId, &Assignment)> = all
        .filter(|(assignment, is_provided)| !assignment.provide || *is_provided)
        .filter_map(|(assignment, _)| Some((id(&assignment.name)?, assignment)))
        .collect();
    let given = effective.iter().map(|&(name, assignment)| (name, assignment.expr.clone()));
    let names = &input.entries.extraction.names;
    let expressions = Expressions::new(given.collect(), names);
    let mut done: Vec<Option<Value>> = vec![None; expressions.len()];
    let mut known: UnorderedMap<NameId, Value> = UnorderedMap::new();
    let (mut symbols, kinds): (Vec<AssignedSymbol>, Kinds) = (Vec::new(), kinds(input));
    for expression in expressions.iter() {
        let Expression { at, name, expr, .. } = expression;
        let sections = Sections { input, known: &known };
        let value = match expr.eval(&Assigning { sections, expression, done: &done }) {
            Ok(value) => value,
            Err(error) => {
                let circle = expr.symbols().find(|text| expression.is_open(text, names, &done));
                let error = circle.map_or(error, |text| expr.depends_on_itself(text));
                (input.bad_expression)(expr, &error);
                continue;
            }
        };
        done[at] = Some(value);
        if !expression.is_last {
            continue;
        }
        known.insert(name, value);
        let (address, section) = (value.address, value.section);
        symbols.push(assigned_symbol(input, &kinds, name, effective[at].1, address, section));
    }
    for (at, assertion) in (0..).zip(input.assertions) {
        match assertion.expr.eval(&Sections { input, known: &known }) {
            Ok(value) => {
                assertion.check(at, &value, input.entries.options.noinhibit_exec, input.diag)
            }
            Err(error) => (input.bad_expression)(assertion.expr, &error),
        }
    }
    symbols
}

/// Types (`STT_*`) of assigned symbols: that of the symbol from which a symbol is computed, if it
/// is a single one.
type Kinds = UnorderedMap<NameId, u8>;

fn kinds(input: &SymbolInput<'_>) -> Kinds {
    let find = |text: &[u8]| input.entries.extraction.names.find_text(text);
    let is_assigned = |text: &[u8]| input.assigned.iter().any(|other| other.name == text);
    let exists = |text: &[u8]| {
        let of_object =
            |name: NameId| input.entries.definitions.ranks[name].strength() <= Strength::Weak;
        find(text).is_some_and(of_object) || is_assigned(text)
    };
    let mut kinds = Kinds::new();
    // An alias may come before its target.
    for _ in 0..linker_symbols::LONGEST_ALIAS {
        let mut has_changed = false;
        for assignment in input.assigned {
            let Some(name) = find(&assignment.name) else { continue };
            let mut own = assignment.expr.sources(&exists).into_iter().map(|text| {
                let of = find(text).filter(|&of| of != name)?;
                Some(kinds.get(&of).copied().unwrap_or_else(|| kind_of(input, of)))
            });
            let first = own.next().flatten();
            if let Some(kind) = first.filter(|_| own.all(|other| other == first)) {
                has_changed |= kinds.insert(name, kind) != Some(kind);
            }
        }
        if !has_changed {
            break;
        }
    }
    kinds
}

fn kind_of(input: &SymbolInput<'_>, name: NameId) -> u8 {
    let rank = input.entries.definitions.ranks[name];
    if rank.strength() > Strength::Weak {
        return STT_NOTYPE;
    }
    input.entries.objects[rank.object()].mapped.symbols[rank.symbol()].kind()
}

/// Names that `-u`, `--entry` and the like mention and no object does, which become undefined
/// symbols of the output.
pub fn undefined_roots(input: &SymbolInput<'_>, owners: &Owners) -> Vec<AssignedSymbol> {
    let mut symbols: Vec<AssignedSymbol> = Vec::new();
    let mut seen = UnorderedSet::new();
    for &name in &input.entries.extraction.own_names.ids {
        let is_root = input.entries.extraction.refs.get(name).flags() & ref_flags::ROOT != 0;
        let is_defined = input.entries.definitions.ranks[name].strength() <= Strength::Weak;
        if !is_root || is_defined || owners.has_owner(name) || !seen.insert(name) {
            continue;
        }
        let sym = Sym::with_info(STB_GLOBAL, STT_NOTYPE);
        let text = input.entries.extraction.pools.name(&input.entries.extraction.names, name);
        symbols.push(AssignedSymbol { name, text, sym, shndx: 0 });
    }
    symbols
}

/// The values of `ADDR` and `SIZEOF` without addresses: offsets in sections.
struct Sections<'a> {
    input: &'a SymbolInput<'a>,
    known: &'a UnorderedMap<NameId, Value>,
}

impl Environment for Sections<'_> {
    fn symbol(&self, name: &[u8]) -> Option<Value> {
        let input = self.input;
        let name = input.entries.extraction.names.find_text(name)?;
        if let Some(&value) = self.known.get(&name) {
            return Some(value);
        }
        let rank = input.entries.definitions.ranks[name];
        if rank.strength() > Strength::Weak {
            return None;
        }
        let symbol = &input.entries.objects[rank.object()].mapped.symbols[rank.symbol()];
        let value_base = input.entries.definitions.globals[name].value_base;
        if value_base == ValueBase::ABSOLUTE {
            return Some(Value::absolute(symbol.st_value()));
        }
        let (header, address) = input.entries.place(value_base.section()?, symbol.st_value())?;
        Some(Value { address, section: Some(header) })
    }

    fn section(&self, name: &[u8]) -> Option<SectionAddress> {
        let outputs = &self.input.entries.joined.outputs;
        let position = outputs.sections.iter().position(|section| section.name == name)?;
        let section = &outputs.sections[position];
        Some(SectionAddress {
            section: outputs.header_index(position),
            address: 0,
            load_address: 0,
            size: section.size,
            alignment: section.align,
        })
    }

    fn segment_start(&self, _segment: &[u8]) -> Option<u64> {
        None
    }

    fn constant(&self, constant: Constant) -> u64 {
        let page = self.input.entries.options.max_page_size();
        match constant {
            Constant::MaxPageSize => page,
            Constant::CommonPageSize => page.min(self.input.entries.options.common_page_size()),
        }
    }

    fn sizeof_headers(&self) -> u64 {
        address_segments::header_size(Encoding::of(self.input.entries.options.machine), 0)
    }

    fn dot(&self) -> Option<Value> {
        None
    }
}

/// The values of names in an assignment while it is evaluated.
struct Assigning<'a> {
    sections: Sections<'a>,
    expression: Expression<'a>,
    /// Values of assignments that are evaluated already, `None` for the others.
    done: &'a [Option<Value>],
}

impl Environment for Assigning<'_> {
    fn symbol(&self, name: &[u8]) -> Option<Value> {
        let names = &self.sections.input.entries.extraction.names;
        match self.expression.reference(name, names).assigned {
            Some(at) => self.done[at],
            None => self.sections.symbol(name),
        }
    }

    fn section(&self, name: &[u8]) -> Option<SectionAddress> {
        self.sections.section(name)
    }

    fn segment_start(&self, segment: &[u8]) -> Option<u64> {
        self.sections.segment_start(segment)
    }

    fn constant(&self, constant: Constant) -> u64 {
        self.sections.constant(constant)
    }

    fn sizeof_headers(&self) -> u64 {
        self.sections.sizeof_headers()
    }

    fn dot(&self) -> Option<Value> {
        None
    }
}
