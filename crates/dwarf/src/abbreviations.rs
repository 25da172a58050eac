//! Abbreviation tables (DWARF 5, section 7.5.3), compiled for two uses: to skip an entry as fast as
//! possible, and to read the attributes of an entry that an index needs.

use super::values::{self, Encoding, Extent, uleb};
use gimli::constants::*;
use skald_core::ids::IndexRange;
use skald_core::unordered::UnorderedMap;
use skald_linking::cursor::Malformed;
use std::ops::Range;

/// The fault of an abbreviation that has an attribute of an unknown form.
pub const UNKNOWN_FORM: &str = "unknown form of values";

/// No fixed size, no sibling.
const NONE: u16 = u16::MAX;

/// An abbreviation: the tag and attributes of an entry. The struct is small, so that all
/// abbreviations of a unit stay in the level 1 cache.
#[derive(Debug, Clone, Copy)]
pub struct Abbreviation {
    /// DW_TAG_*.
    pub tag: DwTag,
    /// DW_CHILDREN_yes.
    pub has_children: bool,
    /// An index may need entries of this abbreviation: see [`is_interesting`].
    pub is_interesting: bool,
    /// Entries have a name at [`Abbreviation::name`], and need no special treatment.
    pub is_plain: bool,
    /// DW_AT_declaration.
    pub is_declaration: bool,
    /// DW_AT_external.
    pub is_external: bool,
    /// DW_AT_enum_class.
    pub is_enum_class: bool,
    /// `.debug_names` may list entries of this abbreviation: see [`is_listed`].
    pub may_be_listed: bool,
    /// A variable with DW_AT_const_value and without an address: `.debug_names` lists it only
    /// outside functions.
    pub is_constant: bool,
    /// DW_AT_declaration of any value.
    pub is_declared: bool,
    /// Size of all values in bytes; [`NONE`] if it depends on the entry.
    size: u16,
    /// Offset of a DW_AT_sibling of DW_FORM_ref4 among the values; [`NONE`] if there is none.
    sibling: u16,
    /// Offset and form of DW_AT_name among the values, if it is plain.
    pub name: (u16, DwForm),
    /// Distance from a DW_AT_sibling of DW_FORM_ref4 to the end of the values; 0 if there is none.
    pub sibling_from_end: u16,
    /// Its position in the table.
    position: u32,
}

impl Abbreviation {
    /// Its position in the table.
    pub fn position(&self) -> usize {
        self.position as usize
    }
}

/// The part of an abbreviation that is not needed to skip an entry.
#[derive(Debug)]
struct Details {
    places: Option<Places>,
    /// Range of the abbreviation in [`Abbreviations::steps`].
    steps: Range<u32>,
    /// Range of the abbreviation in [`Abbreviations::attributes`].
    attributes: Range<u32>,
}

/// Places of the values that an index needs: offsets from the first value, and forms.
#[derive(Debug, Clone, Copy, Default)]
pub struct Places {
    /// DW_AT_name.
    pub name: Option<(u16, DwForm)>,
    /// DW_AT_linkage_name or DW_AT_MIPS_linkage_name.
    pub linkage_name: Option<(u16, DwForm)>,
    /// DW_AT_specification, DW_AT_abstract_origin or DW_AT_extension.
    pub origin: Option<(u16, DwForm)>,
    /// Distance from a DW_AT_sibling of DW_FORM_ref4 to the end of the values; 0 if there is none.
    pub sibling_from_end: u16,
    /// DW_AT_declaration.
    pub is_declaration: bool,
    /// DW_AT_external.
    pub is_external: bool,
    /// DW_AT_enum_class.
    pub is_enum_class: bool,
}

impl Places {
    /// Whether an entry with this tag has a name of its own, and needs no special treatment.
    fn is_plain(&self, tag: DwTag) -> bool {
        self.name.is_some()
            && self.origin.is_none()
            && !matches!(tag, DW_TAG_namespace | DW_TAG_module | DW_TAG_imported_unit)
    }

    /// Positions of the attributes that names need, in an entry with `attributes`.
    fn of(attributes: &[Attribute]) -> Option<Places> {
        let mut places = Places::default();
        let mut offset = Some(0u16);
        // Bytes from the start of the sibling on.
        let mut from_end: Option<u16> = None;
        for attribute in attributes {
            let place = offset.map(|offset| (offset, attribute.form));
            let is_set = attribute.form == DW_FORM_flag_present;
            match attribute.name {
                DW_AT_name => places.name = Some(places.name.or(place)?),
                DW_AT_linkage_name | DW_AT_MIPS_linkage_name => {
                    places.linkage_name = Some(places.linkage_name.or(place)?);
                }
                DW_AT_specification | DW_AT_abstract_origin | DW_AT_extension => {
                    places.origin = Some(place?);
                }
                DW_AT_sibling if attribute.form == DW_FORM_ref4 => from_end = Some(0),
                DW_AT_declaration if is_set => places.is_declaration = true,
                DW_AT_external if is_set => places.is_external = true,
                DW_AT_enum_class if is_set => places.is_enum_class = true,
                DW_AT_declaration | DW_AT_external | DW_AT_enum_class => return None,
                DW_AT_main_subprogram | DW_AT_import => return None,
                _ => {}
            }
            let size = match attribute.extent {
                Extent::Fixed(size) => u16::try_from(size).ok(),
                _ => None,
            };
            let behind = |before: Option<u16>| before.and_then(|before| before.checked_add(size?));
            (offset, from_end) = (behind(offset), behind(from_end));
        }
        places.sibling_from_end = from_end.unwrap_or(0);
        Some(places)
    }
}

/// An attribute, and how its value is encoded.
#[derive(Debug, Clone, Copy)]
pub struct Attribute {
    /// DW_AT_*.
    pub name: DwAt,
    /// DW_FORM_*.
    pub form: DwForm,
    /// The value of DW_FORM_implicit_const.
    pub constant: i64,
    extent: Extent,
}

/// An abbreviation table, compiled for units of one encoding.
#[derive(Debug)]
pub struct Abbreviations {
    encoding: Encoding,
    all: Vec<Abbreviation>,
    details: Vec<Details>,
    /// Extents of values, those of fixed size added up.
    steps: Vec<Extent>,
    attributes: Vec<Attribute>,
    /// Positions by code; empty where each code is the position plus one.
    positions: UnorderedMap<u64, u32>,
    /// Where the table ends in `.debug_abbrev`, if it was read as a whole.
    end: usize,
}

impl Abbreviations {
    /// The table at `offset` of `.debug_abbrev`.
    ///
    /// # Errors
    /// With the offset in `.debug_abbrev`.
    pub fn parse(
        bytes: &[u8],
        offset: u64,
        encoding: Encoding,
    ) -> Result<Abbreviations, Malformed> {
        Abbreviations::parse_until(bytes, offset, encoding, 0)
    }

    /// The table at `offset` up to the abbreviation with the code `last`, for a reader of one
    /// entry.
    ///
    /// # Errors
    /// As of [`Abbreviations::parse`].
    pub fn parse_until(
        bytes: &[u8],
        offset: u64,
        encoding: Encoding,
        last: u64,
    ) -> Result<Abbreviations, Malformed> {
        let mut table = Abbreviations {
            encoding,
            all: Vec::new(),
            steps: Vec::new(),
            attributes: Vec::new(),
            details: Vec::new(),
            positions: UnorderedMap::new(),
            end: 0,
        };
        let mut at = usize::try_from(offset).unwrap_or(usize::MAX);
        loop {
            let start = at;
            let truncated = || Malformed::new("truncated abbreviations", start);
            match uleb(bytes, &mut at).ok_or_else(truncated)? {
                0 => {
                    table.end = at;
                    return Ok(table);
                }
                code => {
                    let read = table.abbreviation(bytes, &mut at, code);
                    read.map_err(|what| Malformed::new(what, start))?;
                    if code == last {
                        return Ok(table);
                    }
                }
            }
        }
    }

    fn abbreviation(
        &mut self,
        bytes: &[u8],
        at: &mut usize,
        code: u64,
    ) -> Result<(), &'static str> {
        const TRUNCATED: &str = "truncated abbreviations";
        let tag = uleb(bytes, at).ok_or(TRUNCATED)?;
        let has_children = *bytes.get(*at).ok_or(TRUNCATED)? != 0;
        *at += 1;
        let first = self.attributes.len();
        loop {
            let name = uleb(bytes, at).ok_or(TRUNCATED)?;
            let form = uleb(bytes, at).ok_or(TRUNCATED)?;
            let form = DwForm(u16::try_from(form).unwrap_or(u16::MAX));
            let mut constant = 0;
            if form == DW_FORM_implicit_const {
                constant = sleb(bytes, at).ok_or(TRUNCATED)?;
            }
            if name == 0 && form.0 == 0 {
                break;
            }
            let extent = values::extent(form, self.encoding).ok_or(UNKNOWN_FORM)?;
            let name = DwAt(u16::try_from(name).unwrap_or(u16::MAX));
            self.attributes.push(Attribute { name, form, constant, extent });
        }
        let tag = DwTag(u16::try_from(tag).unwrap_or(u16::MAX));
        self.add(code, tag, has_children, first)
    }

    /// Adds an abbreviation of the attributes from `first` on.
    fn add(
        &mut self,
        code: u64,
        tag: DwTag,
        has_children: bool,
        first: usize,
    ) -> Result<(), &'static str> {
        let attributes = &self.attributes[first..];
        let first_step = self.steps.len();
        // Bytes before the attribute, while all of them have a fixed size.
        let mut size = Some(0u32);
        let mut sibling = NONE;
        for attribute in attributes {
            let is_sibling = (attribute.name, attribute.form) == (DW_AT_sibling, DW_FORM_ref4);
            if let Some(before) = size.filter(|_| is_sibling) {
                sibling = u16::try_from(before).unwrap_or(NONE);
            }
            let last = self.steps[first_step..].last_mut();
            match (attribute.extent, last) {
                (Extent::Fixed(0), _) => {}
                (Extent::Fixed(more), Some(Extent::Fixed(fixed))) => {
                    *fixed = fixed.saturating_add(more);
                }
                (extent, _) => self.steps.push(extent),
            }
            size = match attribute.extent {
                Extent::Fixed(more) => size.and_then(|size| size.checked_add(more)),
                _ => None,
            };
        }
        let places = Places::of(attributes);
        let is_interesting = is_interesting(tag, has_children, attributes);
        let may_be_listed = is_listed(tag, attributes);
        let is_declared = has(attributes, &[DW_AT_declaration]);
        let is_constant = is_constant(tag, attributes);
        self.details.push(Details {
            places,
            steps: first_step as u32..self.steps.len() as u32,
            attributes: first as u32..self.attributes.len() as u32,
        });
        let position = self.all.len() as u32;
        let known = places.unwrap_or_default();
        self.all.push(Abbreviation {
            tag,
            has_children,
            is_interesting,
            is_plain: places.is_some_and(|places| places.is_plain(tag)),
            is_declaration: known.is_declaration,
            is_external: known.is_external,
            is_enum_class: known.is_enum_class,
            may_be_listed,
            is_constant,
            is_declared,
            size: size.and_then(|size| u16::try_from(size).ok()).unwrap_or(NONE),
            sibling,
            name: known.name.unwrap_or((0, DwForm(0))),
            sibling_from_end: known.sibling_from_end,
            position,
        });
        self.number(code, position)
    }

    /// Notes which abbreviation has a code.
    fn number(&mut self, code: u64, position: u32) -> Result<(), &'static str> {
        // Codes count from 1 in all but made-up tables.
        if self.positions.is_empty() && code == u64::from(position) + 1 {
            return Ok(());
        }
        if self.positions.is_empty() {
            self.positions = (0..position).map(|at| (u64::from(at) + 1, at)).collect();
        }
        match self.positions.insert(code, position) {
            None => Ok(()),
            Some(_) => Err("abbreviation code is used twice"),
        }
    }

    /// The abbreviation with this code.
    #[inline(always)]
    pub fn get(&self, code: u64) -> Option<&Abbreviation> {
        if self.positions.is_empty() {
            self.all.get(usize::try_from(code.wrapping_sub(1)).ok()?)
        } else {
            self.get_by_code(code)
        }
    }

    #[cold]
    fn get_by_code(&self, code: u64) -> Option<&Abbreviation> {
        self.all.get(*self.positions.get(&code)? as usize)
    }

    /// Where the values of an entry are, if they are at known places.
    #[inline(always)]
    pub fn places(&self, abbreviation: &Abbreviation) -> Option<&Places> {
        self.details(abbreviation).places.as_ref()
    }

    #[inline(always)]
    fn details(&self, abbreviation: &Abbreviation) -> &Details {
        let position = abbreviation.position as usize;
        &self.details[position]
    }

    /// Where the table ends in `.debug_abbrev`.
    pub fn end(&self) -> usize {
        self.end
    }

    /// All abbreviations, in the order of the table.
    pub fn all(&self) -> &[Abbreviation] {
        &self.all
    }

    /// The attributes of an abbreviation, in order.
    #[inline(always)]
    pub fn attributes(&self, abbreviation: &Abbreviation) -> &[Attribute] {
        let range = self.details(abbreviation).attributes.clone();
        &self.attributes[range.wide()]
    }

    /// Moves `at` from the first value of an entry behind its last one.
    #[inline(always)]
    pub fn skip(&self, abbreviation: &Abbreviation, bytes: &[u8], at: &mut usize) -> Option<()> {
        if abbreviation.size != NONE {
            *at += usize::from(abbreviation.size);
            return Some(());
        }
        let range = self.details(abbreviation).steps.clone();
        for &extent in &self.steps[range.wide()] {
            values::skip(bytes, at, extent, self.encoding)?;
        }
        Some(())
    }

    /// Moves `at` behind the value of one attribute.
    #[inline(always)]
    pub fn skip_one(&self, attribute: &Attribute, bytes: &[u8], at: &mut usize) -> Option<()> {
        values::skip(bytes, at, attribute.extent, self.encoding)
    }

    /// DW_AT_sibling of the entry whose values begin at `at`: the distance of the next sibling from
    /// the unit's header. `None` if the attribute has no fixed place among the values.
    #[inline(always)]
    pub fn sibling(&self, abbreviation: &Abbreviation, bytes: &[u8], at: usize) -> Option<u64> {
        if abbreviation.sibling == NONE {
            return None;
        }
        let at = &mut (at + usize::from(abbreviation.sibling));
        values::fixed(bytes, at, 4, self.encoding.order)
    }
}

/// Reads a signed LEB128 number and moves `at` behind it.
fn sleb(bytes: &[u8], at: &mut usize) -> Option<i64> {
    let start = *at;
    let value = uleb(bytes, at)?;
    let bits = 7 * (*at - start) as u32;
    let is_negative = bytes[*at - 1] & 0x40 != 0;
    Some(if is_negative && bits < 64 { (value | u64::MAX << bits) as i64 } else { value as i64 })
}

/// Whether entries of this abbreviation may have a name that a debugger looks up, or may have
/// children with such names.
///
/// The rules are those of gdb, which makes such an index when it reads a program without one.
fn is_interesting(tag: DwTag, has_children: bool, attributes: &[Attribute]) -> bool {
    let has = |names: &[DwAt]| has(attributes, names);
    let has_origin = has(&[DW_AT_specification, DW_AT_abstract_origin, DW_AT_extension]);
    let has_name = has(&[DW_AT_name, DW_AT_linkage_name, DW_AT_MIPS_linkage_name]);
    if tag == DW_TAG_imported_unit {
        return true;
    }
    if !has_name && !has_origin {
        return matches!(tag, DW_TAG_namespace | DW_TAG_enumeration_type);
    }
    let is_class = matches!(
        tag,
        DW_TAG_structure_type | DW_TAG_class_type | DW_TAG_union_type | DW_TAG_interface_type
    );
    // A class or namespace is the scope of its children even if it is only declared: a type unit
    // has the scopes of its type as declarations.
    if (is_class || tag == DW_TAG_namespace) && has_children {
        return true;
    }
    let is_declaration = |attribute: &Attribute| {
        (attribute.name, attribute.form) == (DW_AT_declaration, DW_FORM_flag_present)
    };
    let is_external = has(&[DW_AT_external]);
    if attributes.iter().any(is_declaration) && (tag != DW_TAG_variable || !is_external) {
        return false;
    }
    // Without an address, a variable is local, or was optimised away.
    if tag == DW_TAG_variable
        && !has_origin
        && !is_external
        && !has(&[DW_AT_location, DW_AT_const_value])
    {
        return false;
    }
    is_class
        || matches!(
            tag,
            DW_TAG_array_type
                | DW_TAG_base_type
                | DW_TAG_constant
                | DW_TAG_enumeration_type
                | DW_TAG_enumerator
                | DW_TAG_imported_declaration
                | DW_TAG_inlined_subroutine
                | DW_TAG_module
                | DW_TAG_namespace
                | DW_TAG_ptr_to_member_type
                | DW_TAG_set_type
                | DW_TAG_string_type
                | DW_TAG_subprogram
                | DW_TAG_subrange_type
                | DW_TAG_generic_subrange
                | DW_TAG_subroutine_type
                | DW_TAG_typedef
                | DW_TAG_unspecified_type
                | DW_TAG_variable
        )
}

/// Whether one of the attributes is one of `names`.
fn has(attributes: &[Attribute], names: &[DwAt]) -> bool {
    attributes.iter().any(|attribute| names.contains(&attribute.name))
}

/// Whether an entry is a variable with DW_AT_const_value and without an address.
fn is_constant(tag: DwTag, attributes: &[Attribute]) -> bool {
    tag == DW_TAG_variable
        && has(attributes, &[DW_AT_const_value])
        && !has(attributes, &[DW_AT_location])
}

/// Whether entries of this abbreviation belong into `.debug_names` (DWARF 5, section 6.1.1.1),
/// provided that they have a name, and variables an address or a value.
fn is_listed(tag: DwTag, attributes: &[Attribute]) -> bool {
    let has = |names: &[DwAt]| has(attributes, names);
    let is_named =
        has(&[DW_AT_name, DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_specification])
            || has(&[DW_AT_abstract_origin]);
    if has(&[DW_AT_declaration]) || !may_be_listed(tag) {
        return false;
    }
    match tag {
        DW_TAG_namespace => true,
        DW_TAG_subprogram | DW_TAG_inlined_subroutine | DW_TAG_label => {
            is_named && has(&[DW_AT_low_pc, DW_AT_high_pc, DW_AT_ranges, DW_AT_entry_pc])
        }
        DW_TAG_variable => is_named && has(&[DW_AT_location, DW_AT_const_value]),
        _ => is_named,
    }
}

/// Whether `.debug_names` may list entries with this tag: functions, labels, variables, types and
/// namespaces. LLVM's verifier also requires all other entries with a name, except for the tags
/// that are excluded here; in practice these other entries are some parameter packs.
pub fn may_be_listed(tag: DwTag) -> bool {
    !matches!(
        tag,
        DW_TAG_compile_unit
            | DW_TAG_partial_unit
            | DW_TAG_skeleton_unit
            | DW_TAG_type_unit
            | DW_TAG_module
            | DW_TAG_formal_parameter
            | DW_TAG_template_value_parameter
            | DW_TAG_template_type_parameter
            | DW_TAG_GNU_template_parameter_pack
            | DW_TAG_GNU_template_template_param
            | DW_TAG_member
            | DW_TAG_enumerator
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use skald_linking::byte_order::ByteOrder;

    const ENCODING: Encoding =
        Encoding { version: 5, offset_size: 4, address_size: 8, order: ByteOrder::Little };

    #[test]
    fn a_table_is_found_by_code_and_says_how_long_entries_are() {
        let bytes = [
            1, 0x34, 1, 0x03, 0x0e, 0x01, 0x13, 0x3a, 0x0b, 0, 0, // variable
            0xc8, 0x01, 0x2e, 0, 0x3f, 0x19, 0x6e, 0x08, 0, 0, // subprogram
            0,
        ];
        let table = Abbreviations::parse(&bytes, 0, ENCODING).expect("the table is right");
        let variable = table.get(1).expect("it has code 1");
        assert_eq!((variable.tag, variable.has_children), (DW_TAG_variable, true));
        let mut at = 0;
        table.skip(variable, &[0; 16], &mut at).expect("the entry is whole");
        assert_eq!(at, 9);
        assert_eq!(table.sibling(variable, &[9, 9, 9, 9, 7, 0, 0, 0, 9], 0), Some(7));
        let function = table.get(200).expect("it has code 200");
        let mut at = 0;
        table.skip(function, b"name\0rest", &mut at).expect("the entry is whole");
        assert_eq!(at, 5);
        assert!(table.get(2).is_none());
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error =
            |bytes: &[u8]| Abbreviations::parse(bytes, 0, ENCODING).expect_err("it is wrong").what;
        assert_eq!(error(&[1, 0x34, 1, 0x03, 0x0e]), "truncated abbreviations");
        assert_eq!(error(&[1, 0x34, 1, 0x03, 0x7f, 0, 0, 0]), "unknown form of values");
        assert_eq!(
            error(&[1, 0x34, 0, 0, 0, 1, 0x34, 0, 0, 0, 0]),
            "abbreviation code is used twice"
        );
        assert_eq!(error(&[]), "truncated abbreviations");
    }
}
