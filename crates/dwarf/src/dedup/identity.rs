//! Finds the types of a unit that other units may define, too: named definitions outside functions
//! and unnamed namespaces. The language is C++, where a name has one definition in a program (ODR),
//! or Rust. But Rust types have no DW_AT_decl_file, so debuggers list them by unit, like types that
//! compilers add.
//!
//! Two types are equal if their entries are: tags, attributes, values, strings, paths of files, the
//! order of children. A reference to an entry within the type has to refer to the same position in
//! both. A reference to an entry outside has to refer to equal entries:
//!
//! - a named type needs the same scope, name and size, and has to be declared in both units or
//!   defined in both. That ends cycles. The content of the named type is compared separately. If it
//!   differs, so do all types that refer to the named type ([`super::owners`]);
//! - all other types (pointers, arrays, function types, typedefs, unnamed types) have to be equal
//!   by these same rules.
//!
//! All this goes into one hash of 128 bits with a random key: types with equal hashes are equal.

use super::expressions::{self, Target};
use super::source_files::SourceFiles;
use super::tree::{EntryId, Tree, is_sibling};
use crate::abbreviations::Attribute;
use crate::entries::UnitView;
use crate::language::Language;
use crate::location_lists;
use crate::names::Text;
use crate::sections::string_at;
use crate::units::UnitKind;
use crate::values::{Encoding, Value};
use gimli::constants::*;
use skald_core::hash::{Hash128, HashKey};
use skald_core::ids::{Column, OptionalId};
use skald_core::unordered::UnorderedMap;
use std::ops::Range;
use std::rc::Rc;

/// A type that other units may define, too.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The entry of the type.
    pub entry: EntryId,
    /// The hash of the whole type; `None` if the type cannot be compared.
    pub content: Option<Hash128>,
    /// The hash of its scope, kind and name.
    pub name: Hash128,
    /// Names of other types that this one refers to, and that its unit defines.
    pub uses: Vec<Hash128>,
    /// The type has no DW_AT_decl_file: debuggers list it by unit, so it stays in all units.
    pub is_of_no_file: bool,
}

/// Maximum length of a chain of references between unnamed types.
const MAX_DEPTH: u32 = 40;

/// An entry directly in a unit or in one of its namespaces.
struct Node {
    entry: EntryId,
    scope: Hash128,
}

/// The label of an entry without a name of its own, which is compared wherever others refer to it.
#[derive(Clone)]
enum Label {
    /// The entry's label is being computed.
    Open,
    /// The entry cannot be equal to one of another unit.
    None,
    /// The hash of the entry, and the named types that it refers to.
    Some(Hash128, Rc<[NodeId]>),
}

/// Whether types of the unit may be compared with those of other units.
fn is_comparable(tree: &Tree<'_>) -> bool {
    tree.unit().kind == UnitKind::Compile && tree.view.root.language == Language::Cxx
}

/// Finds the candidates of a unit. `lines` is `.debug_line`.
pub fn candidates(tree: &Tree<'_>, lines: &[u8], key: &HashKey) -> Vec<Candidate> {
    let files = match tree.value(EntryId::ROOT, DW_AT_stmt_list) {
        Some(Value::SectionOffset(offset) | Value::Number(offset)) => {
            SourceFiles::read(tree, lines, offset, key)
        }
        _ => SourceFiles::read(tree, &[], 0, key),
    };
    let mut nodes = Vec::new();
    collect(tree, key, EntryId::ROOT, 0, MAX_DEPTH, &mut nodes);
    let mut node_of = Column::filled(OptionalId::default(), tree.entries.len());
    for (at, node) in nodes.iter().enumerate() {
        for inside in tree.within(node.entry) {
            node_of[inside] = NodeId::from_index(at).into();
        }
    }
    let nodes = Column::from(nodes);
    let labels = UnorderedMap::new();
    let mut finder = Finder { tree, files, key, nodes, node_of, labels, uses: Vec::new() };
    finder.all(is_comparable(tree))
}

skald_core::id! {
    /// A node of a unit.
    NodeId
}

/// Adds the children of an entry, whose scope is `scope`, and those of namespaces among them.
fn collect(
    tree: &Tree<'_>,
    key: &HashKey,
    within: EntryId,
    scope: Hash128,
    depth: u32,
    nodes: &mut Vec<Node>,
) {
    for entry in tree.children(within) {
        if tree.entries[entry].shape.tag != DW_TAG_namespace {
            nodes.push(Node { entry, scope });
            continue;
        }
        // A namespace without a name of its own (unnamed, or an extension) has types that cannot be
        // compared.
        if let Some(name) = name(tree, entry).filter(|_| depth != 0) {
            let mut bytes = scope.to_le_bytes().to_vec();
            push_text(&mut bytes, name);
            collect(tree, key, entry, key.hash(&bytes), depth - 1, nodes);
        }
    }
}

fn name<'a>(tree: &Tree<'a>, entry: EntryId) -> Option<&'a [u8]> {
    text(&tree.view, tree.value(entry, DW_AT_name)?)
}

/// The text of a string value of any form.
pub fn text<'a>(view: &UnitView<'a>, value: Value<'a>) -> Option<&'a [u8]> {
    Some(match view.text(value)? {
        Text::String(offset) => string_at(view.sections.strings, offset),
        Text::LineString(offset) => string_at(view.sections.line_strings, offset),
        Text::Inline(text) => text,
    })
}

fn push_text(out: &mut Vec<u8>, text: &[u8]) {
    out.extend_from_slice(text);
    out.push(0);
}

fn push_number(out: &mut Vec<u8>, kind: u8, number: u64) {
    out.push(kind);
    out.extend_from_slice(&number.to_le_bytes());
}

/// Whether types of this kind have one definition for each name.
pub fn is_definable(tag: DwTag) -> bool {
    matches!(
        tag,
        DW_TAG_class_type
            | DW_TAG_structure_type
            | DW_TAG_union_type
            | DW_TAG_interface_type
            | DW_TAG_enumeration_type
    )
}

/// Whether types of this kind mean the same in any unit.
fn is_plain_type(tag: DwTag) -> bool {
    is_definable(tag)
        || is_derived(tag)
        || matches!(
            tag,
            DW_TAG_base_type | DW_TAG_unspecified_type | DW_TAG_typedef | DW_TAG_template_alias
        )
}

/// Whether types of this kind are derived from others, and usually unnamed.
pub fn is_derived(tag: DwTag) -> bool {
    matches!(
        tag,
        DW_TAG_pointer_type
            | DW_TAG_reference_type
            | DW_TAG_rvalue_reference_type
            | DW_TAG_const_type
            | DW_TAG_volatile_type
            | DW_TAG_restrict_type
            | DW_TAG_atomic_type
            | DW_TAG_array_type
            | DW_TAG_subroutine_type
            | DW_TAG_ptr_to_member_type
            | DW_TAG_subrange_type
            | DW_TAG_string_type
            | DW_TAG_set_type
    )
}

struct Finder<'t, 'a> {
    tree: &'t Tree<'a>,
    files: SourceFiles,
    key: &'t HashKey,
    nodes: Column<NodeId, Node>,
    /// The node that an entry is in.
    node_of: Column<EntryId, OptionalId<NodeId>>,
    labels: UnorderedMap<EntryId, Label>,
    /// Named types that the entry being hashed refers to, as found so far.
    uses: Vec<NodeId>,
}

impl Finder<'_, '_> {
    fn all(&mut self, is_compared: bool) -> Vec<Candidate> {
        let mut found = Vec::new();
        let mut bytes = Vec::new();
        for id in self.nodes.ids() {
            let Node { entry, scope } = self.nodes[id];
            if !self.is_definition(entry) {
                continue;
            }
            bytes.clear();
            bytes.extend_from_slice(&scope.to_le_bytes());
            self.uses.clear();
            let is_whole = is_compared && self.content(entry, 0, &mut bytes).is_some();
            let content = is_whole.then(|| self.key.hash(&bytes));
            let Some(name) = self.by_name(id, false) else { continue };
            self.uses.sort();
            self.uses.dedup();
            let others = self.uses.iter().filter(|&&used| content.is_some() && used != id);
            let uses = others.filter_map(|&used| self.by_name(used, false)).collect();
            let is_of_no_file = !self.tree.has(entry, DW_AT_decl_file);
            found.push(Candidate { entry, content, name, uses, is_of_no_file });
        }
        found
    }

    fn is_definition(&self, entry: EntryId) -> bool {
        let shape = self.tree.entries[entry].shape;
        let without = [
            DW_AT_declaration,
            DW_AT_specification,
            DW_AT_abstract_origin,
            DW_AT_signature,
            DW_AT_extension,
        ];
        is_definable(shape.tag)
            && self.tree.has(entry, DW_AT_name)
            && !without.iter().any(|&name| self.tree.has(entry, name))
    }

    /// The hash of scope, kind and name of a named type. With `sized`, the hash also covers the
    /// size, whether the type is a declaration, and the signature of its type unit.
    fn by_name(&self, node: NodeId, sized: bool) -> Option<Hash128> {
        let Node { entry, scope } = self.nodes[node];
        let mut bytes = scope.to_le_bytes().to_vec();
        bytes.extend_from_slice(&self.tree.entries[entry].shape.tag.0.to_le_bytes());
        push_text(&mut bytes, name(self.tree, entry)?);
        if sized {
            bytes.push(self.tree.has(entry, DW_AT_declaration).into());
            if let Some(Value::Number(size)) = self.tree.value(entry, DW_AT_byte_size) {
                push_number(&mut bytes, 0, size);
            }
            if let Some(Value::Signature(signature)) = self.tree.value(entry, DW_AT_signature) {
                push_number(&mut bytes, 1, signature);
            }
        }
        Some(self.key.hash(&bytes))
    }

    /// The hash of an entry that a type refers to; `None` if other units cannot have an equal
    /// entry.
    fn label(&mut self, target: EntryId, depth: u32) -> Option<Hash128> {
        let node = self.node_of[target].get()?;
        let entry = self.nodes[node].entry;
        let tag = self.tree.entries[entry].shape.tag;
        if !is_plain_type(tag) {
            return None;
        }
        if self.is_definition(entry) {
            self.uses.push(node);
            let whole = self.by_name(node, true)?;
            if target == entry {
                return Some(whole);
            }
            let mut bytes = whole.to_le_bytes().to_vec();
            push_number(&mut bytes, 0, u64::from(target.number() - entry.number()));
            return Some(self.key.hash(&bytes));
        }
        let is_declared = is_definable(tag)
            && self.tree.has(entry, DW_AT_name)
            && self.tree.has(entry, DW_AT_declaration);
        match (is_declared, target == entry) {
            (true, true) => self.by_name(node, true),
            // A declaration has only those children in a unit that the unit needs, so positions
            // differ.
            (true, false) => {
                let mut bytes = self.by_name(node, true)?.to_le_bytes().to_vec();
                self.path(entry, target, &mut bytes)?;
                let content = self.unnamed(node, target, depth)?;
                bytes.extend_from_slice(&content.to_le_bytes());
                Some(self.key.hash(&bytes))
            }
            (false, true) => self.unnamed(node, entry, depth),
            (false, false) => {
                let mut bytes = self.unnamed(node, entry, depth)?.to_le_bytes().to_vec();
                push_number(&mut bytes, 0, u64::from(target.number() - entry.number()));
                Some(self.key.hash(&bytes))
            }
        }
    }

    /// Appends the names from the children of `outer` down to `target`.
    fn path(&self, outer: EntryId, target: EntryId, bytes: &mut Vec<u8>) -> Option<()> {
        let tree = self.tree;
        let mut at = target;
        for _ in 0..MAX_DEPTH {
            if at == outer {
                return Some(());
            }
            let tag = tree.entries[at].shape.tag;
            bytes.extend_from_slice(&tag.0.to_le_bytes());
            push_text(bytes, name(tree, at).filter(|_| is_plain_type(tag))?);
            at = tree.entries[at].parent;
        }
        None
    }

    /// The hash of an entry's content, for entries that a name does not identify.
    fn unnamed(&mut self, node: NodeId, entry: EntryId, depth: u32) -> Option<Hash128> {
        match self.labels.get(&entry) {
            Some(Label::Some(hash, uses)) => {
                self.uses.extend_from_slice(uses);
                return Some(*hash);
            }
            Some(Label::None | Label::Open) => return None,
            None if depth == MAX_DEPTH => return None,
            None => {}
        }
        self.labels.insert(entry, Label::Open);
        let around = std::mem::take(&mut self.uses);
        let mut bytes = self.nodes[node].scope.to_le_bytes().to_vec();
        let content = self.content(entry, depth + 1, &mut bytes);
        let found = content.map(|()| self.key.hash(&bytes));
        let mut uses = std::mem::replace(&mut self.uses, around);
        uses.sort();
        uses.dedup();
        self.uses.extend_from_slice(&uses);
        let label = found.map_or(Label::None, |hash| Label::Some(hash, uses.into()));
        self.labels.insert(entry, label);
        found
    }

    /// Appends the attributes of an entry and of all its descendants.
    fn content(&mut self, whole: EntryId, depth: u32, out: &mut Vec<u8>) -> Option<()> {
        let tree = self.tree;
        for entry in tree.within(whole) {
            let shape = tree.entries[entry].shape;
            out.extend_from_slice(&shape.tag.0.to_le_bytes());
            let count = tree.entries[entry].end.number() - entry.number();
            out.extend_from_slice(&count.to_le_bytes());
            tree.attributes(entry, |attribute, value, at| {
                if is_sibling(attribute) {
                    return Some(());
                }
                out.extend_from_slice(&attribute.name.0.to_le_bytes());
                self.value(whole, attribute, value, at, depth, out)
            })?;
        }
        Some(())
    }

    /// Appends one value; `None` if its meaning depends on the unit.
    fn value(
        &mut self,
        whole: EntryId,
        attribute: &Attribute,
        value: Value<'_>,
        at: Range<usize>,
        depth: u32,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        let tree = self.tree;
        if location_lists::list(&tree.view, attribute, value).is_some()
            || is_old_offset(attribute, tree.unit().encoding)
        {
            return None;
        }
        match value {
            Value::Number(number)
                if attribute.name == DW_AT_decl_file && self.files.is_file(number) =>
            {
                out.extend_from_slice(&self.files.path(number)?.to_le_bytes());
            }
            Value::Number(number) => match signed(attribute, number, at.len()) {
                Some(number) => push_number(out, 4, number as u64),
                None => {
                    push_number(out, 5, number);
                    out.push(sign_size(attribute, at.len()));
                }
            },
            Value::Flag(flag) => push_number(out, 6, flag.into()),
            Value::Signature(signature) => push_number(out, 7, signature),
            Value::Block(block) => {
                if is_expression(attribute, tree.unit().encoding) {
                    let end = at.end;
                    let range = end - block.len()..end;
                    let (bytes, encoding) = (tree.view.bytes, tree.unit().encoding);
                    // Expressions that refer to entries are not comparable: they would have to be
                    // rewritten.
                    expressions::references(bytes, range, encoding, &mut |_: Target, _| None)?;
                }
                push_number(out, 8, block.len() as u64);
                out.extend_from_slice(block);
            }
            Value::String(_) | Value::LineString(_) | Value::Text(_) | Value::StringIndex(_) => {
                push_text(out, text(&tree.view, value)?);
            }
            Value::UnitEntry(distance) => {
                let target = tree.at(distance)?;
                if whole <= target && target < tree.entries[whole].end {
                    push_number(out, 9, u64::from(target.number() - whole.number()));
                } else {
                    out.push(10);
                    out.extend_from_slice(&self.label(target, depth)?.to_le_bytes());
                }
            }
            Value::Address(_)
            | Value::AddressIndex(_)
            | Value::SectionOffset(_)
            | Value::Entry(_)
            | Value::ListIndex(_)
            | Value::Elsewhere => return None,
        }
        Some(())
    }
}

/// Whether the bytes of an attribute are an expression.
pub fn is_expression(attribute: &Attribute, encoding: Encoding) -> bool {
    match attribute.form {
        DW_FORM_exprloc => true,
        // Before DWARF 4, blocks are either expressions or data; some producers still use them for
        // both.
        DW_FORM_block1 | DW_FORM_block2 | DW_FORM_block4 | DW_FORM_block => {
            let has_bytes = matches!(
                attribute.name,
                DW_AT_const_value | DW_AT_discr_list | DW_AT_default_value
            );
            !has_bytes && (encoding.version < 4 || location_lists::is_location(attribute.name))
        }
        _ => false,
    }
}

/// Whether a number is an offset into a section of ranges, as it may be before DWARF 4.
fn is_old_offset(attribute: &Attribute, encoding: Encoding) -> bool {
    encoding.version < 4
        && attribute.name == DW_AT_ranges
        && matches!(attribute.form, DW_FORM_data4 | DW_FORM_data8)
}

/// Size of a number whose sign depends on its size, or 0.
fn sign_size(attribute: &Attribute, len: usize) -> u8 {
    let has_sign = matches!(
        attribute.name,
        DW_AT_const_value
            | DW_AT_lower_bound
            | DW_AT_upper_bound
            | DW_AT_count
            | DW_AT_discr_value
            | DW_AT_default_value
    );
    let is_fixed =
        matches!(attribute.form, DW_FORM_data1 | DW_FORM_data2 | DW_FORM_data4 | DW_FORM_data8);
    if has_sign && is_fixed { len as u8 } else { 0 }
}

/// The value of a signed number, if it is negative.
fn signed(attribute: &Attribute, number: u64, len: usize) -> Option<i64> {
    let value = match attribute.form {
        DW_FORM_implicit_const => attribute.constant,
        DW_FORM_sdata => {
            let bits = (7 * len as u32).min(64);
            let shift = 64 - bits;
            (number << shift) as i64 >> shift
        }
        _ => 0,
    };
    (value < 0).then_some(value)
}
