//! The intended differences from GNU ld, as a table with reasons.

use super::compare::{Difference, VERSION_SECTION};

/// A kind of difference that is not a bug of skald.
pub struct Rule {
    /// What differs.
    pub name: &'static str,
    /// Why it does.
    pub reason: &'static str,
    applies: Applies,
}

/// How to decide whether a rule applies.
enum Applies {
    /// By the difference alone.
    ToOne(fn(&Difference) -> bool),
    /// By the link, with all differences that no rule of the other kind explains.
    ToLink(fn(&Difference, &Link<'_>) -> bool),
}

/// A link that differs.
pub struct Link<'a> {
    /// The text of the script.
    pub script: &'a str,
    /// The options of the link.
    pub options: &'a [String],
    /// In GNU ld's output a thread-local NOBITS section stands before one with bytes.
    pub has_zeros_first: bool,
    /// The differences that no [`Applies::ToOne`] rule explains.
    pub differences: &'a [Difference],
}

impl Link<'_> {
    fn all(&self, is_such: impl Fn(&Difference) -> bool) -> bool {
        self.differences.iter().all(is_such)
    }

    fn has_option(&self, word: &str) -> bool {
        self.options.iter().any(|option| option.contains(word))
    }

    /// Whether the script provides a symbol twice.
    fn provides_twice(&self, name: &str) -> bool {
        self.script.matches(&format!("PROVIDE({name} ")).count()
            + self.script.matches(&format!("PROVIDE_HIDDEN({name} ")).count()
            > 1
    }
}

/// All rules.
pub const RULES: &[Rule] = &[
    Rule {
        name: "padding of code",
        reason: "gaps in code are instructions that do nothing: of one byte, where GNU ld has longer \
                 ones, or on AArch64 and RISC-V of four, where it has zeros",
        applies: Applies::ToOne(|d| d.kind == "bytes" && d.attribute == "padding"),
    },
    Rule {
        name: "mapping symbols of several sections",
        reason: "there are several of one name, and the first of each file is compared",
        applies: Applies::ToOne(|d| d.kind == "symbol" && d.object.starts_with('$')),
    },
    Rule {
        name: "_TLS_MODULE_BASE_ that nothing refers to",
        reason: "it is not there; GNU ld makes it for AArch64 with any thread-local storage",
        applies: Applies::ToOne(|d| d.object == "_TLS_MODULE_BASE_" && d.ours == "nothing"),
    },
    Rule {
        name: "empty sections with symbols",
        reason: "they stay, so that their symbols have a section; GNU ld gives these to another",
        applies: Applies::ToOne(|d| d.attribute == "empty" || d.attribute == "empty section"),
    },
    Rule {
        name: "sections of assigned symbols",
        reason: "outside of sections and in sections that are left out, GNU ld's choice follows \
                 from the order in which it made sections",
        applies: Applies::ToOne(|d| {
            let is_assigned = d.object.starts_with(['s', 'p', 'h']);
            d.kind == "symbol" && d.attribute == "section" && is_assigned
        }),
    },
    Rule {
        name: "types of symbols assigned twice",
        reason: "the last assignment says the type; in GNU ld one that an earlier gave stays",
        applies: Applies::ToOne(|d| {
            let is_assigned = d.object.starts_with(['s', 'p', 'h']);
            let is_of_type = ["type", "binding", "visibility"].contains(&&*d.attribute);
            d.kind == "symbol" && is_of_type && is_assigned
        }),
    },
    Rule {
        name: "sections without a memory region where code shrinks",
        reason: "an error, as in lld and in GNU ld for other machines; GNU ld says it in the first \
                 round of a layout alone, which RISC-V's relaxation skips",
        applies: Applies::ToOne(|d| {
            d.kind == "link" && d.theirs == "links" && d.ours.contains("no memory region is given")
        }),
    },
    Rule {
        name: "sizes of sections that do not exist",
        reason: "they are zero, as in lld; GNU ld refuses to ask for them",
        applies: Applies::ToOne(|d| d.kind == "link" && d.theirs.contains("undefined section")),
    },
    Rule {
        name: "size of PT_TLS",
        reason: "it is that of the template; GNU ld counts what alignment adds twice",
        applies: Applies::ToOne(|d| {
            d.kind == "segment" && d.object.ends_with("TLS") && d.attribute == "memory size"
        }),
    },
    Rule {
        name: "thread-local sections made apart",
        reason: "they stand together in memory, and GNU ld refuses them because it did not make \
                 them one after another",
        applies: Applies::ToOne(|d| {
            d.kind == "link" && d.theirs.contains("TLS sections are not adjacent")
        }),
    },
    Rule {
        name: "bounds of output sections",
        reason: "__start_ and __stop_ name output sections, as lld has it; GNU ld defines them \
                 for the names of inputs alone",
        applies: Applies::ToOne(|d| {
            let is_bound = d.object.starts_with("__start_") || d.object.starts_with("__stop_");
            d.kind == "symbol" && is_bound && d.theirs == "nothing"
        }),
    },
    Rule {
        name: "sizes of other program headers",
        reason: "they hold their sections, which may be in several segments; GNU ld adds up sizes \
                 without the gaps between them",
        applies: Applies::ToOne(|d| {
            let is_other = d.object.contains("0x65041580");
            let reaches_over = d.kind == "lint" && d.attribute == "segment-outside-load";
            d.kind == "segment" && d.attribute.ends_with("size") && is_other
                || reaches_over && d.ours.contains("0x65041580")
        }),
    },
    Rule {
        name: "order of section headers",
        reason: "it is that of statements and orphans in memory; GNU ld moves some of them",
        applies: Applies::ToOne(|d| d.kind == "section" && d.attribute == "order"),
    },
    Rule {
        name: "version of skald",
        reason: "skald says its version in .comment, which no input of these links has",
        applies: Applies::ToOne(|d| {
            d.kind == "section" && d.object == VERSION_SECTION && d.theirs == "nothing"
        }),
    },
    Rule {
        name: "load addresses behind sections that are not there",
        reason: "they keep their distance from addresses, as in lld; in GNU ld the alignment of an \
                 empty section of its own, which is not in the output, adds to it",
        applies: Applies::ToLink(|_, link| {
            let is_size =
                |d: &Difference| d.kind == "symbol" && link.script.contains("SIZEOF_HEADERS");
            let is_such =
                |d: &Difference| d.kind == "segment" || is_moved_by_alignment(d) || is_size(d);
            link.script.contains("OVERLAY") && link.all(is_such)
        }),
    },
    Rule {
        name: "RELRO of outputs without pages",
        reason: "-n and -N leave no page to protect, so DATA_SEGMENT_ALIGN starts none, as in lld",
        applies: Applies::ToLink(|d, link| {
            let is_unpaged = link.options.iter().any(|option| option == "-n" || option == "-N");
            is_unpaged && link.script.contains("DATA_SEGMENT_ALIGN") && is_of_addresses(d)
        }),
    },
    Rule {
        name: "RELRO of sections that stand elsewhere",
        reason: "DATA_SEGMENT_ALIGN heeds whether a statement behind it takes something; in GNU ld \
                 also whether it matches what an earlier one took, or what its flags refuse",
        applies: Applies::ToLink(|d, link| {
            let is_open = !link.script.contains("DATA_SEGMENT_RELRO_END");
            is_open && link.script.contains("DATA_SEGMENT_ALIGN") && is_of_addresses(d)
        }),
    },
    Rule {
        name: "sections whose constraint does not hold",
        reason: "they are not made, as in lld; GNU ld makes empty ones if an expression names them, \
                 and refuses the numbers in them",
        applies: Applies::ToLink(|d, link| {
            let is_constrained = link.script.contains("ONLY_IF_R");
            let is_empty = |other: &Difference| {
                other.object == d.object && other.attribute == "size" && other.theirs == "0x0"
            };
            let is_extra =
                d.kind == "section" && d.ours == "nothing" && !link.all(|d| !is_empty(d));
            is_constrained
                && (is_extra || d.kind == "link" && d.theirs.contains("invalid data statement"))
        }),
    },
    Rule {
        name: "two PROVIDEs of one symbol",
        reason: "the first holds, as in lld; GNU ld mixes them",
        applies: Applies::ToLink(|_, link| {
            let is_of_bytes = |d: &Difference| d.kind == "bytes" && d.attribute == "content";
            let is_provided = |d: &Difference| d.kind == "symbol" && link.provides_twice(&d.object);
            link.all(|d| is_of_bytes(d) || is_provided(d)) && !link.all(is_of_bytes)
        }),
    },
    Rule {
        name: "fill before what orphans bring",
        reason: "a gap is filled as the script says, as in lld; in GNU ld it stays zero if no \
                 statement of its section takes an input",
        applies: Applies::ToLink(|d, link| {
            let is_filled = link.script.contains("} =") || link.script.contains("FILL");
            is_filled && d.kind == "bytes" && d.attribute == "unfilled"
        }),
    },
    Rule {
        name: "common pages above the largest page",
        reason: "they are no larger than it, as in lld; GNU ld takes a larger page for the script",
        applies: Applies::ToLink(|d, link| {
            let is_large = link.has_option("common-page-size=0x2000");
            is_large && !link.has_option("max-page-size") && is_of_addresses(d)
        }),
    },
    Rule {
        name: "alignment beyond the last address",
        reason: "an error; GNU ld and lld go on at address 0",
        applies: Applies::ToOne(|d| d.kind == "link" && d.ours.contains("overflows")),
    },
    Rule {
        name: "commons that no statement takes",
        reason: "they stand behind the zeros of all objects, and in one section with these; in GNU \
                 ld they stand behind those of their object, and may get a section of their own",
        applies: Applies::ToLink(|d, link| {
            let is_common = |d: &Difference| d.object == "c0" && d.attribute == "value";
            let is_moved = is_of_addresses(d) || d.object.starts_with(".bss");
            !link.script.contains("COMMON") && !link.all(|d| !is_common(d)) && is_moved
        }),
    },
    Rule {
        name: "thread-local commons that no statement takes",
        reason: "they are in .tbss, as in lld; in GNU ld they have a section of their own",
        applies: Applies::ToLink(|d, link| {
            let is_common = |d: &Difference| d.object == ".tcommon";
            let is_of_it = is_common(d) || d.object == ".tbss" || is_of_addresses(d);
            let is_placed = d.kind == "symbol" && d.attribute == "section";
            (is_of_it || is_placed) && link.differences.iter().any(is_common)
        }),
    },
    Rule {
        name: "INSERT behind the script with its section",
        reason: "scripts may come in any order, as in lld; GNU ld knows what comes later alone",
        applies: Applies::ToOne(|d| d.kind == "link" && d.theirs.contains("not found for insert")),
    },
    Rule {
        name: "INSERT at a section that an option makes",
        reason: "an error: no script has the section, as in lld",
        applies: Applies::ToLink(|d, link| {
            let is_missing = d.kind == "link" && d.ours.contains("not found for insert");
            is_missing && link.has_option("--section-start")
        }),
    },
    Rule {
        name: "size of the stack in a stated header",
        reason: "-z stack-size has its effect there too",
        applies: Applies::ToLink(|d, link| {
            let is_size = d.object.ends_with("GNU_STACK") && d.attribute == "memory size";
            is_size && link.has_option("stack-size")
        }),
    },
    Rule {
        name: "symbols that are assigned later",
        reason: "they have their value, as in lld; GNU ld calls some undefined",
        applies: Applies::ToLink(|d, link| {
            let words = d.theirs.split_once("undefined symbol `");
            let name = words.and_then(|(_, rest)| rest.split('\'').next());
            let is_assigned = |name: &str| link.script.contains(&format!("{name} = "));
            d.kind == "link" && d.ours == "links" && name.is_some_and(is_assigned)
        }),
    },
    Rule {
        name: "several patterns that an option sorts",
        reason: "the inputs of one statement are sorted together; GNU ld leaves .init and .fini out",
        applies: Applies::ToLink(|_, link| {
            let is_such = |line: &str| line.contains(".init)") || line.contains(".init ");
            link.has_option("--sort-section") && link.script.lines().any(is_such)
        }),
    },
    Rule {
        name: "load addresses of overlays behind AT>",
        reason: "members follow one another; in GNU ld they begin at that of a section before",
        applies: Applies::ToOne(|d| {
            d.kind == "link" && d.theirs.contains("LMA") && d.theirs.contains("section .over")
        }),
    },
    Rule {
        name: "several sections of thread-local zeros",
        reason: "each has its own place in the block of a thread; in GNU ld they share one, so that \
                 variables overwrite each other",
        applies: Applies::ToLink(|d, link| {
            let is_further = |d: &Difference| d.object.starts_with(".tbss#");
            let is_symbol = |d: &Difference| d.kind == "symbol" && d.attribute == "value";
            link.differences.iter().any(is_further) && (is_further(d) || is_symbol(d))
        }),
    },
    Rule {
        name: "orphans of thread-local storage",
        reason: "those with bytes stand before zeros; GNU ld has them in the order in which inputs \
                 bring them, and variables overwrite each other",
        applies: Applies::ToLink(|d, link| {
            link.has_zeros_first
                && matches!(&d.kind[..], "symbol" | "segment" | "section" | "bytes")
        }),
    },
    Rule {
        name: "thread-local storage in two memory regions",
        reason: "an error, as the block of a thread is one piece of memory; GNU ld has one block \
                 for both with offsets that no program can use",
        applies: Applies::ToLink(|d, link| {
            let is_apart = d.ours.contains("stands amid sections of thread-local storage");
            d.kind == "link" && is_apart && link.script.contains("MEMORY")
        }),
    },
    Rule {
        name: "zeros of thread-local storage before bytes",
        reason: "a script that lays them out so is refused; in GNU ld variables overwrite each other",
        applies: Applies::ToOne(|d| {
            d.kind == "link" && d.ours.contains("thread-local variables of both")
        }),
    },
];

/// The greatest alignment of GNU ld's own sections, in bytes.
const OWN_ALIGNMENT: u64 = 16;

/// Whether a section has a slightly different load address in GNU ld's output.
pub fn is_moved_by_alignment(difference: &Difference) -> bool {
    let number = |text: &str| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
    let Difference { kind, attribute, ours, theirs, .. } = difference;
    let distance = || Some(number(theirs)?.abs_diff(number(ours)?));
    kind == "section"
        && attribute == "load address"
        && distance().is_some_and(|distance| distance < OWN_ALIGNMENT)
}

/// Whether a difference is one of addresses, or of values that depend on addresses.
fn is_of_addresses(difference: &Difference) -> bool {
    let Difference { kind, attribute, .. } = difference;
    match &**kind {
        "section" => attribute.ends_with("address"),
        "symbol" => attribute == "value",
        kind => kind == "segment" || kind == "bytes",
    }
}

/// For each difference of a link, the rule that explains it, if any.
pub fn find(link: &Link<'_>) -> Vec<Option<usize>> {
    let position =
        |applies: &dyn Fn(&Applies) -> bool| RULES.iter().position(|rule| applies(&rule.applies));
    let by_itself = |d: &Difference| {
        position(&|applies| matches!(applies, Applies::ToOne(applies) if applies(d)))
    };
    let mut found: Vec<Option<usize>> = link.differences.iter().map(by_itself).collect();
    let left = link.differences.iter().zip(&found).filter(|(_, rule)| rule.is_none());
    let differences: Vec<Difference> = left.map(|(d, _)| d.clone()).collect();
    let rest = Link { differences: &differences, ..*link };
    for (rule, difference) in found.iter_mut().zip(link.differences) {
        *rule = rule.or_else(|| {
            position(&|applies| {
                matches!(applies, Applies::ToLink(applies) if applies(difference, &rest))
            })
        });
    }
    found
}
