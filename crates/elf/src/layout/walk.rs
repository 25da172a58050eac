//! Walks through a layout with the location counter: finds the address of every output section and
//! part, the value of every symbol that a script assigns, and where memory regions are full. In an
//! automatic layout file offsets are given too, because there addresses depend on them.
//!
//! A script may refer to symbols that it assigns later. Their values are those of the previous
//! walk, and walks are repeated until nothing changes. The rules of scripts are GNU ld's
//! (`lang_size_sections_1` in `ldlang.c`).

mod outputs;
mod regions;
mod relro;
mod symbol_sections;

use self::relro::Relro;

use super::extents::Extents;
use super::input_offsets::PartPlacing;
use super::items::{Assigning, BodyPart, Item, Layout, SegmentStart};
use super::output_sections::{Content, OutputSections, StatedId, Synthetic};
use super::segments::AddressRules;
use crate::args::SegmentStarts;
use crate::script::statements::Assertion;
use object::elf::*;
pub use regions::RegionUsage;
use skald_core::align::align_up as align_to;
use skald_core::diag::Error;
use skald_core::ids::Column;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use skald_linking::expr::{Base, Constant, Expr, ScriptEnvironment, SectionAddress, Typed};
use std::cell::{Cell, RefCell};
use std::ops::Range;

/// If the layout has not converged after this many walks, that is an error.
pub const MAX_ROUNDS: usize = 64;
/// The text of the error for a layout that does not converge.
pub const UNSETTLED: &str = "the addresses that the linker script asks for do not settle";

/// The values of symbols in expressions before an assignment has given them a value.
pub trait Symbols {
    /// The value of a symbol, and whether it is absolute.
    fn value(&self, name: &[u8]) -> Option<(u64, bool)>;
    /// Whether something other than an assignment defines a symbol.
    fn is_defined(&self, name: &[u8]) -> bool;
}

/// No symbol has a value.
struct NoSymbols;

impl Symbols for NoSymbols {
    fn value(&self, _name: &[u8]) -> Option<(u64, bool)> {
        None
    }

    fn is_defined(&self, _name: &[u8]) -> bool {
        false
    }
}

/// What a walk depends on besides the layout: symbols, page sizes and addresses of options.
pub struct Environment<'a> {
    /// By number of an assignment: the symbol's name, `None` if the assignment does not take
    /// effect.
    pub assigned: &'a [Option<&'a [u8]>],
    /// The values of symbols before an assignment has given them one.
    pub symbols: &'a dyn Symbols,
    /// Section names and addresses of `-Ttext` and its relatives.
    pub starts: &'a [(String, u64)],
    /// The addresses of `SEGMENT_START`.
    pub segment_starts: SegmentStarts<'a>,
    /// MAXPAGESIZE, in bytes.
    pub page: u64,
    /// Page size that DATA_SEGMENT_RELRO_END pads to, in bytes.
    pub relro_page: u64,
    /// COMMONPAGESIZE, in bytes.
    pub common_page: u64,
    /// SIZEOF_HEADERS: file header and program headers, in bytes.
    pub header_size: u64,
    /// A section outside of all memory regions is an error, and not only a warning
    /// (`--no-check-sections`).
    pub checks: bool,
    /// Some memory is read-only after relocation (`-z relro`).
    pub relro: bool,
    /// Gives the inputs of parts their offsets; `None` if the inputs have them already.
    pub inputs: Option<PartPlacing<'a>>,
}

impl Environment<'_> {
    /// That of an automatic layout, whose items have no expressions and whose inputs have their
    /// offsets.
    pub fn automatic(rules: &AddressRules) -> Environment<'static> {
        Environment {
            assigned: &[],
            symbols: &NoSymbols,
            starts: &[],
            segment_starts: SegmentStarts::default(),
            page: rules.page,
            relro_page: rules.relro_page,
            common_page: rules.page,
            header_size: 0,
            checks: false,
            relro: rules.relro,
            inputs: None,
        }
    }
}

/// The value of a symbol that an assignment gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assigned {
    /// Its address, or its number if it is absolute.
    pub address: u64,
    /// Position of the output section that it is relative to; `None` outside of all.
    pub heading: Option<usize>,
    /// Its value is absolute (SHN_ABS): it does not move with the output.
    pub is_absolute: bool,
    /// It is computed from the location counter outside of output sections. Expressions treat it as
    /// a number, whatever section it is near.
    is_outside: bool,
}

/// Address and size of an output section.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// Address in memory (VMA).
    pub address: u64,
    /// Size in memory, in bytes.
    pub size: u64,
    /// Load address (LMA): where a loader puts it.
    pub load_address: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// The memory region of the address, by position.
    pub region: Option<usize>,
}

/// The values of a `PHDRS` entry's expressions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HeaderValues {
    /// `p_type`: PT_*.
    pub p_type: u32,
    /// `FLAGS`; `None` if not given.
    pub p_flags: Option<u32>,
    /// `AT`; `None` if not given.
    pub load_address: Option<u64>,
}

/// An error in a layout.
#[derive(Debug)]
pub struct Problem {
    /// The message.
    pub text: String,
    /// Every section has an address all the same, so `--noinhibit-exec` ignores the error.
    pub passes: bool,
}

impl From<String> for Problem {
    fn from(text: String) -> Problem {
        Problem { text, passes: false }
    }
}

/// The results of the walks so far.
#[derive(Debug, Default)]
pub struct Walk {
    /// Address and size by heading.
    pub places: Vec<Place>,
    /// Value by assignment number; `None` for assignments that do not take effect or cannot be
    /// evaluated yet.
    pub values: Vec<Option<Assigned>>,
    /// Errors in expressions and regions, from the last walk.
    pub problems: Vec<Problem>,
    /// Warnings from the last walk.
    pub warnings: Vec<String>,
    /// Memory that is read-only after relocation (PT_GNU_RELRO).
    pub relro: Relro,
    /// End of the file so far; in an automatic layout only.
    pub file_end: u64,
    /// How many output sections stand before the first assignment to `_end` or its like.
    ended: Option<usize>,
    /// Values by entry of `PHDRS`.
    pub headers: Vec<HeaderValues>,
    /// Values of assigned symbols by name, as far as known.
    by_name: UnorderedMap<Vec<u8>, Assigned>,
    regions: Vec<RegionState>,
    /// How output sections filled memory regions, in order.
    fills: Vec<regions::RegionFill>,
}

#[derive(Debug, Clone, Copy, Default)]
struct RegionState {
    origin: u64,
    length: u64,
    current: u64,
    /// An output section went past its end.
    is_full: bool,
}

/// The state of one walk.
struct Walker<'a> {
    walk: &'a mut Walk,
    layout: &'a Layout,
    outputs: &'a mut OutputSections,
    stated: &'a mut Column<StatedId, Vec<u8>>,
    environment: &'a Environment<'a>,
    /// Heading of the last output section in memory.
    previous: Option<usize>,
    /// The location counter has been assigned to, outside of output sections, since `previous`.
    is_dot_assigned: bool,
    /// How many output sections stand before the first assignment to `_end` or its like, on the
    /// previous walk.
    ended: Option<usize>,
    /// How many output sections have been walked through.
    walked: usize,
    /// Output sections with a section header: how many of all output sections are before each, and
    /// its heading.
    made: Vec<(usize, usize)>,
    /// Headings by name, of several output sections with one name the first.
    named: UnorderedMap<&'a [u8], usize>,
    /// Memory regions by all of their names.
    regions: UnorderedMap<&'a [u8], usize>,
    /// By flags of an output section: the first region that they fit, filled when first looked up.
    fitting: RefCell<[Option<Option<usize>>; regions::FLAG_SETS]>,
    /// Address ranges of output sections on the previous walk, which the values of later symbols
    /// come from as well.
    before: Extents,
    /// Symbols that this walk has assigned to.
    seen: UnorderedSet<&'a [u8]>,
    /// No statement has been walked through yet.
    is_before: bool,
    /// Final values of symbols that had other values when they determined addresses: see
    /// [`Walker::assign`].
    late: UnorderedMap<&'a [u8], Assigned>,
    /// Whether expressions use the values in `late`.
    is_late: bool,
    dot: u64,
    /// Where the next section begins if not at the location counter. Symbols count sections that
    /// are not loaded, sections do not count them. An address given to a section that is not in the
    /// output is where the next one begins.
    skipped: Option<u64>,
    /// Location counter of output sections outside of all memory regions.
    default: u64,
    /// End of the `.tbss` that the location counter has not passed. `.tbss` takes no memory in the
    /// image, but that of the next output section follows in the template.
    template_end: Option<u64>,
    here: Option<usize>,
    /// Index 0 for no region, then by region: heading of the last output section in it, from which
    /// the next one takes the distance between VMA and LMA.
    last: Vec<Option<usize>>,
    is_final: bool,
    /// The symbol that is being assigned to.
    own: Option<&'a [u8]>,
    /// The assigned value is computed from the symbol's own.
    asks_itself: Cell<bool>,
    /// Address minus file offset; in an automatic layout only.
    distance: u64,
    /// The next section starts exactly at the location counter, whatever its alignment.
    is_exact: bool,
    /// Messages of failed assertions within expressions.
    failed: RefCell<Vec<String>>,
}

impl Walk {
    /// Walks once; returns whether any address or value differs from the walk before. Problems are
    /// reported of the final walk only.
    pub fn go(
        &mut self,
        layout: &Layout,
        outputs: &mut OutputSections,
        stated: &mut Column<StatedId, Vec<u8>>,
        environment: &Environment<'_>,
        is_final: bool,
    ) -> bool {
        let before = (self.places.clone(), self.values.clone());
        self.places.resize(layout.headings.len(), Place::default());
        self.values = vec![None; layout.assignments];
        self.problems.clear();
        self.warnings.clear();
        self.fills.clear();
        let ended = self.ended.take();
        let mut walker = Walker {
            walk: self,
            layout,
            outputs,
            stated,
            environment,
            previous: None,
            is_dot_assigned: false,
            ended,
            walked: 0,
            made: made(layout),
            named: named(layout),
            regions: regions::by_name(&layout.regions),
            fitting: RefCell::new([None; regions::FLAG_SETS]),
            before: Extents::new(&before.0),
            seen: UnorderedSet::new(),
            is_before: true,
            late: UnorderedMap::new(),
            is_late: false,
            dot: 0,
            skipped: None,
            default: 0,
            template_end: None,
            here: None,
            last: vec![None; layout.regions.len() + 1],
            is_final,
            own: None,
            asks_itself: Cell::new(false),
            distance: 0,
            is_exact: false,
            failed: RefCell::default(),
        };
        walker.regions();
        walker.is_before = false;
        walker.headers();
        for item in &layout.items {
            match item {
                Item::Assign(assigning) => walker.top_level(assigning),
                Item::Assert(assertion) => {
                    walker.assert(assertion);
                    walker.leave_skipped();
                }
                Item::Heading(at) => walker.heading(*at),
                Item::Segment(start) => walker.segment(start),
                Item::NotMade => {}
            }
        }
        let failed = walker.failed.into_inner();
        self.problems.extend(failed.into_iter().map(Problem::from));
        self.enter(layout, outputs);
        let is_relro = layout.is_automatic || environment.relro && layout.has_relro;
        let has_moved = is_relro && self.adjust_relro(layout, outputs, environment.page);
        has_moved || before != (self.places.clone(), self.values.clone())
    }

    /// Copies the places of sections to section headers.
    fn enter(&self, layout: &Layout, outputs: &mut OutputSections) {
        for (heading, place) in layout.headings.iter().zip(&self.places) {
            if let Some(head) = heading.head {
                let head = &mut outputs.heads[head];
                (head.address, head.size) = (place.address, place.size);
                // A header's alignment is at most that of its address.
                let of_address = if layout.is_automatic {
                    u64::MAX
                } else {
                    1 << place.address.trailing_zeros().min(63)
                };
                head.align = place.align.clamp(1, of_address);
                head.load_address = place.load_address;
                let is_hollow = heading.is_hollow && !layout.is_automatic;
                head.is_passed = is_hollow && place.size == 0;
            }
        }
    }
}

/// For each output section with a section header: how many of all output sections are before it,
/// and its heading.
fn made(layout: &Layout) -> Vec<(usize, usize)> {
    let all = layout.order().enumerate();
    all.filter(|&(_, at)| layout.headings[at].head.is_some()).collect()
}

/// Whether a symbol marks the end of the program: `end`, with any number of underscores before it.
fn is_end(name: &[u8]) -> bool {
    name.strip_suffix(b"end").is_some_and(|rest| rest.iter().all(|&byte| byte == b'_'))
}

fn named(layout: &Layout) -> UnorderedMap<&[u8], usize> {
    let mut named = UnorderedMap::new();
    for (at, heading) in layout.headings.iter().enumerate() {
        named.entry(&heading.statement.name[..]).or_insert(at);
    }
    named
}

fn is_tbss(sh_type: u32, sh_flags: u64) -> bool {
    sh_type == SHT_NOBITS && sh_flags & u64::from(SHF_TLS) != 0
}

fn align_up(value: u64, align: u64) -> u64 {
    if align.is_power_of_two() {
        align_to(value, align.ilog2() as u8)
    } else {
        value.checked_next_multiple_of(align.max(1)).unwrap_or(u64::MAX)
    }
}

impl<'a> Walker<'a> {
    fn evaluate(&self, expr: &Expr) -> Result<Typed, Error> {
        expr.eval_in_script(self)
    }

    /// The address that an expression evaluates to; without one, a problem is noted.
    fn address(&mut self, expr: &Expr) -> Option<u64> {
        match expr.address_in_script(self) {
            Ok(address) => Some(address),
            Err(error) => {
                self.walk.problems.push(error.0.into());
                None
            }
        }
    }

    fn regions(&mut self) {
        self.walk.regions.resize(self.layout.regions.len(), RegionState::default());
        for (at, region) in self.layout.regions.iter().enumerate() {
            let origin = self.address(&region.origin).unwrap_or(0);
            let length = self.address(&region.length).unwrap_or(0);
            let state = RegionState { origin, length, current: origin, is_full: false };
            self.walk.regions[at] = state;
        }
    }

    fn headers(&mut self) {
        let layout = self.layout;
        let headers = layout.headers.iter().flatten().map(|header| HeaderValues {
            p_type: self.address(&header.p_type).unwrap_or(0) as u32,
            p_flags: header.flags.as_ref().and_then(|e| self.address(e)).map(|f| f as u32),
            load_address: header.load_address.as_ref().and_then(|e| self.address(e)),
        });
        self.walk.headers = headers.collect();
    }

    fn top_level(&mut self, assigning: &'a Assigning) {
        if assigning.number.is_some() {
            self.assign(assigning);
            self.leave_skipped();
            return;
        }
        self.is_dot_assigned = true;
        self.dot = self.skipped.take().unwrap_or(self.dot);
        if let Some(address) = self.address(&assigning.expr) {
            (self.dot, self.default, self.skipped) = (address, address, None);
        }
    }

    /// A statement outside of output sections sets the start of the next section: the location
    /// counter, or where a section was to begin that is not in the output.
    fn leave_skipped(&mut self) {
        if !self.layout.is_automatic {
            self.default = self.skipped.unwrap_or(self.dot);
        }
    }

    /// Gives a symbol its value.
    ///
    /// An assignment that uses the symbol's own value (`k = k + 4`) takes effect once, at the end,
    /// and does not affect addresses, unless the symbol is a number that this walk has assigned
    /// (GNU ld's rule for its passes). So a symbol has a value that addresses depend on, and where
    /// it differs, a late one.
    fn assign(&mut self, assigning: &'a Assigning) {
        let Some(number) = assigning.number else { return };
        let Some(&Some(name)) = self.environment.assigned.get(number) else { return };
        if is_end(name) {
            self.walk.ended.get_or_insert(self.walked);
        }
        self.own = Some(name);
        self.asks_itself.set(false);
        let value = self.assigned_value(&assigning.expr);
        self.own = None;
        let counts = !self.asks_itself.get() || self.is_own_number(name);
        let mut value = match value {
            Ok(value) => value,
            Err(error) => return self.walk.problems.push(error.0.into()),
        };
        if !counts || !self.late.is_empty() {
            self.is_late = true;
            let late = self.assigned_value(&assigning.expr);
            self.is_late = false;
            match late {
                Ok(late) if !counts || late != value => drop(self.late.insert(name, late)),
                _ => drop(self.late.remove(&name)),
            }
        }
        if counts {
            match self.walk.by_name.get_mut(name) {
                Some(known) => *known = value,
                None => drop(self.walk.by_name.insert(name.to_vec(), value)),
            }
            self.seen.insert(name);
        }
        if let Some(&late) = self.late.get(&name) {
            value = late;
        }
        self.walk.values[number] = Some(value);
    }

    /// Whether a symbol is a number that this walk has assigned.
    fn is_own_number(&self, name: &[u8]) -> bool {
        let known = self.walk.by_name.get(name);
        self.seen.contains(name)
            && known.is_some_and(|known| known.heading.is_none() || known.is_outside)
    }

    /// The value that an assignment gives a symbol here.
    fn assigned_value(&self, expr: &Expr) -> Result<Assigned, Error> {
        let (value, is_of_dot) = expr.eval_of_dot(self)?;
        let is_absolute = !is_of_dot;
        // A number is relative to where it is assigned.
        let base = if value.base == Base::Number { self.here() } else { value.base };
        Ok(match base {
            Base::Section(at) => Assigned {
                address: value.value.wrapping_add(self.section_address(at)),
                heading: Some(at as usize),
                is_absolute,
                is_outside: false,
            },
            _ if is_of_dot && self.here.is_none() => {
                let heading = self.near_dot();
                let is_absolute = is_absolute || heading.is_none() && !self.layout.is_automatic;
                Assigned { address: value.value, heading, is_absolute, is_outside: true }
            }
            _ => Assigned { address: value.value, heading: None, is_absolute, is_outside: true },
        })
    }

    fn assert(&mut self, assertion: &Assertion) {
        if !self.is_final {
            return;
        }
        self.is_late = true;
        let value = self.evaluate(&assertion.expr);
        self.is_late = false;
        match value {
            Ok(value) if value.value == 0 => {
                let message = String::from_utf8_lossy(&assertion.message);
                let text = format!("{}: {message}", assertion.place);
                self.walk.problems.push(Problem { text, passes: true });
            }
            Ok(_) => {}
            Err(error) => self.walk.problems.push(error.0.into()),
        }
    }

    /// Moves the location counter and the file offset to where a segment begins.
    fn segment(&mut self, start: &SegmentStart) {
        let offset = self.walk.file_end;
        let (address, modulus) = match *start {
            SegmentStart::Headers(ref headers) => {
                self.walk.file_end = headers.end - headers.start;
                self.distance = headers.start;
                (self.dot, self.default) = (headers.end, headers.end);
                return;
            }
            SegmentStart::At { address, modulus } => {
                self.is_exact = true;
                (address, modulus)
            }
            SegmentStart::Behind { align, modulus } => (align_up(self.dot, align), modulus),
            SegmentStart::Page { page, is_apart, align, modulus } => {
                let address = align_up(self.dot, page);
                let in_page = if is_apart { 0 } else { offset % page };
                (align_up(address.saturating_add(in_page), align), modulus)
            }
        };
        let shift = address.wrapping_sub(offset) % modulus;
        self.walk.file_end = offset.saturating_add(shift);
        self.distance = address.wrapping_sub(self.walk.file_end);
        (self.dot, self.default) = (address, address);
    }

    /// Gives the parts of an automatic layout that the location counter has passed their file
    /// offsets. `before` is where the counter was before.
    fn place_in_file(&mut self, parts: Range<usize>, before: u64) {
        for section in &mut self.outputs.sections[parts] {
            section.file_offset = section.address.wrapping_sub(self.distance);
            let is_nobits = section.sh_type == SHT_NOBITS;
            if is_tbss(section.sh_type, section.sh_flags) {
                // The part has no bytes and no memory, but a PT_TLS that starts with it must be
                // congruent.
                self.dot = before;
            } else if is_nobits {
                section.file_offset = section.file_offset.min(self.walk.file_end);
            } else {
                self.walk.file_end = section.file_offset.saturating_add(section.size);
            }
        }
    }

    fn body(&mut self, heading: usize, subalign: Option<u64>) {
        let layout = self.layout;
        for part in &layout.headings[heading].body {
            match part {
                BodyPart::Part(at) => self.part(*at, subalign),
                BodyPart::Assign(assigning) => self.assign(assigning),
                BodyPart::Assert(assertion) => self.assert(assertion),
                BodyPart::Gap(at, expr) => self.gap(heading, *at, expr),
                BodyPart::Number { part, stated, width, expr } => {
                    // Data is not relative to a section: `.` is the address.
                    let here = self.here.take();
                    self.is_late = true;
                    let value = self.address(expr).unwrap_or(0);
                    (self.here, self.is_late) = (here, false);
                    self.outputs.encoding().order.put_low(&mut self.stated[*stated], value);
                    self.outputs.sections[*part].address = self.dot;
                    self.dot = self.dot.wrapping_add(u64::from(*width));
                }
            }
        }
    }

    fn part(&mut self, at: usize, subalign: Option<u64>) {
        let section = &mut self.outputs.sections[at];
        if matches!(section.content, Content::Inputs { .. }) {
            section.address = self.dot;
            if let Some(inputs) = &self.environment.inputs {
                inputs.place(self.outputs, at, self.dot, subalign);
            }
        } else {
            section.address = align_up(self.dot, section.align.max(1));
            if section.is_synthetic(Synthetic::RelroPadding) {
                let end = align_up(section.address, self.environment.relro_page);
                section.size = end - section.address;
            }
        }
        let section = &self.outputs.sections[at];
        self.dot = section.address.saturating_add(section.size);
    }

    /// `. = expr` within an output section: a number is relative to the section's start.
    fn gap(&mut self, heading: usize, at: usize, expr: &Expr) {
        let start = self.walk.places[heading].address;
        let next = match self.evaluate(expr) {
            Ok(Typed { value, base: Base::Number }) => start.wrapping_add(value),
            Ok(Typed { value, base: Base::Section(of) }) => {
                value.wrapping_add(self.section_address(of))
            }
            Ok(Typed { value, base: Base::Absolute }) => value,
            Err(error) => {
                self.walk.problems.push(error.0.into());
                self.dot
            }
        };
        let section = &mut self.outputs.sections[at];
        (section.address, section.size) = (self.dot, next.saturating_sub(self.dot));
        if next < self.dot {
            let text = format!(
                "cannot move the location counter backwards, from {:#x} to {next:#x}",
                self.dot
            );
            self.walk.problems.push(expr.error(text).0.into());
            return;
        }
        self.dot = next;
    }
}

impl ScriptEnvironment for Walker<'_> {
    fn symbol(&self, name: &[u8]) -> Option<Typed> {
        if self.own == Some(name) {
            self.asks_itself.set(true);
        }
        let late = self.late.get(&name).filter(|_| self.is_late);
        if let Some(assigned) = late.or_else(|| self.walk.by_name.get(name)) {
            return Some(match assigned.heading.filter(|_| !assigned.is_outside) {
                None => Typed::absolute(assigned.address),
                Some(at) => Typed {
                    value: assigned.address.wrapping_sub(self.section_address(at as u32)),
                    base: Base::Section(at as u32),
                },
            });
        }
        let (address, is_absolute) = self.environment.symbols.value(name)?;
        Some(match self.before.holding(address).filter(|_| !is_absolute) {
            Some((at, start)) => Typed { value: address - start, base: Base::Section(at as u32) },
            None => Typed::absolute(address),
        })
    }

    fn is_defined(&self, name: &[u8]) -> bool {
        // Memory regions are evaluated after all assignments.
        self.seen.contains(name)
            || self.is_late && self.late.contains_key(&name)
            || self.is_before && self.environment.assigned.iter().flatten().any(|own| *own == name)
            || self.environment.symbols.is_defined(name)
    }

    fn section(&self, name: &[u8]) -> Option<SectionAddress> {
        let &at = self.named.get(name)?;
        let Place { address, size, load_address, align, .. } = self.walk.places[at];
        let section = at as u32;
        let is_made =
            self.layout.is_automatic || self.layout.headings[at].nature.traits().is_some();
        let alignment = if is_made { align } else { 0 };
        Some(SectionAddress { section, address, load_address, size, alignment })
    }

    fn section_address(&self, section: u32) -> u64 {
        self.walk.places[section as usize].address
    }

    fn segment_start(&self, segment: &[u8]) -> Option<u64> {
        self.environment.segment_starts.get(segment)
    }

    fn constant(&self, constant: Constant) -> u64 {
        match constant {
            Constant::MaxPageSize => self.environment.page,
            Constant::CommonPageSize => self.environment.common_page,
        }
    }

    fn sizeof_headers(&self) -> u64 {
        self.environment.header_size
    }

    fn dot(&self) -> u64 {
        self.dot
    }

    fn here(&self) -> Base {
        self.here.map_or(Base::Absolute, |at| Base::Section(at as u32))
    }

    fn is_sane(&self) -> bool {
        self.layout.is_sane
    }

    fn region(&self, name: &[u8]) -> Option<(u64, u64)> {
        let region = self.walk.regions.get(self.named_region(Some(name))?)?;
        Some((region.origin, region.length))
    }

    fn failed(&self, text: String) {
        if self.is_final {
            self.failed.borrow_mut().push(text);
        }
    }

    fn data_segment_align(&self, max_page: u64, _: u64) -> u64 {
        let is_relro = self.environment.relro && self.layout.has_relro;
        let in_page = if is_relro { 0 } else { self.dot & max_page.wrapping_sub(1) };
        self.walk.relro.begin(align_up(self.dot, max_page).saturating_add(in_page), max_page)
    }

    fn relro_end(&self, offset: u64, address: u64) -> u64 {
        self.walk.relro.end_at(offset, address, self.environment.page)
    }
}
