//! Linker scripts: the elements of a layout that can be numerous.

use super::dimension::{Dimension, grows};
use crate::corpus::synthetic::code::Code;
use crate::corpus::synthetic::input::Input;
use crate::corpus::synthetic::object::{ALLOC, WRITE};
use std::fmt::{Display, Write};

pub const ROWS: &[Dimension] = &[
    grows("script-rules", 10_000, |n, input| rules(n, input, |at| format!("*(.text.f_{at})"))),
    grows("script-rules-prefixes", 10_000, |n, input| {
        rules(n, input, |at| format!("*(.text.f_{at}*)"));
    }),
    grows("script-rules-suffixes", 10_000, |n, input| rules(n, input, |at| format!("*(*f_{at})"))),
    grows("script-rules-middles", 10_000, |n, input| {
        rules(n, input, |at| format!("*(.text.*_{at}*)"));
    }),
    grows("script-rules-sets", 10_000, |n, input| {
        rules(n, input, |at| format!("*(.text.[a-f]_{at})"));
    }),
    grows("script-rules-kept", 10_000, |n, input| {
        rules(n, input, |at| format!("KEEP(*(.text.f_{at}))"));
    })
    .also(&["--gc-sections"]),
    grows("script-rules-of-flags", 1000, |n, input| {
        let flags = |at| if at % 2 == 0 { "SHF_WRITE" } else { "!SHF_EXECINSTR" };
        rules(n, input, |at| format!("INPUT_SECTION_FLAGS({}) *(.text.*)", flags(at)));
    }),
    grows("script-rules-of-files", 300, |n, input| {
        of_files(n, input, |at| format!("*/{at}.o(.text .text.*)"));
    }),
    grows("script-rules-of-members", 1000, of_members),
    grows("script-rules-excluding", 300, excluding),
    grows("script-rules-excluding-one", 300, |n, input| {
        of_files(n, input, |at| format!("*(EXCLUDE_FILE(*/{at}.o) .data.f_{at} .data.*)"));
    }),
    grows("script-discards", 10_000, discards),
    grows("script-constraints", 500, constraints),
    grows("script-output-sections", 5000, outputs),
    grows("script-output-sections-empty", 20_000, empty_outputs),
    grows("script-output-sections-of-one-name", 5000, outputs_of_one_name),
    grows("script-orphans", 5000, |n, input| orphans(n, input, |_| ALLOC)),
    grows("script-orphans-mixed", 5000, |n, input| {
        orphans(n, input, |at| [0, ALLOC, ALLOC | WRITE][at as usize % 3]);
    }),
    grows("script-regions", 1000, regions),
    grows("script-regions-by-flags", 1000, regions_by_flags),
    grows("script-region-aliases", 1000, region_aliases),
    grows("script-headers", 1000, headers),
    grows("script-inserts", 1000, inserts),
    grows("script-overwrites", 1000, overwrites),
    grows("script-overlays", 1000, overlays),
    grows("script-overlay", 1000, overlay),
    grows("script-assignments", 20_000, |n, input| {
        assignments(n, input, |at| match at {
            0 => "s_0 = .;".to_owned(),
            _ => format!("s_{at} = s_{} + 1;", at - 1),
        });
    }),
    grows("script-assignments-ahead", 20_000, |n, input| {
        // From the last to the first there is one step ahead.
        assignments(n, input, move |at| match at {
            0 => format!("s_0 = s_{} + 1;", n - 1),
            1 => "s_1 = .;".to_owned(),
            _ => format!("s_{at} = s_{} + 1;", at - 1),
        });
    }),
    grows("script-assignments-to-one", 20_000, |n, input| {
        assignments(n, input, |_| "s_0 = DEFINED(s_0) ? s_0 + 1 : 1;".to_owned());
    }),
    grows("script-provides", 20_000, |n, input| {
        assignments(n, input, |at| match at {
            0 => "PROVIDE(p_0 = .);".to_owned(),
            _ => format!("PROVIDE(p_{at} = p_{} + 1);", at - 1),
        });
        input.word(format!("--undefined=p_{}", n - 1));
    }),
    grows("script-provides-unused", 20_000, |n, input| {
        assignments(n, input, |at| format!("PROVIDE(unused_{at} = .);"));
    }),
    grows("script-assertions", 20_000, |n, input| {
        assignments(n, input, |at| format!("ASSERT(SIZEOF(.text) < {}, \"no\")", 0x1000_0000 + at));
    }),
    grows("script-data", 20_000, |n, input| body(n, input, |at| format!("BYTE({at})"))),
    grows("script-gaps", 20_000, |n, input| body(n, input, |_| ". += 1;".to_owned())),
    grows("script-fills", 20_000, |n, input| {
        body(n, input, |at| format!("FILL({at}) . = ALIGN(2); BYTE(1)"));
    }),
    grows("script-symbols-within", 20_000, |n, input| {
        body(n, input, |at| format!("s_{at} = . + {at};"));
    }),
    grows("script-includes", 1000, includes),
    grows("script-no-cross-references", 1000, no_cross_references),
    grows("script-sorted", 10_000, |n, input| {
        functions_apart(n, input);
        script(input, "SECTIONS { .text : { *(SORT_BY_NAME(.text.*)) *(.text) } }");
    }),
];

/// Sections of one object, at most.
const PER_OBJECT: usize = 10_000;

fn script(input: &mut Input, text: &str) {
    input.file("script.ld", text.as_bytes());
    input.word("--script=script.ld");
}

/// `text(0)` to `text(n - 1)`, a line each.
fn lines<T: Display>(n: u64, text: impl Fn(u64) -> T) -> String {
    (0..n).fold(String::new(), |mut lines, at| {
        let _ = writeln!(lines, "{}", text(at));
        lines
    })
}

/// Functions, each in a section of its own.
fn functions_apart(n: u64, input: &mut Input) {
    for (at, first) in (0..n).step_by(PER_OBJECT).enumerate() {
        let mut code = if at == 0 { Code::starting() } else { Code::new() };
        for number in first..n.min(first + PER_OBJECT as u64) {
            code.define_apart(&format!("f_{number}"));
        }
        input.code(&format!("functions_{at}.o"), &code);
    }
}

/// Sections of data with names of their own.
fn data_apart(n: u64, input: &mut Input, flags: impl Fn(u64) -> u64) {
    for (at, first) in (0..n).step_by(PER_OBJECT).enumerate() {
        let mut code = if at == 0 { Code::starting() } else { Code::new() };
        for number in first..n.min(first + PER_OBJECT as u64) {
            let section = code.object.section(&format!("x_{number}"), flags(number), 4);
            code.object.data(section).extend((number as u32).to_le_bytes());
        }
        input.code(&format!("data_{at}.o"), &code);
    }
}

/// As many statements of input sections as there are sections.
fn rules(n: u64, input: &mut Input, rule: impl Fn(u64) -> String) {
    functions_apart(n, input);
    let rules = lines(n, |at| rule(n - 1 - at));
    script(input, &format!("SECTIONS {{ .text : {{ {rules} *(.text .text.*) }} }}"));
}

/// As many statements as there are files.
fn of_files(n: u64, input: &mut Input, rule: impl Fn(u64) -> String) {
    input.code("main.o", &Code::starting());
    for number in 0..n {
        let mut code = Code::new();
        for part in 0..10 {
            code.define_apart(&format!("f_{number}_{part}"));
        }
        input.code(&format!("objects/{number}.o"), &code);
    }
    let rules = lines(n, rule);
    script(input, &format!("SECTIONS {{ .text : {{ {rules} *(.text .text.*) }} }}"));
}

fn of_members(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    let member = |number: u64| {
        let mut code = Code::new();
        code.define_apart(&format!("f_{number}"));
        (format!("member_{number}.o"), code.object)
    };
    (0..n).for_each(|number| main.call(&format!("f_{number}")));
    input.code("main.o", &main);
    input.archive("libx.a", (0..n).map(member));
    let rules = lines(n, |at| format!("*libx.a:member_{at}.o(.text .text.*)"));
    script(input, &format!("SECTIONS {{ .text : {{ {rules} *(.text .text.*) }} }}"));
}

/// One statement that takes from no file of many.
fn excluding(n: u64, input: &mut Input) {
    let excluded = lines(n, |at| format!("*/{at}.o"));
    of_files(n, input, |at| match at {
        0 => format!("*(EXCLUDE_FILE({excluded}) .text .text.*)"),
        _ => String::new(),
    });
}

fn discards(n: u64, input: &mut Input) {
    data_apart(n, input, |_| ALLOC);
    let rules = lines(n, |at| format!("*(x_{at})"));
    script(input, &format!("SECTIONS {{ .text : {{ *(.text) }} /DISCARD/ : {{ {rules} }} }}"));
}

/// Output sections whose constraint does not hold, so that their sections go to the next.
fn constraints(n: u64, input: &mut Input) {
    data_apart(n, input, |_| ALLOC | WRITE);
    let outputs = lines(n, |at| format!(".o_{at} : ONLY_IF_RO {{ *(x_{at} x_{at}?) }}"));
    script(input, &format!("SECTIONS {{ .text : {{ *(.text) }} {outputs} .data : {{ *(x_*) }} }}"));
}

fn outputs(n: u64, input: &mut Input) {
    data_apart(n, input, |_| ALLOC);
    script(
        input,
        &format!("SECTIONS {{ {} }}", lines(n, |at| format!(".o_{at} : {{ *(x_{at}) }}"))),
    );
}

fn empty_outputs(n: u64, input: &mut Input) {
    functions_apart(10, input);
    script(
        input,
        &format!("SECTIONS {{ {} }}", lines(n, |at| format!(".o_{at} : {{ *(x_{at}) }}"))),
    );
}

fn outputs_of_one_name(n: u64, input: &mut Input) {
    data_apart(n, input, |_| ALLOC);
    script(input, &format!("SECTIONS {{ {} }}", lines(n, |at| format!(".data : {{ *(x_{at}) }}"))));
}

fn orphans(n: u64, input: &mut Input, flags: impl Fn(u64) -> u64) {
    data_apart(n, input, flags);
    script(
        input,
        "SECTIONS { .text : { *(.text) } .rodata : { *(.rodata) } .data : { *(.data) } }",
    );
}

/// Output sections that each name a region of their own.
fn regions(n: u64, input: &mut Input) {
    data_apart(n, input, |_| ALLOC);
    let region = |at| format!("R_{at} : ORIGIN = {:#x}, LENGTH = 0x100", 0x40_0000 + at * 0x100);
    let output = |at| format!(".o_{at} : {{ *(x_{at}) }} > R_{at} AT > R_{at}");
    let (regions, outputs) = (lines(n, region), lines(n, output));
    script(
        input,
        &format!("MEMORY {{ {regions} }} SECTIONS {{ {outputs} .text : {{ *(.text) }} > R_0 }}"),
    );
}

/// Output sections that only the last region fits.
fn regions_by_flags(n: u64, input: &mut Input) {
    data_apart(n, input, |_| ALLOC);
    let region =
        |at| format!("R_{at} (w!r) : ORIGIN = {:#x}, LENGTH = 0x100", 0x40_0000 + at * 0x100);
    let output = |at| format!(".o_{at} : {{ *(x_{at}) }}");
    let (regions, outputs) = (lines(n, region), lines(n, output));
    script(
        input,
        &format!(
            "MEMORY {{ {regions} ROM (rx) : ORIGIN = 0x10000000, LENGTH = 256M }}
             SECTIONS {{ {outputs} .text : {{ *(.text) }} }}"
        ),
    );
}

fn region_aliases(n: u64, input: &mut Input) {
    data_apart(n, input, |_| ALLOC);
    let aliases = lines(n, |at| format!("REGION_ALIAS(\"A_{at}\", ROM)"));
    let outputs = lines(n, |at| format!(".o_{at} : {{ *(x_{at}) }} > A_{at}"));
    script(
        input,
        &format!(
            "MEMORY {{ ROM : ORIGIN = 0x10000000, LENGTH = 256M }} {aliases}
             SECTIONS {{ {outputs} .text : {{ *(.text) }} > ROM }}"
        ),
    );
}

fn headers(n: u64, input: &mut Input) {
    data_apart(n, input, |_| ALLOC);
    let headers = lines(n, |at| format!("h_{at} PT_LOAD;"));
    let outputs = lines(n, |at| format!(".o_{at} {:#x} : {{ *(x_{at}) }} :h_{at}", (at + 1) << 16));
    script(
        input,
        &format!("PHDRS {{ {headers} }} SECTIONS {{ {outputs} .text : {{ *(.text) }} }}"),
    );
}

fn inserts(n: u64, input: &mut Input) {
    data_apart(n, input, |_| ALLOC);
    let insert = |at| match at {
        0 => "SECTIONS { .o_0 : { *(x_0) } } INSERT AFTER .rodata;".to_owned(),
        _ => format!("SECTIONS {{ .o_{at} : {{ *(x_{at}) }} }} INSERT AFTER .o_{};", at - 1),
    };
    script(input, &lines(n, insert));
}

fn overwrites(n: u64, input: &mut Input) {
    data_apart(n, input, |_| ALLOC);
    let outputs = lines(n, |at| format!(".o_{at} : {{ *(y_{at}) }}"));
    let others = lines(n, |at| format!(".o_{at} : {{ *(x_{at}) }}"));
    script(input, &format!("SECTIONS {{ {outputs} }} OVERWRITE_SECTIONS {{ {others} }}"));
}

fn overlays(n: u64, input: &mut Input) {
    data_apart(n, input, |_| ALLOC);
    let pair = |at| format!("OVERLAY : {{ .o_{at} {{ *(x_{at}) }} .p_{at} {{ *(y_{at}) }} }}");
    script(input, &format!("SECTIONS {{ .text : {{ *(.text) }} {} }}", lines(n, pair)));
}

fn overlay(n: u64, input: &mut Input) {
    data_apart(n, input, |_| ALLOC);
    let outputs = lines(n, |at| format!(".o_{at} {{ *(x_{at}) }}"));
    script(
        input,
        &format!("SECTIONS {{ .text : {{ *(.text) }} OVERLAY 0x10000000 : {{ {outputs} }} }}"),
    );
}

/// Statements outside of output sections, among functions `f_0`, `f_1` and so on.
fn assignments(n: u64, input: &mut Input, statement: impl Fn(u64) -> String) {
    let mut code = Code::starting();
    (0..n).for_each(|number| code.define(&format!("f_{number}")));
    code.point_at("s_0");
    input.code("main.o", &code);
    script(
        input,
        &format!("SECTIONS {{ .text : {{ *(.text) }} {} }} PROVIDE(s_0 = 0);", lines(n, statement)),
    );
}

/// Statements within an output section.
fn body(n: u64, input: &mut Input, statement: impl Fn(u64) -> String) {
    functions_apart(10, input);
    let statements = lines(n, statement);
    script(
        input,
        &format!("SECTIONS {{ .text : {{ *(.text .text.*) }} .data : {{ {statements} }} }}"),
    );
}

fn includes(n: u64, input: &mut Input) {
    data_apart(n, input, |_| ALLOC);
    for at in 0..n {
        let text = format!(".o_{at} : {{ *(x_{at}) }}\n");
        input.file(&format!("parts/{at}.ld"), text.as_bytes());
    }
    script(input, &format!("SECTIONS {{ {} }}", lines(n, |at| format!("INCLUDE parts/{at}.ld"))));
}

fn no_cross_references(n: u64, input: &mut Input) {
    data_apart(n, input, |_| ALLOC);
    let outputs = lines(n, |at| format!(".o_{at} : {{ *(x_{at}) }}"));
    let names = lines(n, |at| format!(".o_{at}"));
    script(input, &format!("NOCROSSREFS({names}) SECTIONS {{ {outputs} }}"));
}
