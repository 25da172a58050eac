//! Makes the script of a seed: which memory, program headers and output sections it has, and the
//! options of its link.

use super::expressions::Names;
use super::script::{Part, Script};
use super::{bodies, expressions, inputs};
use crate::random::Chance;

/// What statements of a script may refer to.
pub struct Making<'a> {
    /// Source of all random decisions.
    pub chance: &'a mut Chance,
    /// Numbers of the objects.
    pub objects: Vec<usize>,
    /// The names that expressions may use.
    pub names: Names,
    /// Names of PT_LOAD program headers; empty if the script has no `PHDRS`.
    pub loads: Vec<&'static str>,
    /// Names of the program headers for thread-local storage and notes, if the script has them.
    pub others: Vec<&'static str>,
}

/// The kind of content that an output section is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Instructions.
    Code,
    /// Constants.
    Constant,
    /// Variables with a value.
    Data,
    /// Thread-local variables with a value.
    Thread,
    /// Thread-local variables without one.
    ThreadZero,
    /// Variables without a value.
    Zero,
    /// Notes.
    Note,
    /// Sections that are not loaded.
    Unloaded,
    /// Only what the script itself gives, nothing of an input.
    Own,
}

const USUAL: [(&str, Theme); 16] = [
    (".text", Theme::Code),
    (".code2", Theme::Code),
    ("code_c", Theme::Code),
    (".rodata", Theme::Constant),
    (".const2", Theme::Constant),
    (".note.a", Theme::Note),
    (".tdata", Theme::Thread),
    (".tbss", Theme::ThreadZero),
    (".data", Theme::Data),
    (".data2", Theme::Data),
    ("data_c", Theme::Data),
    (".own", Theme::Own),
    (".bss", Theme::Zero),
    (".zero2", Theme::Zero),
    (".information", Theme::Unloaded),
    (".own2", Theme::Own),
];

/// The script that `chance` makes.
pub fn script(chance: &mut Chance) -> Script {
    let mut objects: Vec<usize> = Vec::new();
    for _ in 0..chance.below(3) + 1 {
        let object = chance.below(inputs::OBJECTS);
        if !objects.contains(&object) {
            objects.push(object);
        }
    }
    let options = options(chance);
    let mut sections: Vec<(&str, Theme)> =
        USUAL.into_iter().filter(|_| chance.happens(42)).collect();
    if sections.is_empty() {
        sections.push(USUAL[0]);
    }
    if chance.happens(20) {
        let (a, b) = (chance.below(sections.len()), chance.below(sections.len()));
        sections.swap(a, b);
    }
    if chance.happens(7)
        && let Some(&again) = sections.first()
    {
        sections.push(again);
    }
    // The TLS template is contiguous, so .tbss stands directly behind .tdata or is left out.
    let place = |name: &str| sections.iter().position(|&(own, _)| own == name);
    if let (tdata, Some(tbss)) = (place(".tdata"), place(".tbss"))
        && tdata.is_none_or(|tdata| tdata + 1 != tbss)
    {
        sections.remove(tbss);
    }
    let has_memory = chance.happens(25);
    let regions = if has_memory { chance.below(3) + 1 } else { 0 };
    let regions = ["ROM", "RAM", "EXTRA"][..regions].to_vec();
    let names = Names {
        sections: sections.iter().map(|&(name, _)| name).collect(),
        regions,
        symbols: objects.iter().map(|&object| inputs::symbol(object)).collect(),
    };
    let mut making =
        Making { chance: &mut *chance, objects, names, loads: Vec::new(), others: Vec::new() };
    let mut parts = Vec::new();
    if making.chance.happens(20) {
        parts.push(Part::Line(format!("ENTRY({})", making.names.symbols[0])));
    }
    parts.extend(making.memory());
    parts.extend(making.headers());
    if making.chance.happens(15) {
        parts.push(making.outside());
    }
    let mut body = making.sections(&sections);
    body.push(Part::Kept(LINKERS_OWN.to_owned()));
    parts.push(Part::Block("SECTIONS".to_owned(), body, String::new()));
    if making.chance.happens(15) {
        parts.push(making.outside());
    }
    let objects = making.objects;
    let mut script = Script { objects, options, parts, more: Vec::new() };
    define(chance, &mut script);
    script
}

/// Sections that GNU ld makes for every link and that are empty here. As orphans they would still
/// influence where other orphans are placed.
const LINKERS_OWN: &str =
    "/DISCARD/ : { *(.iplt .rela.iplt .rela.dyn .got .got.plt .igot .igot.plt) }";

/// Defines the symbols that expressions use and no statement assigns, before or behind their use.
fn define(chance: &mut Chance, script: &mut Script) {
    let text = script.to_string();
    for number in 0..SYMBOLS {
        let name = format!("s{number}");
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let mut uses = text.match_indices(&name).filter(|(at, _)| {
            !text[..*at].ends_with(is_name) && !text[at + name.len()..].starts_with(is_name)
        });
        let is_assigned = text.contains(&format!("{name} = "));
        if uses.next().is_none() || is_assigned {
            continue;
        }
        let line = Part::Line(format!("{name} = {:#x};", chance.below(0x300)));
        if chance.happens(50) { script.parts.insert(0, line) } else { script.parts.push(line) }
    }
}

/// How many symbols scripts assign: `s0` and so on.
pub const SYMBOLS: usize = 12;

fn options(chance: &mut Chance) -> Vec<String> {
    let choices: [(usize, &[&str]); 11] = [
        (12, &["--gc-sections"]),
        (20, &["-z noseparate-code", "-z separate-code"]),
        (6, &["-n", "-N"]),
        (8, &["-z max-page-size=0x10000", "-z max-page-size=0x2000"]),
        (8, &["--sort-section=name", "--sort-section=alignment"]),
        (5, &["--unique", "--unique=.odd*"]),
        (6, &["-Ttext=0x700000", "-Tdata=0x800000", "-Tbss=0x900000"]),
        (4, &["--section-start=.own=0xa00000"]),
        (6, &["-z norelro", "-z relro"]),
        (6, &["--defsym=z9=0x40"]),
        (4, &["-z common-page-size=0x2000", "-z stack-size=0x8000"]),
    ];
    let mut options = Vec::new();
    for (percent, words) in choices {
        if chance.happens(percent) {
            options.push(chance.one_of(words).to_owned());
        }
    }
    options
}

impl Making<'_> {
    fn memory(&mut self) -> Vec<Part> {
        let mut lines = Vec::new();
        for (at, name) in self.names.regions.clone().into_iter().enumerate() {
            let attributes = match self.chance.below(8) {
                0 => " (rx)",
                1 => " (w)",
                2 => " (!rx)",
                3 => " (rwx!i)",
                _ => "",
            };
            let origin = 0x10000 + at * 0x20000 + self.chance.one_of(&[0, 0, 0x100, 0x7]);
            let length = self.chance.one_of(&["64K", "0x20000", "128k", "0x1000", "1M/16"]);
            let (o, l) = self.chance.one_of(&[("ORIGIN", "LENGTH"), ("org", "len"), ("o", "l")]);
            lines.push(Part::Line(format!(
                "{name}{attributes} : {o} = {origin:#x}, {l} = {length}"
            )));
        }
        if lines.is_empty() {
            return Vec::new();
        }
        let mut parts = vec![Part::Block("MEMORY".to_owned(), lines, String::new())];
        if self.chance.happens(20) {
            let name = self.chance.one_of(&self.names.regions);
            parts.push(Part::Line(format!("REGION_ALIAS(\"OTHER\", {name})")));
            self.names.regions.push("OTHER");
        }
        parts
    }

    fn headers(&mut self) -> Option<Part> {
        if !self.chance.happens(20) {
            return None;
        }
        let mut lines = Vec::new();
        let whole = self.chance.one_of(&["", "", " FILEHDR PHDRS"]);
        for (at, name) in ["first", "second", "third"].into_iter().enumerate() {
            if at > 0 && self.chance.happens(35) {
                continue;
            }
            let whole = if at == 0 { whole } else { "" };
            let flags = self.chance.one_of(&["", "", " FLAGS(5)", " FLAGS(6)", " FLAGS(4 + 1)"]);
            lines.push(Part::Line(format!("{name} PT_LOAD{whole}{flags};")));
            self.loads.push(name);
        }
        let others = [
            ("note", "note PT_NOTE;"),
            ("tls", "tls PT_TLS;"),
            ("stack", "stack PT_GNU_STACK FLAGS(6);"),
            ("odd", "odd 0x65041580 FLAGS(4);"),
        ];
        for (name, line) in others {
            if self.chance.happens(30) {
                lines.push(Part::Line(line.to_owned()));
                self.others.push(name);
            }
        }
        Some(Part::Block("PHDRS".to_owned(), lines, String::new()))
    }

    /// A statement that stands outside of output sections.
    pub fn outside(&mut self) -> Part {
        let name = self.chance.below(12);
        let value = expressions::value(self.chance, &self.names, 2);
        Part::Line(match self.chance.below(10) {
            0 => format!("PROVIDE(p{} = {value});", name % 4),
            1 => format!("PROVIDE_HIDDEN(q{} = {value});", name % 4),
            2 => format!("HIDDEN(h{name} = {value});"),
            3 => format!("ASSERT({value} || 1, \"never\")"),
            4 => format!("s{name} = .;"),
            5 => format!("s{name} = {value}; s{name} += {};", self.chance.below(100)),
            _ => format!("s{name} = {value};"),
        })
    }

    fn sections(&mut self, sections: &[(&'static str, Theme)]) -> Vec<Part> {
        let mut parts = Vec::new();
        if self.chance.happens(80) {
            let start = self.chance.one_of(&[
                "0x10000",
                "0x400000",
                "0x400000 + SIZEOF_HEADERS",
                "SEGMENT_START(\"text-segment\", 0x200000)",
                "0x12345",
                "0x1000",
            ]);
            parts.push(Part::Line(format!(". = {start};")));
        }
        if let Some(load) = self.loads.first() {
            // GNU ld gives broken offsets to sections that stand before all sections with a program
            // header.
            parts.push(Part::Kept(format!(".text : {{ *(.text) LONG(0x90909090) }} :{load}")));
        }
        for (at, &(name, theme)) in sections.iter().enumerate() {
            if self.chance.happens(30) {
                parts.push(self.outside());
            }
            if self.chance.happens(22) {
                parts.push(Part::Line(self.outer_move()));
            }
            if self.chance.happens(4) {
                parts.push(self.overlay(at));
            }
            let section = bodies::section(self, name, theme);
            parts.push(section);
        }
        if self.chance.happens(25) {
            parts.push(self.outside());
        }
        if self.chance.happens(25) {
            let body = self.discarded();
            let at = self.chance.below(parts.len() + 1);
            parts.insert(at, Part::Block("/DISCARD/ :".to_owned(), body, String::new()));
        }
        parts
    }

    fn discarded(&mut self) -> Vec<Part> {
        let names = ["*(.odd*)", "*(.note.b)", "*(.note.*)", "*(.information)", "*(.rodata.x)"];
        let mut parts = vec![Part::Line(self.chance.one_of(&names).to_owned())];
        if self.chance.happens(30) {
            let file = inputs::name(self.chance.one_of(&self.objects));
            parts.push(Part::Line(format!("{file}(.data.*)")));
        }
        parts
    }

    /// A move of the location counter outside of output sections.
    fn outer_move(&mut self) -> String {
        let number = self.chance.one_of(&[1, 4, 0x10, 0x40, 0x123, 0x1000]);
        let power = 1 << self.chance.below(14);
        match self.chance.below(10) {
            0 => format!(". = . + {number};"),
            1 => format!(". += {number};"),
            2 => format!(". = ALIGN(., {power});"),
            3 => ". = ALIGN(CONSTANT(MAXPAGESIZE)) + (. & (CONSTANT(MAXPAGESIZE) - 1));".to_owned(),
            4 => ". = DATA_SEGMENT_ALIGN(CONSTANT(MAXPAGESIZE), CONSTANT(COMMONPAGESIZE));"
                .to_owned(),
            5 => format!(". = MAX(., {:#x});", 0x410000 + number),
            _ => format!(". = ALIGN({power});"),
        }
    }

    fn overlay(&mut self, at: usize) -> Part {
        let mut body = Vec::new();
        for number in 0..self.chance.below(2) + 1 {
            let pattern = self.chance.one_of(&["*(.odd.rw)", "*(.odd.ro)", "*(.rodata.x)"]);
            let inner = vec![Part::Line(pattern.to_owned()), Part::Line("LONG(1)".to_owned())];
            body.push(Part::Block(format!(".over{at}_{number}"), inner, String::new()));
        }
        let head = match self.chance.below(3) {
            0 => "OVERLAY :",
            1 => "OVERLAY : NOCROSSREFS",
            _ => "OVERLAY :",
        };
        let region = self.region();
        Part::Block(head.to_owned(), body, region)
    }

    /// `>region`, or nothing.
    pub fn region(&mut self) -> String {
        if self.names.regions.is_empty() || self.chance.happens(25) {
            return String::new();
        }
        format!(">{}", self.chance.one_of(&self.names.regions))
    }
}
