//! The features of the linker that are not of a machine, and the cells of their matrix.
//!
//! In options `@/` stands for the directory of the inputs, `OUT` for the path of the output, and
//! `SHAPE` for the name of the shape.

use crate::tools::is_installed;
use skald_testkit::machine::Machine;

/// What kind of file is linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A program at a fixed address.
    Fixed,
    /// A position-independent program.
    Pie,
    /// A program without libraries.
    Static,
    /// A position-independent program without libraries.
    StaticPie,
    /// A library, which a small program calls.
    Shared,
}

impl Shape {
    /// All shapes.
    pub const ALL: &'static [Shape] =
        &[Shape::Fixed, Shape::Pie, Shape::Static, Shape::StaticPie, Shape::Shared];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Shape::Fixed => "fixed",
            Shape::Pie => "pie",
            Shape::Static => "static",
            Shape::StaticPie => "static-pie",
            Shape::Shared => "shared",
        }
    }

    /// The compiler's option.
    pub fn option(self) -> &'static str {
        match self {
            Shape::Fixed => "-no-pie",
            Shape::Pie => "-pie",
            Shape::Static => "-static",
            Shape::StaticPie => "-static-pie",
            Shape::Shared => "-shared",
        }
    }

    /// The options by which GNU ld chooses its script.
    pub fn of_gnu_ld(self) -> &'static str {
        match self {
            Shape::Fixed => "",
            Shape::Pie => "-pie",
            Shape::Static => "-static",
            Shape::StaticPie => "-static -pie --no-dynamic-linker",
            Shape::Shared => "-shared",
        }
    }

    /// Whether libraries are linked as archives.
    pub fn is_static(self) -> bool {
        matches!(self, Shape::Static | Shape::StaticPie)
    }

    /// How its objects are compiled.
    pub fn compiled(self) -> Compiled {
        match self {
            Shape::Fixed | Shape::Static => Compiled::Fixed,
            _ => Compiled::Shared,
        }
    }
}

/// How objects are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compiled {
    /// For a fixed address.
    Fixed,
    /// For a shared library.
    Shared,
    /// As intermediate code of GCC.
    Lto,
    /// As intermediate code of LLVM.
    LlvmLto,
    /// With debug information in files of its own.
    Split,
    /// With units of debug information for types.
    Types,
    /// With compressed debug sections.
    Compressed,
}

impl Compiled {
    /// All ways.
    pub const ALL: &'static [Compiled] = &[
        Compiled::Fixed,
        Compiled::Shared,
        Compiled::Lto,
        Compiled::LlvmLto,
        Compiled::Split,
        Compiled::Types,
        Compiled::Compressed,
    ];

    /// Name of the directory of the objects.
    pub fn word(self) -> &'static str {
        match self {
            Compiled::Fixed => "fixed",
            Compiled::Shared => "shared",
            Compiled::Lto => "lto",
            Compiled::LlvmLto => "llvm-lto",
            Compiled::Split => "split",
            Compiled::Types => "types",
            Compiled::Compressed => "compressed",
        }
    }

    /// Whether it is code that the linker has a plugin compile.
    pub fn is_lto(self) -> bool {
        matches!(self, Compiled::Lto | Compiled::LlvmLto)
    }

    /// The compilers of C and C++, and what makes archives of their objects.
    pub fn tools(self) -> [&'static str; 3] {
        match self {
            Compiled::LlvmLto => ["clang-19", "clang++-19", "llvm-ar-19"],
            _ => ["gcc", "g++", "gcc-ar"],
        }
    }

    /// Whether its compilers can make the project for `machine`.
    pub fn is_possible(self, machine: &Machine) -> bool {
        // Clang does not link for x32.
        let is_known = self != Compiled::LlvmLto || machine.word != "x32";
        is_known && self.tools().iter().all(|tool| is_installed(&machine.program(tool)))
    }

    /// The compiler's options.
    pub fn options(self) -> &'static str {
        match self {
            Compiled::Fixed => "-fno-pic -fno-pie",
            Compiled::Shared => "-fPIC",
            // Names in the intermediate code are not random.
            Compiled::Lto => "-fPIC -flto -frandom-seed=1",
            Compiled::LlvmLto => "-fPIC -flto",
            Compiled::Split => "-fPIC -gsplit-dwarf",
            Compiled::Types => "-fPIC -fdebug-types-section",
            Compiled::Compressed => "-fPIC -gz",
        }
    }
}

/// Whether objects are joined by `-r` first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// One link.
    Single,
    /// The objects are joined by `-r`, and the result is linked.
    JoinedFirst,
    /// The compiler is run by `skald -run`.
    Supervised,
    /// The link is done again from what `--reproduce` has packed.
    Reproduced,
}

/// A feature of the linker.
#[derive(Debug, Clone, Copy)]
pub struct Feature {
    /// Name, as part of a cell's name.
    pub name: &'static str,
    /// Options for the linker.
    pub options: &'static [&'static str],
    /// GNU ld has these options.
    pub is_of_gnu: bool,
    /// How objects are compiled, if in a way of its own.
    pub compiled: Option<Compiled>,
    /// Further inputs, as words for the compiler.
    pub inputs: &'static [&'static str],
    /// A line that the program prints, and what it is with this feature.
    pub printed: (&'static str, &'static str),
    /// How the link is done.
    pub step: Step,
    /// A file that is made beside the output: what is added to its name.
    pub beside: &'static str,
    /// Whether debug information is there to be looked at.
    pub has_lines: bool,
    /// Whether the output can be run.
    pub runs: bool,
}

impl Feature {
    /// Whether it is a script for the whole layout, of which a link has one.
    fn has_script(&self) -> bool {
        self.options.iter().any(|option| option.contains("SHAPE"))
    }
}

const PLAIN: Feature = Feature {
    name: "",
    options: &[],
    is_of_gnu: false,
    compiled: None,
    inputs: &[],
    printed: ("", ""),
    step: Step::Single,
    beside: "",
    has_lines: true,
    runs: true,
};

/// A feature of skald alone, or of lld or mold.
const fn own(name: &'static str, options: &'static [&'static str]) -> Feature {
    Feature { name, options, ..PLAIN }
}

/// A feature that GNU ld has, too.
const fn gnu(name: &'static str, options: &'static [&'static str]) -> Feature {
    Feature { is_of_gnu: true, ..own(name, options) }
}

/// A feature of skald that makes a file beside the output.
const fn beside(
    name: &'static str,
    options: &'static [&'static str],
    beside: &'static str,
) -> Feature {
    Feature { beside, ..own(name, options) }
}

/// A way to compile the objects, with options of the linker.
const fn compiled(
    name: &'static str,
    compiled: Compiled,
    options: &'static [&'static str],
) -> Feature {
    Feature { compiled: Some(compiled), ..own(name, options) }
}

/// All features.
const FEATURES: &[Feature] = &[
    gnu("gc", &["--gc-sections"]),
    beside("gc-list", &["--gc-sections", "--print-gc-sections=OUT.gc"], ".gc"),
    own("why-live", &["--gc-sections", "--why-live=inner_member"]),
    own("icf-safe", &["--icf=safe"]),
    beside("icf-all", &["--icf=all", "--print-icf-sections=OUT.icf"], ".icf"),
    gnu("O2", &["-O2"]),
    gnu("version-script", &["--version-script=@/exports.map"]),
    gnu("dynamic-list", &["--dynamic-list=@/dynamic.list"]),
    Feature {
        inputs: &["wrap.o"],
        printed: ("wrapped 30", "wrapped 31"),
        ..gnu("wrap", &["--wrap=wrapped"])
    },
    Feature {
        printed: ("weak 0 0", "weak 1 0"),
        ..gnu("defsym", &["--defsym=weak_missing=first_step"])
    },
    gnu("script", &["-T", "@/SHAPE.ld"]),
    gnu("memory", &["-T", "@/SHAPE.memory.ld"]),
    gnu("headers", &["-T", "@/SHAPE.headers.ld"]),
    gnu("insert", &["-T", "@/insert.ld"]),
    Feature { is_of_gnu: true, has_lines: false, ..compiled("lto", Compiled::Lto, &[]) },
    Feature { is_of_gnu: true, has_lines: false, ..compiled("llvm-lto", Compiled::LlvmLto, &[]) },
    own("gdb-index", &["--gdb-index"]),
    own("debug-names", &["--debug-names"]),
    compiled("split", Compiled::Split, &["--gdb-index"]),
    Feature { beside: ".dwp", ..compiled("dwp", Compiled::Split, &["--dwp=OUT.dwp"]) },
    compiled("dedup", Compiled::Types, &["--dedup-debug-types"]),
    own("dedup-all", &["--dedup-debug-types=all"]),
    beside("separate", &["--separate-debug-file"], ".dbg"),
    Feature { runs: false, ..own("only-debug", &["--only-keep-debug"]) },
    gnu("zlib", &["--compress-debug-sections=zlib"]),
    own("zstd", &["--compress-debug-sections=zstd"]),
    Feature { is_of_gnu: true, ..compiled("compressed", Compiled::Compressed, &[]) },
    gnu("emit-relocs", &["--emit-relocs"]),
    Feature { is_of_gnu: true, step: Step::JoinedFirst, ..own("joined", &[]) },
    beside("map", &["-Map=OUT.map", "--cref"], ".map"),
    beside("report", &["--report=OUT.html"], ".html"),
    own("dependencies", &["--print-dependencies"]),
    own("memory-limit", &["--memory-limit=64M"]),
    Feature { step: Step::Reproduced, ..beside("reproduce", &["--reproduce=OUT.tar"], ".tar") },
    Feature { step: Step::Supervised, ..own("run", &[]) },
    own("relr", &["-z", "pack-relative-relocs"]),
    gnu("notext", &["-z", "notext"]),
    gnu("text", &["-z", "text"]),
    gnu("now", &["-z", "now"]),
    gnu("separate-code", &["-z", "separate-code"]),
    gnu("noseparate-code", &["-z", "noseparate-code"]),
    gnu("norelro", &["-z", "norelro"]),
    gnu("build-id", &["--build-id=sha1"]),
    gnu("export-dynamic", &["--export-dynamic"]),
    gnu("retain", &["--retain-symbols-file=@/retain.txt"]),
    Feature {
        inputs: &["-Wl,-b,binary", "bytes.bin", "-Wl,-b,default"],
        printed: ("bytes none", "bytes bytes"),
        ..gnu("binary", &[])
    },
    Feature {
        printed: ("absolute 0", "absolute 410020"),
        ..gnu("just-symbols", &["--just-symbols=@/absolute.elf"])
    },
    own("call-graph", &["--call-graph-ordering-file=@/calls.txt"]),
    own("symbol-order", &["--symbol-ordering-file=@/order.txt"]),
    own("shuffle", &["--shuffle-sections=7"]),
    own("reverse", &["--reverse-sections"]),
    own("padding", &["--randomize-section-padding=5"]),
    gnu("sysv", &["--hash-style=sysv"]),
    Feature { has_lines: false, ..gnu("strip", &["-s"]) },
    gnu("symbolic", &["-Bsymbolic"]),
    gnu("no-relax", &["--no-relax"]),
];

/// The features that are tried for a machine.
pub fn of(machine: &Machine) -> Vec<Feature> {
    let is_possible = |feature: &&Feature| feature.compiled.is_none_or(|c| c.is_possible(machine));
    FEATURES.iter().filter(is_possible).copied().collect()
}

/// A cell: features, as positions, in a shape.
#[derive(Debug, Clone)]
pub struct Cell {
    /// What is linked.
    pub shape: Shape,
    /// None, one or two features.
    pub features: Vec<usize>,
}

/// Each feature in each shape, and each pair that can be had together in one shape.
pub fn cells(features: &[Feature]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for &shape in Shape::ALL {
        cells.push(Cell { shape, features: Vec::new() });
        cells.extend((0..features.len()).map(|at| Cell { shape, features: vec![at] }));
    }
    for second in 0..features.len() {
        for first in 0..second {
            let compiled = [first, second].map(|at| features[at].compiled);
            let has_script = [first, second].map(|at| features[at].has_script());
            if compiled.iter().all(Option::is_some) || has_script == [true, true] {
                continue;
            }
            // Steps that differ by a number without common factors with that of the shapes.
            let shape = Shape::ALL[(first * 7 + second * 3) % Shape::ALL.len()];
            cells.push(Cell { shape, features: vec![first, second] });
        }
    }
    cells
}
