//! The cells of the matrix: how a symbol is assigned, what else defines it, and the place of the
//! expression that uses it.
//!
//! In these texts `K` stands for the symbol, and `E` for another symbol that is computed from it.

use super::inputs::Definer;

/// Where an assignment stands, on the command line or in the script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// `--defsym` before the script.
    OptionBefore,
    /// `--defsym` behind the script and the objects.
    OptionAfter,
    /// A script among the inputs, before the objects.
    InputBefore,
    /// A script among the inputs, behind the objects.
    InputAfter,
    /// At the top of the script.
    Top,
    /// Between two output sections.
    Between,
    /// In an output section.
    Body,
    /// Behind `SECTIONS`.
    Bottom,
}

/// Assignments, each with where it stands.
pub struct Form {
    /// Name, as part of the cell's name.
    pub name: String,
    /// Position and text of each assignment.
    pub statements: Vec<(Position, &'static str)>,
}

/// Assignments of a script that may stand at each of its positions.
const STATEMENTS: &[(&str, &str)] = &[
    ("assign", "K = 0x20000;"),
    ("hidden", "HIDDEN(K = 0x20000);"),
    ("provide", "PROVIDE(K = 0x20000);"),
    ("provide_hidden", "PROVIDE_HIDDEN(K = 0x20000);"),
    ("add", "K += 0x1000;"),
    ("subtract", "K -= 0x10;"),
    ("shift", "K <<= 1;"),
    ("sum", "K = K + 0x1000;"),
    ("defined_or", "K = DEFINED(K) ? K : 0x20000;"),
    ("provide_defined_or", "PROVIDE(K = DEFINED(K) ? K : 0x20000);"),
    ("dot", "K = .;"),
    ("provide_dot", "PROVIDE(K = .);"),
    ("defined_or_dot", "K = DEFINED(K) ? K : .;"),
    ("alias", "K = other;"),
];

const PLACES_IN_SCRIPT: &[(&str, Position)] = &[
    ("top", Position::Top),
    ("between", Position::Between),
    ("body", Position::Body),
    ("bottom", Position::Bottom),
];

/// Forms with more than one assignment, and those of the command line.
const OTHERS: &[(&str, &[(Position, &str)])] = &[
    ("nothing", &[]),
    ("defsym_before", &[(Position::OptionBefore, "K=0x20000")]),
    ("defsym_after", &[(Position::OptionAfter, "K=0x20000")]),
    ("defsym_sum_before", &[(Position::OptionBefore, "K=K+0x1000")]),
    ("defsym_sum_after", &[(Position::OptionAfter, "K=K+0x1000")]),
    ("defsym_alias_after", &[(Position::OptionAfter, "K=other")]),
    ("input_before", &[(Position::InputBefore, "K = 0x20000;")]),
    ("input_after", &[(Position::InputAfter, "K = 0x20000;")]),
    ("input_provide_after", &[(Position::InputAfter, "PROVIDE(K = 0x20000);")]),
    ("input_sum_after", &[(Position::InputAfter, "K = K + 0x1000;")]),
    (
        "defsym_before_assign",
        &[(Position::OptionBefore, "K=0x20000"), (Position::Top, "K = 0x21000;")],
    ),
    (
        "defsym_after_assign",
        &[(Position::OptionAfter, "K=0x20000"), (Position::Top, "K = 0x21000;")],
    ),
    (
        "defsym_before_provide",
        &[(Position::OptionBefore, "K=0x20000"), (Position::Top, "PROVIDE(K = 0x21000);")],
    ),
    (
        "defsym_after_provide",
        &[(Position::OptionAfter, "K=0x20000"), (Position::Top, "PROVIDE(K = 0x21000);")],
    ),
    (
        "input_before_assign",
        &[(Position::InputBefore, "K = 0x20000;"), (Position::Top, "K = 0x21000;")],
    ),
    (
        "input_after_assign",
        &[(Position::InputAfter, "K = 0x20000;"), (Position::Top, "K = 0x21000;")],
    ),
    ("two", &[(Position::Top, "K = 0x20000;"), (Position::Bottom, "K = 0x21000;")]),
    ("assign_add", &[(Position::Top, "K = 0x20000;"), (Position::Bottom, "K += 0x1000;")]),
    ("assign_add_body", &[(Position::Top, "K = 0x20000;"), (Position::Body, "K += 0x1000;")]),
    ("dot_add", &[(Position::Between, "K = .;"), (Position::Bottom, "K += 0x1000;")]),
    ("add_assign", &[(Position::Top, "K += 0x1000;"), (Position::Bottom, "K = 0x20000;")]),
    (
        "provide_assign",
        &[(Position::Top, "PROVIDE(K = 0x20000);"), (Position::Bottom, "K = 0x21000;")],
    ),
    (
        "assign_provide",
        &[(Position::Top, "K = 0x20000;"), (Position::Bottom, "PROVIDE(K = 0x21000);")],
    ),
    (
        "two_provides",
        &[(Position::Top, "PROVIDE(K = 0x20000);"), (Position::Bottom, "PROVIDE(K = 0x21000);")],
    ),
    (
        "hidden_assign",
        &[(Position::Top, "HIDDEN(K = 0x20000);"), (Position::Bottom, "K = 0x21000;")],
    ),
    (
        "assign_defined_or",
        &[(Position::Top, "K = 0x20000;"), (Position::Bottom, "K = DEFINED(K) ? K : 0x21000;")],
    ),
    (
        "defined_or_assign",
        &[(Position::Top, "K = DEFINED(K) ? K : 0x20000;"), (Position::Bottom, "K = 0x21000;")],
    ),
];

/// All forms of assignments.
pub fn forms() -> Vec<Form> {
    let mut forms: Vec<Form> = OTHERS
        .iter()
        .map(|(name, statements)| Form { name: name.to_string(), statements: statements.to_vec() })
        .collect();
    for (name, text) in STATEMENTS {
        for &(place, at) in PLACES_IN_SCRIPT {
            let is_without_dot = at == Position::Top && text.contains(" .;");
            if !is_without_dot {
                let name = format!("{name}_{place}");
                forms.push(Form { name, statements: vec![(at, text)] });
            }
        }
    }
    forms
}

/// A place of an expression.
pub struct Place {
    /// Name, as part of the cell's name.
    pub name: &'static str,
    /// Text at the top of the script.
    pub top: &'static str,
    /// Text between two output sections.
    pub between: &'static str,
    /// Text in an output section.
    pub body: &'static str,
    /// Text behind `SECTIONS`.
    pub bottom: &'static str,
    /// Further options and files.
    pub options: &'static [&'static str],
    /// Whether it is tried with objects that refer to the symbol, too.
    pub with_references: bool,
}

const NOWHERE: Place = Place {
    name: "",
    top: "",
    between: "",
    body: "",
    bottom: "",
    options: &[],
    with_references: false,
};

/// Places in `MEMORY`, which need a region for each output section.
pub const REGIONS: &[&str] = &["origin", "length"];

/// Places that need `PHDRS`.
pub const HEADERS: &[&str] = &["phdrs_at", "phdrs_flags"];

/// All places of a script that take an expression.
pub const PLACES: &[Place] = &[
    Place { name: "itself", with_references: true, ..NOWHERE },
    Place { name: "dot", between: ". = K + 0x20000;", with_references: true, ..NOWHERE },
    Place { name: "add_to_dot", between: ". += K;", ..NOWHERE },
    Place { name: "quad", between: ".x : { QUAD(K) }", with_references: true, ..NOWHERE },
    Place { name: "stack", between: ".x : { . += K; }", ..NOWHERE },
    Place { name: "align_dot", between: ". = ALIGN(K);", ..NOWHERE },
    Place { name: "address", between: ".x K + 0x20000 : { BYTE(1) }", ..NOWHERE },
    Place {
        name: "at",
        between: ".x : AT(K + 0x40000) { BYTE(1) }",
        with_references: true,
        ..NOWHERE
    },
    Place { name: "body_align", between: ".x : { BYTE(1) . = ALIGN(K); BYTE(2) }", ..NOWHERE },
    Place { name: "section_align", between: ".x : ALIGN(K / 0x10000) { BYTE(1) }", ..NOWHERE },
    Place { name: "subalign", between: ".x : SUBALIGN(K / 0x10000) { *(.sub) }", ..NOWHERE },
    Place { name: "assert_top", top: "ASSERT(K < 0x11000, \"big\");", ..NOWHERE },
    Place { name: "assert_bottom", bottom: "ASSERT(K < 0x11000, \"big\");", ..NOWHERE },
    Place {
        name: "origin",
        top: "MEMORY { low : ORIGIN = 0x10000, LENGTH = 0x10000 \
        high : ORIGIN = K + 0x20000, LENGTH = 0x100000 }",
        ..NOWHERE
    },
    Place {
        name: "length",
        top: "MEMORY { low : ORIGIN = 0x10000, LENGTH = 0x10000 \
        high : ORIGIN = 0x40000, LENGTH = K & 0x30000 }",
        ..NOWHERE
    },
    Place { name: "phdrs_at", top: "PHDRS { one PT_LOAD; two PT_LOAD AT(K); }", ..NOWHERE },
    Place {
        name: "phdrs_flags",
        top: "PHDRS { one PT_LOAD; two PT_LOAD FLAGS(K >> 16); }",
        ..NOWHERE
    },
    Place { name: "fill", between: ".x : { BYTE(1) . = ALIGN(16); } =K", ..NOWHERE },
    Place { name: "fill_in_body", between: ".x : { FILL(K) BYTE(1) . = ALIGN(16); }", ..NOWHERE },
    Place { name: "other_top", top: "E = K;", with_references: true, ..NOWHERE },
    Place { name: "other_between", between: "E = K;", ..NOWHERE },
    Place { name: "other_body", body: "E = K;", ..NOWHERE },
    Place { name: "other_bottom", bottom: "E = K;", with_references: true, ..NOWHERE },
    Place { name: "sum_top", top: "E = K + 4;", ..NOWHERE },
    Place { name: "sum_bottom", bottom: "E = K + 4;", ..NOWHERE },
    Place { name: "difference", bottom: "E = K - other;", ..NOWHERE },
    Place { name: "absolute", bottom: "E = ABSOLUTE(K);", ..NOWHERE },
    Place { name: "defined_top", top: "E = DEFINED(K) ? 3 : 5;", with_references: true, ..NOWHERE },
    Place { name: "defined_body", body: "E = DEFINED(K) ? 3 : 5;", ..NOWHERE },
    Place { name: "defined_bottom", bottom: "E = DEFINED(K) ? 3 : 5;", ..NOWHERE },
    Place { name: "provided", bottom: "PROVIDE(E = K);", options: &["wants_e.o"], ..NOWHERE },
    Place { name: "provided_only", bottom: "PROVIDE(E = K);", ..NOWHERE },
    Place { name: "defsym", options: &["--defsym=E=K"], ..NOWHERE },
    Place { name: "entry", top: "ENTRY(K)", ..NOWHERE },
    Place {
        name: "version",
        top: "VERSION { V { global: K; E; local: *; }; }",
        bottom: "E = K;",
        options: &["-shared"],
        ..NOWHERE
    },
    Place { name: "pie", bottom: "E = K;", options: &["-pie"], ..NOWHERE },
    Place { name: "extern", top: "EXTERN(K)", ..NOWHERE },
    Place { name: "undefined", options: &["-u", "K"], ..NOWHERE },
];

/// A cell, as positions in the tables.
#[derive(Debug, Clone, Copy)]
pub struct Cell {
    /// Position in [`forms`].
    pub form: usize,
    /// What else defines the symbol.
    pub definer: Definer,
    /// Position in [`PLACES`].
    pub place: usize,
    /// Objects refer to the symbol.
    pub is_wanted: bool,
}

/// All pairs of a form and a place.
pub fn all(forms: &[Form]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for form in 0..forms.len() {
        for &definer in Definer::ALL {
            for (place, asked) in PLACES.iter().enumerate() {
                cells.push(Cell { form, definer, place, is_wanted: false });
                if asked.with_references {
                    cells.push(Cell { form, definer, place, is_wanted: true });
                }
            }
        }
    }
    cells
}

/// A cell's script.
pub fn script(cell: &Cell, forms: &[Form]) -> String {
    let (form, place) = (&forms[cell.form], &PLACES[cell.place]);
    let at = |wanted: Position| {
        let own = form.statements.iter().filter(|(at, _)| *at == wanted);
        own.map(|(_, text)| *text).collect::<Vec<_>>().join("\n")
    };
    let regions = REGIONS.contains(&place.name);
    let headers = HEADERS.contains(&place.name);
    let [low, high] = if regions { ["> low", "> high"] } else { ["", ""] };
    let [one, two] = if headers { [":one", ":two"] } else { ["", ""] };
    let text = format!(
        "{top_form}\n{top}\nSECTIONS {{\n. = 0x10000;\nearly : {{ *(early) *(COMMON) }} {low} {one}\n\
         {between_form}\n{between}\n\
         .text : {{ *(.text) }} {high} {two}\n\
         .data : {{ *(.data) *(.sub)\n{body_form}\n{body}\n}} {high} {two}\n\
         .bss : {{ *(.bss) }} {high} {two}\n}}\n{bottom_form}\n{bottom}\n",
        top_form = at(Position::Top),
        top = place.top,
        between_form = at(Position::Between),
        between = place.between,
        body_form = at(Position::Body),
        body = place.body,
        bottom_form = at(Position::Bottom),
        bottom = place.bottom,
    );
    named(&text, cell.definer)
}

/// A text with the names of the symbols.
pub fn named(text: &str, definer: Definer) -> String {
    let mut words = String::new();
    let mut word = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_alphanumeric() || c == '_' || c == '.' && !word.is_empty() {
            word.push(c);
            continue;
        }
        words += match word.as_str() {
            "K" => definer.symbol(),
            "E" => "computed",
            other => other,
        };
        word.clear();
        words.push(c);
    }
    words.pop();
    words
}
