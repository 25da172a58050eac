//! Values of the symbols that the linker defines: addresses that they mark, and values of
//! expressions.

use super::image::Bases;
use super::listed_got;
use super::values;
use crate::args::SegmentStarts;
use crate::layout::{OutputSection, OutputSections, Segment, Synthetic};
use crate::resolve::definitions::{Definitions, attr};
use crate::resolve::extract::Extraction;
use crate::resolve::linker_symbols::expressions::Expression;
use crate::resolve::linker_symbols::{ClaimedSymbols, Mark};
use object::elf::*;
use skald_core::diag::Error;
use skald_core::names::NameId;
use skald_core::unordered::UnorderedMap;
use skald_linking::expr::{Constant, Environment, Expr, SectionAddress, Value};

/// The tables that values of the linker's own symbols are computed from.
pub struct MarkValues<'a> {
    /// Output sections, with their addresses.
    pub outputs: &'a OutputSections,
    /// Position of each output section, by name.
    pub positions: UnorderedMap<&'a [u8], usize>,
    /// Program headers, for the bounds of segments and for `LOADADDR`.
    pub segments: &'a [Segment],
    /// Values of the symbols of `--section-order`: see [`Mark::Listed`].
    pub listed: &'a [u64],
    /// Addresses of GOT, PLT and TLS block.
    pub bases: &'a Bases,
    /// `_TLS_MODULE_BASE_`: the base of offsets in local-dynamic accesses.
    pub tls_module_base: u64,
    /// Relocations at the end of `.rela.dyn` that the program applies itself: IRELATIVE ones, and
    /// those of signed pointers; 0 if the loader applies them.
    pub irelative_count: u64,
    /// Names, and the id of each spelling.
    pub extraction: &'a Extraction,
    /// The definition of each name.
    pub definitions: &'a Definitions,
    /// `-Ttext-segment` and the like, for `SEGMENT_START`.
    pub segment_starts: SegmentStarts<'a>,
    /// Bytes: `MAXPAGESIZE` of expressions, `-z max-page-size`.
    pub page: u64,
    /// Bytes: `COMMONPAGESIZE` of expressions, `-z common-page-size`.
    pub common_page: u64,
    /// `SIZEOF_HEADERS`.
    pub header_size: u64,
    /// The value of a name whose definition is an object's, a library's or already computed.
    pub value_of: &'a dyn Fn(NameId) -> u64,
}

impl MarkValues<'_> {
    /// Values of all names that the linker defines, except those that an expression gives.
    pub fn marks(&self, claimed: &ClaimedSymbols) -> Vec<(NameId, u64)> {
        claimed.symbols.iter().map(|s| (s.name, self.value(&s.mark))).collect()
    }

    /// Values of expressions, each after those that it refers to. `failed` is called with each that
    /// has none, and why.
    pub fn expressions(
        &self,
        claimed: &ClaimedSymbols,
        original: &dyn Fn(NameId) -> Option<(u64, bool)>,
        failed: impl Fn(&Expr, &Error),
    ) -> Vec<(NameId, u64)> {
        let (expressions, names) = (&claimed.expressions, &self.extraction.names);
        let mut done = vec![None; expressions.len()];
        let mut values = Vec::new();
        for expression in expressions.iter() {
            let Expression { at, name, expr, is_last, .. } = expression;
            let environment =
                Assigning { values: self, claimed, original, expression, done: &done };
            match expr.eval(&environment) {
                Ok(value) => {
                    done[at] = Some(value.address);
                    if is_last {
                        values.push((name, value.address));
                    }
                }
                Err(error) => {
                    let circle = expr.symbols().find(|text| expression.is_open(text, names, &done));
                    let error = circle.map_or(error, |text| expr.depends_on_itself(text));
                    failed(expr, &error);
                }
            }
        }
        values
    }

    /// The value of an expression that refers to symbols by their final values.
    pub fn evaluate(&self, expr: &Expr) -> Result<Value, Error> {
        expr.eval(self)
    }

    /// The value of a symbol with this mark.
    pub fn value(&self, mark: &Mark) -> u64 {
        let loads = || self.segments.iter().filter(|s| s.p_type == PT_LOAD);
        let image_start = || loads().map(|s| s.address).min().unwrap_or(0);
        // The last one in the file's order, which is not the highest where options place sections.
        // Sections that they place apart do not count, as in GNU ld.
        let ends = |wanted: &dyn Fn(&OutputSection) -> bool| {
            let sections = self.outputs.sections.iter();
            sections
                .filter(|s| s.sh_flags & u64::from(SHF_ALLOC) != 0 && !s.is_apart && wanted(s))
                .filter(|s| s.sh_flags & u64::from(SHF_TLS) == 0 || s.sh_type != SHT_NOBITS)
                .map(|s| s.address + s.size)
                .last()
        };
        match mark {
            Mark::Listed(at) => self.listed.get(*at).copied().unwrap_or(0),
            Mark::ImageStart => image_start(),
            Mark::Header => loads().find(|s| s.has_headers).map_or(0, |s| s.address),
            Mark::TextEnd => {
                ends(&|s| s.sh_flags & u64::from(SHF_EXECINSTR) != 0).unwrap_or_else(image_start)
            }
            Mark::DataEnd => ends(&|s| s.sh_type != SHT_NOBITS).unwrap_or_else(image_start),
            Mark::BssStart => self
                .outputs
                .named(b".bss")
                .map(|s| s.address)
                .or_else(|| ends(&|s| s.sh_type != SHT_NOBITS))
                .unwrap_or_else(image_start),
            Mark::End => ends(&|_| true).unwrap_or_else(image_start),
            Mark::SectionStart(name) => self.extent(name).map_or_else(image_start, |s| s.0),
            Mark::SectionEnd(name) => self.extent(name).map_or_else(image_start, |s| s.0 + s.1),
            Mark::PhysicalStart(name) => self.output(name).map_or(0, |s| self.physical(s.address)),
            Mark::PhysicalEnd(name) => {
                self.output(name).map_or(0, |s| self.physical(s.address).wrapping_add(s.size))
            }
            Mark::Got => self.bases.got_base,
            Mark::DataStart(name) => {
                self.extent(name).map_or_else(|| self.value(&Mark::DataEnd), |s| s.0)
            }
            Mark::GlobalPointer => self.global_pointer(),
            Mark::ListedPointer => {
                let got = self.outputs.machine.listed_got;
                got.map_or(0, |got| listed_got::pointer(got, self.outputs))
            }
            Mark::SmallBase(base) => self.outputs.small_base(base),
            Mark::Dynamic => self.outputs.address_of(Synthetic::Dynamic),
            Mark::EhFrameHdr => self.outputs.address_of(Synthetic::EhFrameHdr),
            Mark::TlsModuleBase => self.tls_module_base,
            Mark::IrelativeStart => self.irelative_end() - self.rela_size() * self.irelative_count,
            Mark::IrelativeEnd => self.irelative_end(),
            Mark::Expression | Mark::Version => 0,
        }
    }

    /// As in GNU ld's script: small data is in reach, and beyond it as much as possible of all
    /// other data.
    fn global_pointer(&self) -> u64 {
        let Some(small) = self.outputs.machine.small_data else { return 0 };
        let value = |mark: Mark| self.value(&mark);
        let end = value(Mark::End).next_multiple_of(self.outputs.machine.got_word);
        let of_data = value(Mark::DataStart(b".data")) + small.reach;
        let of_small = value(Mark::DataStart(b".sdata")) + small.reach;
        of_small.min(of_data.max(end.saturating_sub(small.reach)))
    }

    fn rela_size(&self) -> u64 {
        let machine = self.outputs.machine;
        machine.reloc_kind.entry_size(machine.class)
    }

    /// The id of a name that something defines.
    fn defined(&self, name: &[u8]) -> Option<NameId> {
        let names = &self.extraction.names;
        let id = names.find_text(name)?;
        self.definitions.globals[id].has(attr::DEFINED | attr::SHARED).then_some(id)
    }

    fn value_of_name(&self, id: NameId) -> Option<Value> {
        let global = self.definitions.globals[id];
        if !global.has(attr::DEFINED | attr::SHARED) {
            return None;
        }
        let address = (self.value_of)(id);
        // A library's symbol has an address in the output only with a copy relocation or a PLT
        // entry.
        if !global.has(attr::DEFINED) && !matches!(values::decode(address), values::Value::Plain(_))
        {
            return None;
        }
        Some(Value { address, section: (!global.has(attr::ABSOLUTE)).then_some(0) })
    }

    fn output(&self, name: &[u8]) -> Option<&OutputSection> {
        self.positions.get(&name).map(|&position| &self.outputs.sections[position])
    }

    /// Address and size of the output section with this name.
    fn extent(&self, name: &[u8]) -> Option<(u64, u64)> {
        self.positions.get(&name).map(|&position| self.outputs.extent(position))
    }

    /// The load address (LMA) of an address in memory (VMA).
    fn physical(&self, address: u64) -> u64 {
        let holds = |s: &&Segment| s.p_type == PT_LOAD && s.address <= address;
        let segment = self.segments.iter().filter(holds).max_by_key(|s| s.address);
        segment.map_or(address, |s| address - s.address + s.physical_address)
    }

    fn irelative_end(&self) -> u64 {
        self.outputs.synthetic(Synthetic::RelaDyn).map_or(0, |s| s.address + s.size)
    }
}

impl Environment for MarkValues<'_> {
    fn symbol(&self, name: &[u8]) -> Option<Value> {
        self.value_of_name(self.defined(name)?)
    }

    fn is_defined(&self, name: &[u8]) -> bool {
        self.defined(name).is_some()
    }

    fn section(&self, name: &[u8]) -> Option<SectionAddress> {
        let section = self.output(name)?;
        Some(SectionAddress {
            section: 0,
            address: section.address,
            load_address: section.address,
            size: section.size,
            alignment: section.align,
        })
    }

    fn segment_start(&self, segment: &[u8]) -> Option<u64> {
        self.segment_starts.get(segment)
    }

    fn constant(&self, constant: Constant) -> u64 {
        match constant {
            Constant::MaxPageSize => self.page,
            Constant::CommonPageSize => self.page.min(self.common_page),
        }
    }

    fn sizeof_headers(&self) -> u64 {
        self.header_size
    }

    fn dot(&self) -> Option<Value> {
        None
    }
}

/// The values of names in an assignment while it is evaluated.
struct Assigning<'a, 'b> {
    values: &'b MarkValues<'a>,
    claimed: &'b ClaimedSymbols,
    /// Values of the definitions that assignments replace.
    original: &'b dyn Fn(NameId) -> Option<(u64, bool)>,
    expression: Expression<'b>,
    /// Values of assignments that are evaluated already, `None` for the others.
    done: &'b [Option<u64>],
}

impl Environment for Assigning<'_, '_> {
    fn symbol(&self, name: &[u8]) -> Option<Value> {
        let reference = self.expression.reference(name, &self.values.extraction.names);
        match reference.assigned {
            Some(at) => {
                let section = (!self.claimed.expressions.is_absolute(at)).then_some(0);
                self.done[at].map(|address| Value { address, section })
            }
            None if reference.is_original => {
                let (address, is_absolute) = (self.original)(reference.id?)?;
                Some(Value { address, section: (!is_absolute).then_some(0) })
            }
            None => self.values.value_of_name(reference.id?),
        }
    }

    fn is_defined(&self, name: &[u8]) -> bool {
        let Some(id) = self.values.defined(name) else { return false };
        let expressions = &self.claimed.expressions;
        match expressions.is_assigned_before(id, self.expression.at) {
            Some(is_before) => is_before || self.claimed.originals.defines(id),
            None => true,
        }
    }

    fn section(&self, name: &[u8]) -> Option<SectionAddress> {
        self.values.section(name)
    }

    fn segment_start(&self, segment: &[u8]) -> Option<u64> {
        self.values.segment_start(segment)
    }

    fn constant(&self, constant: Constant) -> u64 {
        self.values.constant(constant)
    }

    fn sizeof_headers(&self) -> u64 {
        self.values.sizeof_headers()
    }

    fn dot(&self) -> Option<Value> {
        None
    }
}
