//! Qualified names of a program, each stored once: a name and its scope.

use super::sections::{Sections, string_at};
use skald_core::hash::{Hash128, HashKey};
use skald_core::id;
use skald_core::ids::{Column, IndexRange};

/// The place of the text of one component of a name. Within one program, equal texts mostly have
/// the same place, because strings are merged. Different places may still have equal texts, so code
/// that needs equality compares the texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Component(u64);

/// Number of bytes that a [`Component`] can hold inline.
const SHORT: usize = 7;
/// Bits of the place.
const PLACE_BITS: u32 = 60;

impl Component {
    const STRING: u64 = 0;
    const LINE_STRING: u64 = 1 << PLACE_BITS;
    const OWNED: u64 = 2 << PLACE_BITS;
    const SHORT: u64 = 3 << PLACE_BITS;
    const PLACE: u64 = (1 << PLACE_BITS) - 1;

    /// The component of a text of less than [`SHORT`] bytes.
    #[inline(always)]
    fn short(text: &[u8]) -> Component {
        let mut word = [0; 8];
        word[..text.len()].copy_from_slice(text);
        Component(Component::SHORT | u64::from_le_bytes(word))
    }

    /// The offset of the text, if it is in `.debug_str`.
    pub fn string_offset(self) -> Option<u64> {
        (self.0 & !Component::PLACE == Component::STRING).then_some(self.0)
    }
}

/// A text: inline bytes, or an offset in a string section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text<'a> {
    /// Its offset in `.debug_str`.
    String(u64),
    /// Its offset in `.debug_line_str`.
    LineString(u64),
    /// The text itself.
    Inline(&'a [u8]),
}

id! {
    /// A text that is not in a string section.
    TextId
}

/// Texts that are not in a string section, each stored once, in a hash table with open addressing.
/// Texts with equal hashes are equal.
pub struct Texts {
    key: HashKey,
    bytes: Vec<u8>,
    /// Start of each text in `bytes`, and the end of the last one.
    starts: Column<TextId, u64>,
    hashes: Column<TextId, Hash128>,
    /// The ids plus one, by hash; 0 is an empty slot. The number of slots is a power of two.
    slots: Vec<u32>,
    /// The text that was last requested after each text: see `followers` of [`Names`].
    followers: Column<TextId, TextId>,
    /// The text that was requested last.
    last: TextId,
}

impl Default for Texts {
    fn default() -> Texts {
        Texts {
            key: HashKey::random(),
            bytes: Vec::new(),
            starts: Column::filled(0, 1),
            hashes: Column::new(),
            slots: vec![0; FEWEST],
            followers: Column::new(),
            last: TextId::default(),
        }
    }
}

impl Texts {
    /// The component of a text.
    #[inline(always)]
    pub fn component(&mut self, text: Text<'_>) -> Component {
        match text {
            Text::String(offset) => Component(Component::STRING | offset & Component::PLACE),
            Text::LineString(offset) => {
                Component(Component::LINE_STRING | offset & Component::PLACE)
            }
            Text::Inline(text) if text.len() < SHORT => Component::short(text),
            Text::Inline(text) => self.owned(text, self.key.hash(text)),
        }
    }

    /// The component of the text at the start of `bytes`, up to the first NUL or the end, and its
    /// length.
    #[inline(always)]
    pub fn first_component(&mut self, bytes: &[u8]) -> (Component, usize) {
        let (len, hash) = self.key.hash_until::<0, 0>(bytes);
        let text = &bytes[..len];
        let is_short = len < SHORT;
        (if is_short { Component::short(text) } else { self.owned(text, hash) }, len)
    }

    #[inline(always)]
    fn owned(&mut self, text: &[u8], hash: Hash128) -> Component {
        let follower = self.followers.get(self.last).copied().unwrap_or_default();
        let is_as_before = self.hashes.get(follower) == Some(&hash);
        let id = if is_as_before { follower } else { self.look_up(text, hash) };
        self.last = id;
        Component(Component::OWNED | u64::from(id.number()))
    }

    /// The id of a text that did not follow the last one before.
    fn look_up(&mut self, text: &[u8], hash: Hash128) -> TextId {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        let id = loop {
            let Some(number) = self.slots[slot].checked_sub(1) else { break self.hashes.end() };
            let id = TextId::new(number);
            if self.hashes[id] == hash {
                break id;
            }
            slot = (slot + 1) & mask;
        };
        if let Some(follower) = self.followers.get_mut(self.last) {
            *follower = id;
        }
        if id == self.hashes.end() {
            self.slots[slot] = id.number() + 1;
            self.add(text, hash);
        }
        id
    }

    fn add(&mut self, text: &[u8], hash: Hash128) {
        self.bytes.extend_from_slice(text);
        self.starts.push(self.bytes.len() as u64);
        self.hashes.push(hash);
        self.followers.push(TextId::default());
        if 2 * self.hashes.len() > self.slots.len() {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let mask = 4 * self.slots.len() - 1;
        let mut slots = vec![0; mask + 1];
        for (id, &hash) in self.hashes.with_ids() {
            let mut slot = hash as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = id.number() + 1;
        }
        self.slots = slots;
    }

    fn text_of(&self, id: TextId) -> &[u8] {
        &self.bytes[(self.starts[id]..self.starts[id + 1]).wide()]
    }

    /// Takes over the texts of `other`; returns the component of each in this table.
    fn append(&mut self, other: &Texts) -> Column<TextId, Component> {
        let texts = other.hashes.ids().map(|id| other.text_of(id));
        texts.map(|text| self.owned(text, self.key.hash(text))).collect()
    }

    /// Copies the text of a component, which has as many bytes as `out`.
    #[inline]
    pub fn copy(&self, component: Component, sections: &Sections<'_>, out: &mut [u8]) {
        let place = component.0 & Component::PLACE;
        let section = match component.0 & !Component::PLACE {
            Component::STRING => sections.strings,
            Component::LINE_STRING => sections.line_strings,
            Component::OWNED => {
                return out.copy_from_slice(self.text_of(TextId::new(place as u32)));
            }
            _ => return out.copy_from_slice(&place.to_le_bytes()[..out.len()]),
        };
        let rest = section.get(place as usize..).unwrap_or_default();
        if let Some(text) = rest.get(..out.len()) {
            out.copy_from_slice(text);
        }
    }

    /// The text of a component.
    pub fn text<'a>(&'a self, component: Component, sections: &Sections<'a>) -> Cow<'a> {
        let place = component.0 & Component::PLACE;
        match component.0 & !Component::PLACE {
            Component::STRING => Cow::Borrowed(string_at(sections.strings, place)),
            Component::LINE_STRING => Cow::Borrowed(string_at(sections.line_strings, place)),
            Component::OWNED => Cow::Borrowed(self.text_of(TextId::new(place as u32))),
            _ => {
                let bytes = place.to_le_bytes();
                let len = bytes.iter().position(|&byte| byte == 0).unwrap_or(SHORT);
                Cow::Short(bytes, len as u8)
            }
        }
    }
}

/// A text, borrowed or, if short, stored inline.
#[derive(Debug, Clone, Copy)]
pub enum Cow<'a> {
    /// A text of a section.
    Borrowed(&'a [u8]),
    /// Bytes, and the length of the text in them.
    Short([u8; 8], u8),
}

impl Cow<'_> {
    /// The bytes of the text.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Cow::Borrowed(bytes) => bytes,
            Cow::Short(bytes, len) => &bytes[..usize::from(*len)],
        }
    }
}

id! {
    /// A qualified name; or a root, which is the scope of global names.
    QualifiedId
}

impl QualifiedId {
    /// The root of C and C++ names: types in them get the canonical spelling
    /// ([`super::canonical`]), and `::` separates components.
    pub const C: QualifiedId = QualifiedId::new(0);
    /// The root of names whose spelling does not change, with `::` between components.
    pub const COLONS: QualifiedId = QualifiedId::new(1);
    /// The root of names that have dots between components.
    pub const DOTS: QualifiedId = QualifiedId::new(2);

    /// Whether this is a root.
    #[inline(always)]
    pub fn is_root(self) -> bool {
        self <= QualifiedId::DOTS
    }
}

/// A qualified name.
#[derive(Debug, Clone, Copy)]
pub struct Name {
    /// Its scope, which has a smaller number; of a root, itself.
    pub scope: QualifiedId,
    /// The name within its scope.
    pub component: Component,
}

/// Qualified names, each stored once, in a hash table with open addressing.
pub struct Names {
    /// The roots, then the names.
    all: Column<QualifiedId, Name>,
    /// Ids of names, by hash; the id of a root is an empty slot. The number of slots is a power of
    /// two.
    slots: Vec<QualifiedId>,
    /// The name that was last requested after each name. Units that include the same headers have
    /// the same names in the same order, so most names are found without a look-up.
    followers: Column<QualifiedId, QualifiedId>,
    /// The name that was requested last.
    last: QualifiedId,
}

/// Slots to begin with.
const FEWEST: usize = 1 << 12;

impl Default for Names {
    fn default() -> Names {
        let root = |scope| Name { scope, component: Component(Component::SHORT) };
        let all = [QualifiedId::C, QualifiedId::COLONS, QualifiedId::DOTS].map(root).to_vec();
        Names {
            all: Column::from(all),
            slots: vec![QualifiedId::C; FEWEST],
            followers: Column::filled(QualifiedId::C, 3),
            last: QualifiedId::C,
        }
    }
}

impl Names {
    /// The roots, and the names.
    pub fn all(&self) -> &Column<QualifiedId, Name> {
        &self.all
    }

    /// The id of a name in a scope.
    #[inline(always)]
    pub fn intern(&mut self, scope: QualifiedId, component: Component) -> QualifiedId {
        let follower = self.followers[self.last];
        let name = &self.all[follower];
        if name.component == component && name.scope == scope {
            self.last = follower;
            return follower;
        }
        let id = self.look_up(scope, component);
        self.followers[self.last] = id;
        self.last = id;
        id
    }

    fn look_up(&mut self, scope: QualifiedId, component: Component) -> QualifiedId {
        let mask = self.slots.len() - 1;
        let mut slot = hash(scope, component) as usize & mask;
        loop {
            let id = self.slots[slot];
            if id.is_root() {
                break;
            }
            let name = &self.all[id];
            if name.component == component && name.scope == scope {
                return id;
            }
            slot = (slot + 1) & mask;
        }
        let id = self.all.end();
        self.all.push(Name { scope, component });
        self.followers.push(QualifiedId::C);
        self.slots[slot] = id;
        if 2 * self.all.len() > self.slots.len() {
            self.grow();
        }
        id
    }

    #[cold]
    fn grow(&mut self) {
        let mask = 4 * self.slots.len() - 1;
        let mut slots = vec![QualifiedId::C; mask + 1];
        for id in self.all.ids().filter(|id| !id.is_root()) {
            let name = &self.all[id];
            let mut slot = hash(name.scope, name.component) as usize & mask;
            while !slots[slot].is_root() {
                slot = (slot + 1) & mask;
            }
            slots[slot] = id;
        }
        self.slots = slots;
    }

    /// Takes over the names of `other`, whose texts are in `texts`; returns the id of each name in
    /// this table.
    pub fn append(
        &mut self,
        other: &Names,
        texts: &mut Texts,
        other_texts: &Texts,
    ) -> Column<QualifiedId, QualifiedId> {
        let components = texts.append(other_texts);
        let mut ids: Column<QualifiedId, QualifiedId> = Column::new();
        for id in other.all.ids() {
            let Name { scope, component } = other.all[id];
            if id.is_root() {
                ids.push(id);
                continue;
            }
            let component = match component.0 & !Component::PLACE {
                Component::OWNED => components[TextId::new(component.0 as u32)],
                _ => component,
            };
            ids.push(self.intern(ids[scope], component));
        }
        ids
    }
}

#[inline(always)]
fn hash(scope: QualifiedId, component: Component) -> u64 {
    let mixed = component.0 ^ u64::from(scope.number()).rotate_left(40);
    let mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_there_once() {
        let (mut names, mut texts) = (Names::default(), Texts::default());
        let component = |texts: &mut Texts, text: &[u8]| texts.component(Text::Inline(text));
        let (short, long) = (component(&mut texts, b"a"), component(&mut texts, b"a long name"));
        let outer = names.intern(QualifiedId::COLONS, short);
        let inner = names.intern(outer, long);
        assert_ne!(outer, inner);
        assert_eq!(names.intern(outer, component(&mut texts, b"a long name")), inner);
        assert_ne!(names.intern(QualifiedId::DOTS, short), outer);
        for at in 0..10_000 {
            names.intern(inner, Component(at));
        }
        assert_eq!(names.intern(outer, long), inner);
    }

    #[test]
    fn names_of_two_tables_meet() {
        let (mut names, mut texts) = (Names::default(), Texts::default());
        let (mut others, mut other_texts) = (Names::default(), Texts::default());
        let known = texts.component(Text::Inline(b"known"));
        let known = names.intern(QualifiedId::COLONS, known);
        other_texts.component(Text::Inline(b"something else"));
        let same = other_texts.component(Text::Inline(b"known"));
        let same = others.intern(QualifiedId::COLONS, same);
        let new = other_texts.component(Text::Inline(b"a long name"));
        let new = others.intern(same, new);
        let ids = names.append(&others, &mut texts, &other_texts);
        assert_eq!(ids[same], known);
        let Name { scope, component } = names.all()[ids[new]];
        assert_eq!(scope, known);
        assert_eq!(texts.text(component, &Sections::default()).bytes(), b"a long name");
    }
}
