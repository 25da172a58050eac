//! An object made of functions that do nothing but call others.

use super::object::{ABS64, ALLOC, EXEC, FUNCTION, Object, PLT32, SectionId, Target, WRITE};

/// An object of functions.
pub struct Code {
    /// The object.
    pub object: Object,
    text: SectionId,
    data: Option<SectionId>,
}

impl Default for Code {
    fn default() -> Self {
        Self::new()
    }
}

impl Code {
    /// An object with a section for code.
    pub fn new() -> Self {
        let mut object = Object::default();
        let text = object.section(".text", ALLOC | EXEC, 16);
        Self { object, text, data: None }
    }

    /// An object with the program's entry point.
    pub fn starting() -> Self {
        let mut code = Self::new();
        code.define("_start");
        code
    }

    /// The section of code.
    pub fn text(&self) -> SectionId {
        self.text
    }

    /// Defines a function of one instruction in the section of code.
    pub fn define(&mut self, name: &str) {
        let value = self.object.data(self.text).len() as u64;
        self.object.data(self.text).push(0xc3);
        let symbol = self.object.global(name);
        self.object.define_at(symbol, self.text, value, 1, FUNCTION);
    }

    /// Defines a function in a section of its own.
    pub fn define_apart(&mut self, name: &str) -> SectionId {
        let section = self.object.section(&format!(".text.{name}"), ALLOC | EXEC, 1);
        self.object.data(section).push(0xc3);
        let symbol = self.object.global(name);
        self.object.define(symbol, section, false, false);
        section
    }

    /// Calls a function from the section of code.
    pub fn call(&mut self, name: &str) {
        self.call_from(self.text, name);
    }

    /// Calls a function from a section.
    pub fn call_from(&mut self, section: SectionId, name: &str) {
        let place = self.object.data(section).len() + 1;
        self.object.data(section).extend([0xe8, 0, 0, 0, 0]);
        let symbol = self.object.global(name);
        self.object.relocate(section, place, PLT32, Target::Global(symbol), -4);
    }

    /// Puts the address of a symbol into `.data`.
    pub fn point_at(&mut self, name: &str) {
        let symbol = self.object.global(name);
        self.point(Target::Global(symbol));
    }

    /// Puts an address into `.data`.
    pub fn point(&mut self, target: Target) {
        let object = &mut self.object;
        let data = *self.data.get_or_insert_with(|| object.section(".data", ALLOC | WRITE, 8));
        let place = self.object.data(data).len();
        self.object.data(data).extend([0; 8]);
        self.object.relocate(data, place, ABS64, target, 0);
    }
}
