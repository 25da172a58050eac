//! Walks over the entries of a unit that have names, and skips all others.
//!
//! The choice of entries, and of the scope of each, is the one that gdb makes when it builds such
//! an index itself (`gdb/dwarf2`): a reader that finds an index assumes that it is complete.

use super::abbreviations::{Abbreviation, Abbreviations, Attribute, Places};
use super::addresses::Bases;
use super::language::Language;
use super::names::Text;
use super::sections::Sections;
use super::units::{Unit, UnitKind};
use super::values::{self, Value, uleb};
use gimli::constants::*;
use skald_linking::cursor::Malformed;
use std::ops::Range;

/// Maximum number of references from an entry to the one that has its name.
pub(super) const MAX_ORIGINS: usize = 8;

/// Attributes of a unit's first entry that the other entries depend on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Root<'a> {
    /// The naming rules of DW_AT_language.
    pub language: Language,
    /// DW_AT_language.
    pub language_code: u32,
    /// DW_TAG_partial_unit: others import it. Before DWARF 5 the unit's header does not say so.
    pub is_partial: bool,
    /// DW_AT_str_offsets_base: offset in `.debug_str_offsets` of string index 0.
    pub string_offsets: u64,
    /// The bases that addresses of the unit count from.
    pub bases: Bases,
    /// DW_AT_loclists_base: offset in `.debug_loclists` of the table of its lists.
    pub location_lists: u64,
    /// DW_AT_high_pc: an address, or a size in bytes.
    high: Option<Value<'a>>,
    /// DW_AT_ranges.
    ranges: Option<Value<'a>>,
    /// DW_AT_dwo_name or DW_AT_GNU_dwo_name: the file that the rest of the unit is in.
    pub dwo_name: Option<Text<'a>>,
    /// DW_AT_comp_dir: the directory that `dwo_name` is relative to.
    pub directory: Option<Text<'a>>,
}

/// A unit, with everything that is needed to read its entries.
#[derive(Clone, Copy)]
pub struct UnitView<'a> {
    /// The unit's header.
    pub unit: &'a Unit,
    /// The unit's bytes, from its header on.
    pub bytes: &'a [u8],
    /// The unit's abbreviations.
    pub abbreviations: &'a Abbreviations,
    /// The sections that its values are offsets into.
    pub sections: &'a Sections<'a>,
    /// The attributes of the unit's first entry.
    pub root: Root<'a>,
    /// Distance of the first entry's children from the header; `None` if it has none.
    pub(super) children: Option<usize>,
}

/// The properties of an entry that an index needs.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// DW_TAG_*.
    pub tag: DwTag,
    /// Its distance from the unit's header.
    pub offset: u64,
    /// The name is known in this unit only.
    pub is_static: bool,
    /// The entry declares a type, and does not define it.
    pub is_declaration: bool,
    /// DW_AT_main_subprogram.
    pub is_main: bool,
}

/// Takes the entries of a unit, parents before their children.
pub trait Sink {
    /// The sink's representation of a scope.
    type Scope: Copy;
    /// Whether the sink asks for entries that indices leave out: see [`Sink::wants`].
    const PICKS: bool = false;
    /// Whether the sink asks for the entry at this distance from the header, of whatever tag.
    fn wants(&self, _offset: u64) -> bool {
        false
    }
    /// The global scope.
    fn outside(&self) -> Self::Scope;
    /// Takes a named entry; returns the scope that it is for its children.
    fn named(&mut self, scope: Self::Scope, name: Text<'_>, entry: &Entry) -> Self::Scope;
    /// Takes the addresses of a function, if the unit does not state its own ranges.
    fn covers(&mut self, addresses: Range<u64>);
    /// Takes an imported unit by the offset of its first entry or header in `.debug_info`.
    fn imports(&mut self, offset: u64);
    /// Takes an entry that has the name of an entry of another unit, at `target` in `.debug_info`.
    fn foreign(&mut self, target: u64, entry: &Entry);
}

impl<'a> UnitView<'a> {
    /// A view of `unit`, whose bytes from the header on are `bytes`.
    ///
    /// # Errors
    /// If its first entry is broken, with the offset in the section.
    pub fn new(
        unit: &'a Unit,
        bytes: &'a [u8],
        abbreviations: &'a Abbreviations,
        sections: &'a Sections<'a>,
    ) -> Result<UnitView<'a>, Malformed> {
        let root = Root::default();
        let mut view = UnitView { unit, bytes, abbreviations, sections, root, children: None };
        let mut at = usize::from(unit.header_size);
        if at < bytes.len() {
            view.read_root(&mut at).ok_or(view.fault("broken first entry", at))?;
        }
        Ok(view)
    }

    pub(super) fn fault(&self, what: &'static str, at: usize) -> Malformed {
        Malformed::new(what, self.unit.start as usize + at.min(self.bytes.len()))
    }

    fn read_root(&mut self, at: &mut usize) -> Option<()> {
        let code = uleb(self.bytes, at)?;
        if code == 0 {
            return Some(());
        }
        let abbreviation = self.abbreviations.get(code)?;
        self.root.is_partial = abbreviation.tag == DW_TAG_partial_unit;
        let encoding = self.unit.encoding;
        let number = |value| match value {
            Value::Number(number) | Value::SectionOffset(number) => number,
            _ => 0,
        };
        // Without DW_AT_str_offsets_base, indices count from the end of the table's header.
        let header = if encoding.offset_size == 8 { 16 } else { 8 };
        if encoding.version >= 5 {
            self.root.string_offsets = header;
            self.root.bases.addresses = header;
        }
        let (mut low, mut name, mut directory) = (None, None, None);
        for attribute in self.abbreviations.attributes(abbreviation) {
            let value = self.value(attribute, at)?;
            let root = &mut self.root;
            match attribute.name {
                DW_AT_language => {
                    root.language = Language::of(number(value));
                    root.language_code = number(value) as u32;
                }
                DW_AT_low_pc => low = Some(value),
                DW_AT_high_pc => root.high = Some(value),
                DW_AT_ranges => root.ranges = Some(value),
                DW_AT_str_offsets_base => root.string_offsets = number(value),
                DW_AT_addr_base | DW_AT_GNU_addr_base => root.bases.addresses = number(value),
                DW_AT_loclists_base => root.location_lists = number(value),
                DW_AT_rnglists_base => root.bases.range_lists = number(value),
                DW_AT_GNU_ranges_base => root.bases.ranges = number(value),
                DW_AT_dwo_name | DW_AT_GNU_dwo_name => name = Some(value),
                DW_AT_comp_dir => directory = Some(value),
                _ => {}
            }
        }
        let bases = self.root.bases;
        self.root.bases.low = low.and_then(|low| bases.address(self.sections, low, encoding));
        self.root.dwo_name = name.and_then(|name| self.text(name));
        self.root.directory = directory.and_then(|directory| self.text(directory));
        self.children = abbreviation.has_children.then_some(*at);
        Some(())
    }

    #[inline(always)]
    pub(super) fn value(&self, attribute: &Attribute, at: &mut usize) -> Option<Value<'a>> {
        let constant = attribute.constant as u64;
        values::read(self.bytes, at, attribute.form, constant, self.unit.encoding)
    }

    /// The addresses that the unit covers; `None` if it does not state them.
    pub fn addresses(&self) -> Option<Vec<Range<u64>>> {
        let Root { bases, high, ranges, .. } = &self.root;
        let encoding = self.unit.encoding;
        if let Some(ranges) = *ranges {
            // A skeleton's own offset is relative to the start of the section.
            let bases = Bases { ranges: 0, ..*bases };
            return bases.list(self.sections, ranges, encoding);
        }
        let range = span(bases, self.sections, bases.low?, (*high)?, encoding)?;
        Some(if range.is_empty() { Vec::new() } else { vec![range] })
    }

    /// The text of a string value.
    #[inline(always)]
    pub(super) fn text(&self, value: Value<'a>) -> Option<Text<'a>> {
        match value {
            Value::String(offset) => Some(Text::String(offset)),
            Value::LineString(offset) => Some(Text::LineString(offset)),
            Value::Text(text) => Some(Text::Inline(text)),
            Value::StringIndex(index) => self.indexed_text(index),
            _ => None,
        }
    }

    /// The string with this index in the unit's part of `.debug_str_offsets`.
    fn indexed_text(&self, index: u64) -> Option<Text<'a>> {
        let size = u64::from(self.unit.encoding.offset_size);
        let at = index.checked_mul(size)?.checked_add(self.root.string_offsets)?;
        let (bytes, at) = (self.sections.string_offsets, &mut usize::try_from(at).ok()?);
        let offset = values::fixed(bytes, at, size as usize, self.unit.encoding.order)?;
        Some(Text::String(offset))
    }

    /// Gives all entries that have names to `sink`.
    ///
    /// # Errors
    /// If the unit is broken, with the offset in the section.
    pub fn walk<S: Sink>(&self, sink: &mut S) -> Result<(), Malformed> {
        let Some(first) = self.children else { return Ok(()) };
        let is_type_unit = matches!(self.unit.kind, UnitKind::Type { .. });
        let mut walk = Walk {
            view: self,
            sink,
            at: first,
            frames: Vec::new(),
            ranges: Vec::new(),
            deferred: Vec::new(),
            wants_addresses: self.root.ranges.is_none()
                && self.root.high.is_none()
                && !is_type_unit,
        };
        let walked = walk.all();
        let at = walk.at;
        walked.ok_or(self.fault("broken entry", at))
    }
}

/// The addresses from `low` to `high`, which is the end address or the size.
fn span(
    bases: &Bases,
    sections: &Sections<'_>,
    low: u64,
    high: Value<'_>,
    encoding: super::values::Encoding,
) -> Option<Range<u64>> {
    let end = match high {
        Value::Number(size) if encoding.version >= 4 => low.checked_add(size)?,
        value => bases.address(sections, value, encoding)?,
    };
    Some(low..end)
}

/// The attributes of an entry that an index needs.
#[derive(Default)]
struct EntryAttributes<'a> {
    name: Option<Text<'a>>,
    linkage_name: Option<Text<'a>>,
    origin: Option<Value<'a>>,
    sibling: u64,
    low: Option<u64>,
    high: Option<Value<'a>>,
    ranges: Option<Value<'a>>,
    is_declaration: bool,
    is_external: bool,
    is_enum_class: bool,
    is_main: bool,
    import: Option<Value<'a>>,
}

/// A scope whose children are being walked.
struct Frame<S> {
    /// The scope of names here; `None` for the global scope.
    scope: Option<S>,
    /// The position in [`Walk::ranges`] of the range that ends with this scope.
    range: Option<u32>,
    /// Whether the entries inside functions are read, too.
    is_full: bool,
}

/// The range of entries in a scope, as distances from the header.
struct ScopeRange<S> {
    start: usize,
    end: usize,
    scope: S,
    /// The position of the enclosing range.
    within: Option<u32>,
}

/// An entry that has the scope of a later entry.
struct Deferred<'a> {
    origin: usize,
    name: Text<'a>,
    entry: Entry,
}

struct Walk<'w, 'a, S: Sink> {
    view: &'w UnitView<'a>,
    sink: &'w mut S,
    at: usize,
    frames: Vec<Frame<S::Scope>>,
    ranges: Vec<ScopeRange<S::Scope>>,
    deferred: Vec<Deferred<'a>>,
    wants_addresses: bool,
}

impl<'a, S: Sink> Walk<'_, 'a, S> {
    fn all(&mut self) -> Option<()> {
        let outside = self.sink.outside();
        self.frames.push(Frame { scope: None, range: None, is_full: false });
        let bytes = self.view.bytes;
        while self.at < bytes.len() {
            let start = self.at;
            let code = uleb(bytes, &mut self.at)?;
            if code == 0 {
                let frame = self.frames.pop()?;
                if let Some(range) = frame.range {
                    self.ranges[range as usize].end = start;
                }
                if self.frames.is_empty() {
                    break;
                }
                continue;
            }
            let abbreviation = self.view.abbreviations.get(code)?;
            if S::PICKS && self.sink.wants(start as u64) {
                self.any_entry(abbreviation, start)?;
            } else if abbreviation.is_interesting {
                self.entry(abbreviation, start)?;
            } else {
                self.other(abbreviation)?;
            }
        }
        if self.at > bytes.len() {
            return None;
        }
        for Deferred { origin, name, entry } in std::mem::take(&mut self.deferred) {
            let scope = self.scope_at(origin).unwrap_or(outside);
            self.sink.named(scope, name, &entry);
        }
        Some(())
    }

    /// Moves behind an entry that indices leave out; into its children if functions are searched.
    #[inline(always)]
    fn other(&mut self, abbreviation: &Abbreviation) -> Option<()> {
        let is_full = self.frames.last()?.is_full;
        if !abbreviation.has_children || is_full {
            self.view.abbreviations.skip(abbreviation, self.view.bytes, &mut self.at)?;
            if abbreviation.has_children {
                let scope = self.frames.last()?.scope;
                self.frames.push(Frame { scope, range: None, is_full });
            }
            return Some(());
        }
        self.skip_tree(abbreviation)
    }

    /// Moves from the first value of an entry behind its last child.
    #[inline(always)]
    fn skip_tree(&mut self, abbreviation: &Abbreviation) -> Option<()> {
        let UnitView { bytes, abbreviations, .. } = *self.view;
        if let Some(sibling) = abbreviations.sibling(abbreviation, bytes, self.at)
            && self.leap(sibling)
        {
            return Some(());
        }
        abbreviations.skip(abbreviation, bytes, &mut self.at)?;
        self.skip_children()
    }

    /// Moves to `sibling` if it is ahead.
    #[inline(always)]
    fn leap(&mut self, sibling: u64) -> bool {
        let is_ahead = sibling > self.at as u64 && sibling <= self.view.bytes.len() as u64;
        if is_ahead {
            self.at = sibling as usize;
        }
        is_ahead
    }

    /// Moves behind the end of the list of children that begins here.
    fn skip_children(&mut self) -> Option<()> {
        let UnitView { bytes, abbreviations, .. } = *self.view;
        let mut depth = 1usize;
        while depth != 0 {
            let code = uleb(bytes, &mut self.at)?;
            if code == 0 {
                depth -= 1;
                continue;
            }
            let abbreviation = abbreviations.get(code)?;
            if abbreviation.has_children {
                if let Some(sibling) = abbreviations.sibling(abbreviation, bytes, self.at)
                    && self.leap(sibling)
                {
                    continue;
                }
                depth += 1;
            }
            abbreviations.skip(abbreviation, bytes, &mut self.at)?;
        }
        Some(())
    }

    /// Reads the values of an entry, which begin at `at`.
    #[inline(always)]
    fn read(&self, abbreviation: &Abbreviation, at: &mut usize) -> Option<EntryAttributes<'a>> {
        match self.view.abbreviations.places(abbreviation) {
            Some(places) if !self.wants_addresses => self.read_at(abbreviation, places, at),
            _ => self.read_in_order(abbreviation, at),
        }
    }

    /// [`Walk::read`] if all needed values have known places.
    #[inline(always)]
    fn read_at(
        &self,
        abbreviation: &Abbreviation,
        places: &Places,
        at: &mut usize,
    ) -> Option<EntryAttributes<'a>> {
        let UnitView { bytes, abbreviations, .. } = *self.view;
        let value = |(offset, form)| self.value_at(*at, offset, form);
        let mut said = EntryAttributes {
            is_declaration: places.is_declaration,
            is_external: places.is_external,
            is_enum_class: places.is_enum_class,
            ..EntryAttributes::default()
        };
        if let Some(place) = places.name {
            said.name = self.view.text(value(place)?);
        }
        if let Some(place) = places.linkage_name
            && (places.name.is_none() || self.view.root.language.lists_linkage_names())
        {
            said.linkage_name = self.view.text(value(place)?);
        }
        if let Some(place) = places.origin {
            said.origin = Some(value(place)?);
        }
        abbreviations.skip(abbreviation, bytes, at)?;
        said.sibling = self.sibling_before(abbreviation, *at);
        Some(said)
    }

    /// [`Walk::read`] by parsing the values one by one.
    fn read_in_order(
        &self,
        abbreviation: &Abbreviation,
        at: &mut usize,
    ) -> Option<EntryAttributes<'a>> {
        let mut said = EntryAttributes::default();
        for attribute in self.view.abbreviations.attributes(abbreviation) {
            match attribute.name {
                DW_AT_name | DW_AT_linkage_name | DW_AT_MIPS_linkage_name => {
                    let text = self.view.text(self.view.value(attribute, at)?);
                    let field = match attribute.name {
                        DW_AT_name => &mut said.name,
                        _ => &mut said.linkage_name,
                    };
                    *field = field.or(text);
                }
                DW_AT_sibling
                | DW_AT_declaration
                | DW_AT_external
                | DW_AT_specification
                | DW_AT_abstract_origin
                | DW_AT_extension
                | DW_AT_enum_class
                | DW_AT_low_pc
                | DW_AT_high_pc
                | DW_AT_ranges
                | DW_AT_main_subprogram
                | DW_AT_import => {
                    let value = self.view.value(attribute, at)?;
                    self.take(attribute.name, value, &mut said);
                }
                _ => self.view.abbreviations.skip_one(attribute, self.view.bytes, at)?,
            }
        }
        Some(said)
    }

    #[inline(always)]
    fn take(&self, name: DwAt, value: Value<'a>, said: &mut EntryAttributes<'a>) {
        let is_set = !matches!(value, Value::Flag(false) | Value::Number(0));
        match name {
            DW_AT_sibling => {
                if let Value::UnitEntry(sibling) = value {
                    said.sibling = sibling;
                }
            }
            DW_AT_declaration => said.is_declaration = is_set,
            DW_AT_external => said.is_external = is_set,
            DW_AT_enum_class => said.is_enum_class = is_set,
            DW_AT_main_subprogram => said.is_main = is_set,
            DW_AT_import => said.import = Some(value),
            DW_AT_low_pc if self.wants_addresses => {
                let UnitView { sections, unit, ref root, .. } = *self.view;
                said.low = root.bases.address(sections, value, unit.encoding);
            }
            DW_AT_high_pc => said.high = Some(value),
            DW_AT_ranges => said.ranges = Some(value),
            DW_AT_low_pc => {}
            _ => said.origin = Some(value),
        }
    }

    #[inline(always)]
    fn entry(&mut self, abbreviation: &Abbreviation, start: usize) -> Option<()> {
        if abbreviation.is_plain && !self.wants_addresses {
            self.plain_entry(abbreviation, start)
        } else {
            self.any_entry(abbreviation, start)
        }
    }

    /// Takes an entry that has a name of its own and needs no special treatment, as most do.
    #[inline(always)]
    fn plain_entry(&mut self, abbreviation: &Abbreviation, start: usize) -> Option<()> {
        let &Abbreviation { tag, has_children, is_external, name: at, .. } = abbreviation;
        let UnitView { bytes, abbreviations, ref root, .. } = *self.view;
        let first = self.at;
        abbreviations.skip(abbreviation, bytes, &mut self.at)?;
        let is_variable = tag == DW_TAG_variable;
        let is_declaration = abbreviation.is_declaration && !(is_variable && is_external);
        let mut own = None;
        if !is_declaration || is_class(tag) && has_children {
            let is_shared = root.language == Language::Cxx
                && (is_class(tag) || matches!(tag, DW_TAG_enumeration_type | DW_TAG_enumerator));
            let is_static = !is_external && !is_shared;
            let entry =
                Entry { tag, offset: start as u64, is_static, is_declaration, is_main: false };
            if let Some(name) = self.view.text(self.value_at(first, at.0, at.1)?) {
                let scope = self.frames.last()?.scope.unwrap_or_else(|| self.sink.outside());
                own = Some(self.sink.named(scope, name, &entry));
            }
        }
        if !has_children {
            return Some(());
        }
        if let Some((inside, is_full)) = self.inside(tag, own, abbreviation.is_enum_class) {
            self.push(inside, is_full, start);
            return Some(());
        }
        match self.sibling_before(abbreviation, self.at) {
            0 => self.skip_children(),
            sibling if self.leap(sibling) => Some(()),
            _ => self.skip_children(),
        }
    }

    /// DW_AT_sibling of an entry whose values end at `end`; 0 if it has none.
    #[inline(always)]
    fn sibling_before(&self, abbreviation: &Abbreviation, end: usize) -> u64 {
        let back = usize::from(abbreviation.sibling_from_end);
        if back == 0 {
            return 0;
        }
        let at = &mut end.wrapping_sub(back);
        values::fixed(self.view.bytes, at, 4, self.view.unit.encoding.order).unwrap_or(0)
    }

    /// The value at `offset` from `first`, where the values of the entry begin.
    #[inline(always)]
    fn value_at(&self, first: usize, offset: u16, form: DwForm) -> Option<Value<'a>> {
        let at = &mut (first + usize::from(offset));
        let UnitView { bytes, unit, .. } = *self.view;
        let order = unit.encoding.order;
        match form {
            DW_FORM_strp if unit.encoding.offset_size == 4 => {
                Some(Value::String(values::fixed(bytes, at, 4, order)?))
            }
            DW_FORM_ref4 => Some(Value::UnitEntry(values::fixed(bytes, at, 4, order)?)),
            _ => values::read(bytes, at, form, 0, unit.encoding),
        }
    }

    fn any_entry(&mut self, abbreviation: &Abbreviation, start: usize) -> Option<()> {
        let (tag, has_children) = (abbreviation.tag, abbreviation.has_children);
        let mut at = self.at;
        let mut said = self.read(abbreviation, &mut at)?;
        self.at = at;
        if tag == DW_TAG_imported_unit {
            if let Some(Value::Entry(offset)) = said.import {
                self.sink.imports(offset);
            }
            return if has_children { self.skip_children() } else { Some(()) };
        }
        let scope = self.frames.last()?.scope;
        if self.wants_addresses && tag == DW_TAG_subprogram {
            self.note_addresses(&said);
        }
        let own = self.give(abbreviation, start, scope, &mut said);
        if !has_children {
            return Some(());
        }
        match self.inside(tag, own, said.is_enum_class) {
            Some((inside, is_full)) => self.push(inside, is_full, start),
            None if said.sibling != 0 && self.leap(said.sibling) => {}
            None => self.skip_children()?,
        }
        Some(())
    }

    /// Gives the entry at `start` to the sink, if it has a name; returns the scope that the entry
    /// is.
    #[inline(always)]
    fn give(
        &mut self,
        abbreviation: &Abbreviation,
        start: usize,
        scope: Option<S::Scope>,
        said: &mut EntryAttributes<'a>,
    ) -> Option<S::Scope> {
        let (tag, language) = (abbreviation.tag, self.view.root.language);
        let mut entry = Entry {
            tag,
            offset: start as u64,
            is_static: !said.is_external,
            is_declaration: false,
            is_main: said.is_main,
        };
        let (mut parent, mut deferred) = (scope, None);
        if said.is_declaration && !(tag == DW_TAG_variable && said.is_external) {
            if (is_class(tag) || tag == DW_TAG_namespace) && abbreviation.has_children {
                entry.is_declaration = true;
            } else {
                (said.name, said.linkage_name) = (None, None);
            }
        } else if let Some(origin) = said.origin
            && (said.name.is_none() || parent.is_none() && language != Language::C)
        {
            deferred = self.follow(origin, start, said, &mut entry, &mut parent);
        }
        settle(tag, language, &mut entry, said);
        let outside = self.sink.outside();
        if let Some(name) = said.name {
            if let Some(origin) = deferred {
                self.deferred.push(Deferred { origin, name, entry });
                return None;
            }
            let own = self.sink.named(parent.unwrap_or(outside), name, &entry);
            if let Some(linkage_name) = said.linkage_name
                && language.lists_linkage_names()
            {
                self.sink.named(outside, linkage_name, &Entry { is_main: false, ..entry });
            }
            return Some(own);
        }
        if let Some(Value::Entry(target)) = said.origin
            && !said.is_declaration
        {
            self.sink.foreign(target, &entry);
            return None;
        }
        if let Some(name) = said.linkage_name
            && matches!(tag, DW_TAG_subprogram | DW_TAG_inlined_subroutine)
        {
            self.sink.named(outside, name, &entry);
        }
        None
    }

    /// The scope of an entry's children, and whether functions among them are searched; `None` if
    /// indices leave out all of them.
    fn inside(
        &self,
        tag: DwTag,
        own: Option<S::Scope>,
        is_enum_class: bool,
    ) -> Option<(Option<S::Scope>, bool)> {
        let language = self.view.root.language;
        let is_full = self.frames.last()?.is_full;
        match tag {
            DW_TAG_enumeration_type => Some((own.filter(|_| is_enum_class), is_full)),
            DW_TAG_namespace => Some((own, is_full)),
            DW_TAG_module => own.map(|own| (Some(own), is_full)),
            DW_TAG_subprogram if language.nests_functions() => own.map(|own| (Some(own), true)),
            _ if is_class(tag) && language != Language::C => own.map(|own| (Some(own), is_full)),
            _ => None,
        }
    }

    /// Starts with the children of the entry at `start`, whose scope is `scope` or, if that is
    /// `None`, the enclosing one.
    fn push(&mut self, scope: Option<S::Scope>, is_full: bool, start: usize) {
        let around = self.frames.last().and_then(|frame| frame.scope);
        let range = scope.map(|scope| {
            let within = self.frames.iter().rev().find_map(|frame| frame.range);
            self.ranges.push(ScopeRange { start, end: usize::MAX, scope, within });
            self.ranges.len() as u32 - 1
        });
        self.frames.push(Frame { scope: scope.or(around), range, is_full });
    }

    fn note_addresses(&mut self, said: &EntryAttributes<'a>) {
        let UnitView { sections, unit, ref root, .. } = *self.view;
        if let Some((low, high)) = said.low.zip(said.high)
            && let Some(range) = span(&root.bases, sections, low, high, unit.encoding)
        {
            self.sink.covers(range);
        } else if let Some(ranges) = said.ranges {
            let found = root.bases.list(sections, ranges, unit.encoding);
            found.unwrap_or_default().into_iter().for_each(|range| self.sink.covers(range));
        }
    }

    /// Follows an entry to the one that it completes, and takes missing attributes and the scope
    /// from there. Returns the place of the completed entry if its scope is not known yet.
    fn follow(
        &mut self,
        origin: Value<'a>,
        start: usize,
        said: &mut EntryAttributes<'a>,
        entry: &mut Entry,
        parent: &mut Option<S::Scope>,
    ) -> Option<usize> {
        let bytes = self.view.bytes;
        let mut next = Some(origin);
        let mut deferred = None;
        for _ in 0..MAX_ORIGINS {
            let offset = self.offset_here(next?)?;
            if offset >= bytes.len() || offset < usize::from(self.view.unit.header_size) {
                return deferred;
            }
            if parent.is_none() {
                if offset > start {
                    deferred = deferred.or(Some(offset))
                } else {
                    *parent = self.scope_at(offset)
                }
            }
            let mut at = offset;
            let code = uleb(bytes, &mut at)?;
            let abbreviation = self.view.abbreviations.get(code)?;
            let there = self.read(abbreviation, &mut at)?;
            said.name = said.name.or(there.name);
            said.linkage_name = said.linkage_name.or(there.linkage_name);
            entry.is_static &= !there.is_external;
            entry.is_main |= there.is_main;
            next = there.origin;
            if next.is_none() || said.name.is_some() && parent.is_some() {
                break;
            }
        }
        deferred.filter(|_| parent.is_none())
    }

    /// The place in this unit that a value refers to.
    fn offset_here(&self, value: Value<'_>) -> Option<usize> {
        match value {
            Value::UnitEntry(offset) => usize::try_from(offset).ok(),
            Value::Entry(offset) => {
                let offset = offset.checked_sub(self.view.unit.start)?;
                usize::try_from(offset).ok()
            }
            _ => None,
        }
    }

    /// The scope of an already walked entry, by its distance from the header.
    fn scope_at(&self, offset: usize) -> Option<S::Scope> {
        let behind = self.ranges.partition_point(|range| range.start < offset);
        let mut at = behind.checked_sub(1)?;
        loop {
            let range = &self.ranges[at];
            if offset < range.end {
                return Some(range.scope);
            }
            at = range.within? as usize;
        }
    }
}

fn is_class(tag: DwTag) -> bool {
    matches!(
        tag,
        DW_TAG_class_type | DW_TAG_interface_type | DW_TAG_structure_type | DW_TAG_union_type
    )
}

/// Adjusts linkage and name of an entry by its tag.
#[inline(always)]
fn settle(tag: DwTag, language: Language, entry: &mut Entry, said: &mut EntryAttributes<'_>) {
    match tag {
        DW_TAG_module => entry.is_static = false,
        DW_TAG_namespace => {
            entry.is_static = false;
            if matches!(said.name, Some(Text::Inline(b"::"))) {
                // gcc 4.0 gave this name to the global namespace.
                said.name = None;
            } else {
                said.name = said.name.or(Some(Text::Inline(b"(anonymous namespace)")));
            }
        }
        DW_TAG_enumeration_type | DW_TAG_enumerator if language == Language::Cxx => {
            entry.is_static = false;
        }
        _ if is_class(tag) && language == Language::Cxx => entry.is_static = false,
        _ => {}
    }
}
