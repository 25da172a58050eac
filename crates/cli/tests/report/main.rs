//! `--report`: the data is right and the same with every number of threads. Tests of the HTML page
//! are in `page`.

mod browser;
mod page;

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

const SKALD: &str = env!("CARGO_BIN_EXE_skald");

/// A name that would end the script element of a page without escaping, with a byte that is not
/// UTF-8.
const HOSTILE: &[u8] = b"</script><img src=x onerror=window.hit=1>'&amp;\xff";

const MAIN: &str = "
int shared_function(void); int library_function(int); int cxx(int, const char *);
void hostile(void);
int unused(void) { return 42; }
__attribute__((noinline)) int same(int x) { return x * 3 + 1; }
__attribute__((noinline)) int equal(int x) { return x * 3 + 1; }
__attribute__((noinline)) int middle(int x) { return library_function(x) + same(x) + equal(x); }
void _start(void) { hostile(); middle(shared_function() + cxx(1, \"text\")); }
";
const LIBRARY: &str = "
const char *text(void) { return \"text\"; }
__attribute__((noinline)) int library_function(int x) { return x + text()[0]; }
";
const CXX: &str = "
namespace space { __attribute__((noinline)) int function(int x, const char *y) { return x + y[0]; } }
extern \"C\" int cxx(int x, const char *y) { return space::function(x, y) * 2; }
";

struct Directory(PathBuf);

impl Directory {
    /// A directory with the objects of a small program, an archive and a shared library.
    fn new(name: &str) -> Directory {
        let path = std::env::temp_dir().join(format!("skald-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        let directory = Directory(path);
        let hostile = [b"\"", HOSTILE, b"\""].concat();
        let long = format!("\n{}:\n", "y".repeat(3000));
        let assembly = [
            b".section .rodata.str1.1,\"aMS\",@progbits,1\n.string \"text\"\nmerged: \
            .string \"more\"\n\
                .section .text.hostile,\"ax\",@progbits\n.globl hostile\n\
                hostile: lea merged(%rip), %rax\ncall "
                .as_slice(),
            &hostile,
            b"\nret\n.section .text.bad,\"ax\",@progbits",
            long.as_bytes(),
            b".globl ",
            &hostile,
            b"\n",
            &hostile,
            b":\nret\n.size ",
            &hostile,
            b", . - ",
            &hostile,
            b"\n",
        ];
        let sources = [
            ("main.c", MAIN.as_bytes().to_vec()),
            ("library.c", LIBRARY.as_bytes().to_vec()),
            ("cxx.cc", CXX.as_bytes().to_vec()),
            ("shared.c", b"int shared_function(void) { return 1; }".to_vec()),
            ("hostile.s", assembly.concat()),
        ];
        for (file, text) in sources {
            std::fs::write(directory.0.join(file), text).unwrap();
            let options =
                ["-c", "-O1", "-fPIC", "-ffunction-sections", "-fno-asynchronous-unwind-tables"];
            let mut gcc = Command::new("gcc");
            let compiled = gcc.args(options).arg(file).current_dir(&directory.0).status();
            assert!(compiled.unwrap().success(), "{file}");
        }
        let mut ar = Command::new("ar");
        let made = ar.args(["rcs", "liblibrary.a", "library.o"]).current_dir(&directory.0).status();
        assert!(made.unwrap().success());
        directory.link(&["-shared", "shared.o", "-soname", "libshared.so.1", "-o", "libshared.so"]);
        directory
    }

    fn run(&self, words: &[&str]) -> Output {
        Command::new(SKALD).args(words).current_dir(&self.0).output().unwrap()
    }

    fn link(&self, words: &[&str]) {
        let output = self.run(words);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Links the program.
    fn link_program(&self, words: &[&str]) {
        let inputs = [
            "main.o",
            "hostile.o",
            "cxx.o",
            "liblibrary.a",
            "libshared.so",
            "-o",
            "program",
            "--gc-sections",
            "--icf=all",
            "-dynamic-linker",
            "/lib64/ld-linux-x86-64.so.2",
        ];
        self.link(&[&inputs, words].concat());
    }

    fn json(&self, file: &str) -> Value {
        serde_json::from_slice(&std::fs::read(self.0.join(file)).unwrap()).unwrap()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The row of `name` in a column.
fn row(column: &Value, name: &str) -> usize {
    let column = column.as_array().unwrap();
    column.iter().position(|value| value == name).unwrap_or_else(|| panic!("no {name}"))
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap()
}

/// Rows that a row of `sections` refers to.
fn targets(report: &Value, section: usize) -> Vec<i64> {
    let counts = report["references"]["count"].as_array().unwrap();
    let first: i64 = counts[..section].iter().map(number).sum();
    let distances = &report["references"]["distance"].as_array().unwrap()[first as usize..];
    let mut target = section as i64;
    let own = distances[..number(&counts[section]) as usize].iter();
    own.map(|distance| {
        target += number(distance);
        target
    })
    .collect()
}

#[test]
fn the_data_says_what_is_in_the_output_and_why() {
    let directory = Directory::new("report-data");
    directory.link_program(&["--report=r.json", "--threads=1"]);
    let report = directory.json("r.json");
    assert_eq!((&report["format"], number(&report["version"])), (&"skald-report".into(), 1));
    let size = std::fs::metadata(directory.0.join("program")).unwrap().len();
    assert_eq!(report["output"]["file_size"], size);

    let symbols = &report["symbols"];
    let section_of = |name: &str| number(&symbols["section"][row(&symbols["name"], name)]) as usize;
    let (start, middle) = (section_of("_start"), section_of("middle"));
    assert!(targets(&report, start).contains(&(middle as i64)));
    assert_eq!(number(&report["sections"]["object"][start]), 0);
    let object = number(&report["sections"]["object"][section_of("library_function")]) as usize;
    assert_eq!(report["objects"]["name"][object], "library.o");
    let library = number(&report["objects"]["library"][object]) as usize;
    assert_eq!(report["libraries"]["name"][library], "liblibrary.a");
    assert_eq!(report["libraries"]["archive"][library], 1);
    // Symbols of a folded section are in the section that was kept.
    assert_eq!(section_of("same"), section_of("equal"));
    assert_eq!(report["folded"]["name"][0].as_str().map(|n| n.len() > 6), Some(true));
    assert_eq!(number(&report["folded"]["leader"][0]) as usize, section_of("same"));
    row(&report["removed"]["name"], ".text.unused");
    assert!(report["merged"]["section"].as_array().is_some_and(|merged| !merged.is_empty()));

    let import = row(&report["imports"]["name"], "shared_function");
    let sections = report["sections"]["size"].as_array().unwrap().len();
    assert!(targets(&report, start).contains(&((sections + import) as i64)));
    let library = number(&report["imports"]["library"][import]) as usize;
    assert_eq!(report["shared_libraries"]["name"][library], "libshared.so.1");
    assert_eq!(report["shared_libraries"]["needed"][library], 1);

    let root = row(&report["root_reasons"], "entry point");
    let roots = report["roots"]["section"].as_array().unwrap().iter().zip(0..);
    let entry = roots.filter(|(section, _)| number(section) as usize == start);
    assert!(
        entry.map(|(_, at)| &report["roots"]["reason"][at]).all(|r| number(r) as usize == root)
    );
    let phases = &report["timeline"]["name"];
    row(phases, "write");
}

#[test]
fn reports_are_the_same_with_every_number_of_threads() {
    let directory = Directory::new("report-threads");
    let mut reports = Vec::new();
    for threads in ["--threads=1", "--threads=2", "--threads=8"] {
        directory.link_program(&["--report=r.json", threads]);
        let mut report = directory.json("r.json");
        report["timeline"].take();
        reports.push(report);
    }
    assert!(reports.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn other_outputs_and_errors() {
    let directory = Directory::new("report-kinds");
    let kinds: [(&[&str], &str); 4] = [
        (&["-shared", "main.o", "cxx.o"], "shared library"),
        (&["-static", "shared.o", "-e", "shared_function"], "static executable"),
        (
            &["-pie", "shared.o", "-e", "shared_function", "--no-dynamic-linker"],
            "static position-independent executable",
        ),
        (&["shared.o", "-e", "shared_function", "--icf=all", "-O2"], "static executable"),
    ];
    for (words, kind) in kinds {
        directory.link(&[words, &["-o", "out", "--report=r.json"]].concat());
        assert_eq!(directory.json("r.json")["output"]["kind"], kind, "{words:?}");
    }
    let fails = |words: &[&str], text: &str| {
        let output = directory.run(words);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(text), "{said}");
    };
    fails(
        &["-r", "shared.o", "-o", "r.o", "--report=r.json"],
        "--report and -r may not be used together",
    );
    fails(
        &["shared.o", "-o", "out", "--report=r.txt"],
        "--report=r.txt: the name must end in .html or .json",
    );
    let nowhere = ["shared.o", "-shared", "-o", "out", "--report=none/r.html"];
    fails(&nowhere, "--report: cannot open none/r.html: No such file");
    fails(&["main.o", "-o", "out", "--report=failed.html"], "undefined symbol");
    assert!(!directory.0.join("failed.html").exists());
}
