//! A large C++ program that nobody wrote: functions that call each other at random, in objects of
//! the shape that Chromium's debug link has.
//!
//! Everything is computed from numbers: function `f`'s callees, constant and string are hashes of
//! `f`. So any object can be made alone, copies of an inline function are equal, and the value that
//! the program computes can be computed here as well. The program calls itself to a fixed depth,
//! passing through calls, the GOT, strings, data and a table of pointers, and exits with status 0
//! only if the value is right, that is if every relocation on the way was.

use super::object::{
    ABS32, ABS64, ALLOC, EXEC, Object, PC32, PLT32, REX_GOTPCRELX, STRINGS, SectionId, Target,
    WRITE,
};

/// Inline functions per object: Chromium's 9.9 M COMDAT groups over 31 k objects.
const INLINE_PER_OBJECT: u64 = 319;

/// Functions of its own per object, to reach 774 symbols with the local ones.
const OWN_PER_OBJECT: u64 = 40;

/// How many copies of an inline function there are on average.
const COPIES: u64 = 12;

/// Entries of the table of pointers in each object, which become relative relocations.
const TABLE_ENTRIES: u64 = 32;

/// How deep the program calls itself: 2^DEPTH calls.
const DEPTH: u32 = 10;

/// A program of a given number of objects.
pub struct Program {
    objects: u64,
}

/// A function: inline ones are numbered first, then each object's own.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Function(u64);

impl Program {
    /// A program of `objects` objects, at least one.
    pub fn new(objects: u64) -> Self {
        Self { objects: objects.max(1) }
    }

    /// How many objects it has.
    pub fn objects(&self) -> u64 {
        self.objects
    }

    /// The bytes of one object file.
    pub fn object(&self, number: u64) -> Vec<u8> {
        let mut unit = Unit::new(self, number);
        for function in self.inline_functions(number) {
            unit.function(function, true);
        }
        for at in 0..OWN_PER_OBJECT {
            unit.function(self.own(number, at), false);
        }
        unit.table(number);
        unit.datum(number);
        if number == 0 {
            unit.start();
        }
        unit.object.write()
    }

    fn inline_count(&self) -> u64 {
        (self.objects * INLINE_PER_OBJECT / COPIES).max(INLINE_PER_OBJECT)
    }

    /// The inline functions of an object: those assigned to it, so that each is in some object, and
    /// random ones. Sorted and without repetition.
    fn inline_functions(&self, number: u64) -> Vec<Function> {
        let count = self.inline_count();
        let mut ids: Vec<u64> = (number..count).step_by(self.objects as usize).collect();
        let mut salt = 0;
        while (ids.len() as u64) < INLINE_PER_OBJECT.min(count) && salt < INLINE_PER_OBJECT * 2 {
            // The product of two hashes prefers small numbers: some functions are everywhere.
            let (a, b) = (hash(number, salt) >> 32, hash(number, !salt) >> 32);
            ids.push((((a * b) >> 32) * count) >> 32);
            salt += 1;
        }
        ids.sort_unstable();
        ids.dedup();
        ids.into_iter().map(Function).collect()
    }

    fn own(&self, object: u64, at: u64) -> Function {
        Function(self.inline_count() + object * OWN_PER_OBJECT + at)
    }

    /// Own functions call anything; inline ones only inline ones, as their copies are everywhere.
    fn callee(&self, function: Function, which: u64) -> Function {
        let inline = self.inline_count();
        let all = inline + self.objects * OWN_PER_OBJECT;
        let range = if function.0 < inline { inline } else { all };
        Function(hash(function.0, 100 + which) % range)
    }

    fn constant(function: Function) -> u32 {
        hash(function.0, 200) as u32
    }

    fn string(function: Function) -> String {
        // Half of the strings are shared between functions.
        let id =
            if function.0.is_multiple_of(2) { function.0 } else { hash(function.0, 300) % 5000 };
        let first = char::from(b'a' + (hash(id, 301) % 26) as u8);
        format!("{first} message number {id}")
    }

    fn name(&self, function: Function) -> String {
        let words = ["base", "content", "browser", "renderer", "internal", "scheduler", "storage"];
        let word = |salt| words[(hash(function.0, salt) % words.len() as u64) as usize];
        let class = format!("{}Observer{}", word(402), function.0 % 977);
        let method = format!("notify_{}_{}", word(403), function.0);
        let (a, b) = (word(400), word(401));
        let part = |text: &str| format!("{}{text}", text.len());
        format!(
            "_ZN{}{}{}{}EiRKNSt3__112basic_stringIcEE",
            part(a),
            part(b),
            part(&class),
            part(&method)
        )
    }

    fn datum_of(&self, function: Function) -> u64 {
        hash(function.0, 500) % self.objects
    }

    fn datum_value(number: u64) -> u32 {
        hash(number, 501) as u32
    }

    /// What `function` returns when called with `depth`.
    fn value(&self, function: Function, depth: u32) -> u32 {
        let mut value = Self::constant(function);
        if depth > 0 {
            value = value.wrapping_add(self.value(self.callee(function, 0), depth - 1));
            value = value.wrapping_add(self.value(self.callee(function, 1), depth - 1));
            value = value.wrapping_add(u32::from(Self::string(function).as_bytes()[0]));
            value = value.wrapping_add(Self::datum_value(self.datum_of(function)));
        }
        value
    }
}

/// One object being made.
struct Unit<'a> {
    program: &'a Program,
    object: Object,
    strings: SectionId,
    eh_frame: SectionId,
    debug_info: SectionId,
    debug_str: SectionId,
    has_table: Option<SectionId>,
}

impl<'a> Unit<'a> {
    fn new(program: &'a Program, number: u64) -> Self {
        let mut object = Object::default();
        let strings = object.section(".rodata.str1.1", ALLOC | STRINGS, 1);
        let eh_frame = object.section(".eh_frame", ALLOC, 8);
        object.data(eh_frame).extend(CIE);
        let abbreviations = object.section(".debug_abbrev", 0, 1);
        object.data(abbreviations).extend(ABBREVIATIONS);
        let debug_str = object.section(".debug_str", STRINGS, 1);
        let debug_info = object.section(".debug_info", 0, 1);
        // DWARF 4, 7.5.1.1: length (filled at the end), version, abbreviations, address size.
        object.data(debug_info).extend([0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8]);
        object.relocate(debug_info, 6, ABS32, Target::Section(abbreviations), 0);
        let mut unit =
            Self { program, object, strings, eh_frame, debug_info, debug_str, has_table: None };
        unit.debug_entry(1);
        unit.debug_string(&format!("../../synthetic/unit_{number}.cc"));
        unit.debug_string("a generator of objects");
        unit
    }

    fn function(&mut self, function: Function, inline: bool) {
        let program = self.program;
        let name = program.name(function);
        let text = self.object.section(&format!(".text.{name}"), ALLOC | EXEC, 16);
        let symbol = self.object.global(&name);
        self.code(function, text);
        self.object.define(symbol, text, inline, false);
        if inline {
            self.object.comdat(text, symbol);
        }
        let size = self.object.data(text).len() as u32;
        self.frame(text, size);
        self.debug_entry(2);
        self.debug_string(&name);
        let place = self.object.data(self.debug_info).len();
        self.object.data(self.debug_info).extend([0; 8]);
        self.object.relocate(self.debug_info, place, ABS64, Target::Section(text), 0);
        self.object.data(self.debug_info).extend(size.to_le_bytes());
    }

    /// `f(depth)`: its constant and, above depth 0, what its callees return, the first byte of its
    /// string, and a datum that it reaches through the GOT.
    fn code(&mut self, function: Function, text: SectionId) {
        let program = self.program;
        // By a symbol, not by section and offset: the -4 of a PC-relative addend would belong to
        // the string before.
        let string_offset = self.object.data(self.strings).len() as u64;
        let string = self.object.local(&format!(".LC{}", function.0), self.strings, string_offset);
        self.object.data(self.strings).extend(Program::string(function).as_bytes());
        self.object.data(self.strings).push(0);
        let callees = [0, 1].map(|which| program.name(program.callee(function, which)));
        let datum = datum_name(program.datum_of(function));

        let mut at = Vec::new();
        let code = self.object.data(text);
        code.extend([0x53, 0x48, 0x83, 0xec, 0x10, 0xbb]); // push rbx; sub rsp, 16; mov ebx, ...
        code.extend(Program::constant(function).to_le_bytes());
        code.extend([0x85, 0xff, 0x74, 0x2d]); // test edi, edi; je out
        code.extend([0xff, 0xcf, 0x89, 0x7c, 0x24, 0x08]); // dec edi; mov [rsp+8], edi
        let mut instruction = |bytes: &[u8], after: &[u8]| {
            code.extend(bytes);
            at.push(code.len());
            code.extend([0; 4]);
            code.extend(after);
        };
        instruction(&[0xe8], &[0x01, 0xc3, 0x8b, 0x7c, 0x24, 0x08]); // call; add ebx, eax; mov edi
        instruction(&[0xe8], &[0x01, 0xc3]); // call; add ebx, eax
        instruction(&[0x48, 0x8d, 0x05], &[0x0f, 0xb6, 0x00, 0x01, 0xc3]); // lea; movzx; add
        instruction(&[0x48, 0x8b, 0x05], &[0x03, 0x18]); // mov rax, GOT; add ebx, [rax]
        debug_assert_eq!(code.len(), 14 + 0x2d);
        code.extend([0x89, 0xd8, 0x48, 0x83, 0xc4, 0x10, 0x5b, 0xc3]); // out: mov eax, ebx; ...

        for (place, callee) in at.iter().zip(callees) {
            let callee = self.object.global(&callee);
            self.object.relocate(text, *place, PLT32, Target::Global(callee), -4);
        }
        self.object.relocate(text, at[2], PC32, Target::Local(string), -4);
        let datum = self.object.global(&datum);
        self.object.relocate(text, at[3], REX_GOTPCRELX, Target::Global(datum), -4);
    }

    /// An FDE for the whole of a section. LSB, 10.6.1.
    fn frame(&mut self, text: SectionId, size: u32) {
        let frames = self.object.data(self.eh_frame);
        let start = frames.len() as u32;
        frames.extend(20_u32.to_le_bytes());
        frames.extend((start + 4).to_le_bytes());
        frames.extend([0; 4]);
        frames.extend(size.to_le_bytes());
        frames.extend([0, 0x41, 0x0e, 0x10, 0x44, 0x0e, 0x20, 0]); // push rbx; sub rsp, 16
        self.object.relocate(self.eh_frame, start as usize + 8, PC32, Target::Section(text), 0);
    }

    fn debug_entry(&mut self, abbreviation: u8) {
        self.object.data(self.debug_info).push(abbreviation);
    }

    fn debug_string(&mut self, text: &str) {
        let strings = self.object.data(self.debug_str);
        let offset = strings.len() as i64;
        strings.extend(text.as_bytes());
        strings.push(0);
        let place = self.object.data(self.debug_info).len();
        self.object.data(self.debug_info).extend([0; 4]);
        let target = Target::Section(self.debug_str);
        self.object.relocate(self.debug_info, place, ABS32, target, offset);
    }

    /// Pointers to functions, as in a vtable; the first is the program's root.
    fn table(&mut self, number: u64) {
        let table = self.object.section(".data.rel.ro.table", ALLOC | WRITE, 8);
        for at in 0..TABLE_ENTRIES {
            let function = match at {
                0 => self.program.own(number, 0),
                _ => self.program.callee(self.program.own(number, at), 2),
            };
            let symbol = self.object.global(&self.program.name(function));
            self.object.data(table).extend([0; 8]);
            self.object.relocate(table, at as usize * 8, ABS64, Target::Global(symbol), 0);
        }
        let name = self.object.global(&format!("table_{number}"));
        self.object.define(name, table, false, true);
        self.has_table = Some(table);
    }

    fn datum(&mut self, number: u64) {
        let section = self.object.section(".data.datum", ALLOC | WRITE, 4);
        self.object.data(section).extend(Program::datum_value(number).to_le_bytes());
        let symbol = self.object.global(&datum_name(number));
        self.object.define(symbol, section, false, true);
        // The last entry: the unit ends, and its length is known.
        self.debug_entry(0);
        let info = self.object.data(self.debug_info);
        let length = info.len() as u32 - 4;
        info[..4].copy_from_slice(&length.to_le_bytes());
    }

    /// `_start`: calls the root through the table and compares.
    fn start(&mut self) {
        let expected = self.program.value(self.program.own(0, 0), DEPTH);
        let text = self.object.section(".text.start", ALLOC | EXEC, 16);
        let code = self.object.data(text);
        code.extend([0x48, 0x83, 0xe4, 0xf0, 0xbf]); // and rsp, -16; mov edi, depth
        code.extend(DEPTH.to_le_bytes());
        code.extend([0xff, 0x15, 0, 0, 0, 0, 0x3d]); // call [table]; cmp eax, expected
        code.extend(expected.to_le_bytes());
        code.extend([0x0f, 0x95, 0xc0, 0x0f, 0xb6, 0xf8]); // setne al; movzx edi, al
        code.extend([0xb8, 60, 0, 0, 0, 0x0f, 0x05]); // mov eax, SYS_exit; syscall
        let table = self.has_table.expect("the table is made first");
        self.object.relocate(text, 11, PC32, Target::Section(table), -4);
        let symbol = self.object.global("_start");
        self.object.define(symbol, text, false, false);
    }
}

fn datum_name(number: u64) -> String {
    format!("datum_{number}")
}

/// "zR", code alignment 1, data alignment -8, return address 16, PC-relative 4-byte pointers;
/// CFA = rsp + 8, return address at CFA - 8.
const CIE: [u8; 24] =
    [20, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0];

/// 1: compile unit with name and producer; 2: subprogram with name, start and length.
const ABBREVIATIONS: [u8; 21] = [
    1, 0x11, 1, 0x03, 0x0e, 0x25, 0x0e, 0, 0, //
    2, 0x2e, 0, 0x03, 0x0e, 0x11, 0x01, 0x12, 0x06, 0, 0, 0,
];

/// A hash of two numbers (the finalizer of splitmix64).
fn hash(a: u64, b: u64) -> u64 {
    let mut x = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_mul(0xd1b5_4a32_d192_ed03);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_inline_function_is_somewhere() {
        let program = Program::new(40);
        let mut seen: Vec<u64> =
            (0..40).flat_map(|n| program.inline_functions(n)).map(|function| function.0).collect();
        assert!(seen.len() as u64 > program.inline_count() * (COPIES / 2));
        seen.sort_unstable();
        seen.dedup();
        assert!(seen.into_iter().eq(0..program.inline_count()));
    }

    #[test]
    fn objects_depend_on_their_number_alone() {
        let program = Program::new(3);
        assert_eq!(program.object(1), program.object(1));
        assert_ne!(program.object(1), program.object(2));
    }
}
