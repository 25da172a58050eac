//! `--report`: the data is right and the same with every number of threads, and the page can be
//! clicked through.

mod browser;

use browser::Browser;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SKALD: &str = env!("CARGO_BIN_EXE_skald");

/// Ends the script that a careless page puts it into, and then has a byte that is not UTF-8.
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
    /// With the objects of a small program, an archive and a shared library.
    fn new(name: &str) -> Directory {
        let path = std::env::temp_dir().join(format!("skald-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        let directory = Directory(path);
        let hostile = [b"\"", HOSTILE, b"\""].concat();
        let assembly = [
            b".section .text.hostile,\"ax\",@progbits\n.globl hostile\nhostile: call ".as_slice(),
            &hostile,
            b"\nret\n.section .text.bad,\"ax\",@progbits\n.globl ",
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

/// Rows that the section in a row of `sections` refers to.
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
    // What is folded has its symbols where the other section is.
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
    fails(&nowhere, "cannot write report none/r.html: No such file");
    fails(&["main.o", "-o", "out", "--report=failed.html"], "undefined symbol");
    assert!(!directory.0.join("failed.html").exists());
}

#[test]
fn the_page_can_be_clicked_through() {
    let directory = Directory::new("report-page");
    directory.link_program(&["--report=now.html"]);
    directory.link_program(&["--report=before.json", "--icf=none", "--no-gc-sections"]);
    let profile = directory.0.join("profile");
    let Some(mut browser) = Browser::start(&profile) else {
        eprintln!("skipped: there is no chromium");
        return;
    };
    browser.open(&directory.0.join("now.html"));
    treemap(&mut browser);
    symbol(&mut browser);
    hostile_names(&mut browser);
    lists(&mut browser);
    comparison(&mut browser, &directory.0.join("before.json"), true);
    comparison(&mut browser, &directory.0.join("now.html"), false);
    // Nothing was asked of a network or a disk.
    assert_eq!(browser.value("performance.getEntriesByType('resource').length"), 0);
    assert!(browser.exceptions.is_empty(), "{:?}", browser.exceptions);
}

const CELL_OF_TEXT: &str =
    "[...document.querySelectorAll('.cell')].find(cell => cell.node.name === '.text')";

fn treemap(browser: &mut Browser) {
    assert!(browser.text("#facts").contains("executable"));
    browser.wait(CELL_OF_TEXT);
    browser.click(CELL_OF_TEXT);
    browser.wait("document.querySelectorAll('.crumbs li').length === 2");
    assert!(browser.text(".details").contains("% of all"));
    // By the keyboard: into the first cell, and out again.
    browser.value("document.querySelector('.cell').focus() ?? null");
    browser.press("Enter");
    browser.wait("document.querySelectorAll('.crumbs li').length === 3");
    browser.press("Escape");
    browser.press("Escape");
    browser.wait("document.querySelectorAll('.crumbs li').length === 1");
    browser.value(
        "(e => { e.value = 'library'; e.dispatchEvent(new Event('change')); })\
         (document.getElementById('order')) ?? null",
    );
    browser
        .wait("[...document.querySelectorAll('.cell')].some(c => c.node.name === 'liblibrary.a')");
}

/// Opens a symbol by its name.
fn find(browser: &mut Browser, words: &str) {
    browser.enter("#query", words);
    browser.wait(&format!(
        "!document.getElementById('results').hidden && \
         document.getElementById('results').dataset.words === {words:?}"
    ));
    browser.click("document.querySelector('#results li.symbol')");
    browser.wait("!document.getElementById('view-symbol').hidden");
}

fn symbol(browser: &mut Browser) {
    find(browser, "space::func");
    assert_eq!(browser.text(".symbol-name"), "space::function(int, char const*)");
    assert!(browser.text(".facts").contains("_ZN5space8functionEiPKc"));
    let path = browser.text("ol.path");
    let steps: Vec<&str> = path.lines().filter(|line| !line.ends_with(".o")).collect();
    assert!(steps[0].starts_with("_start") && path.contains("entry point"), "{path}");
    assert!(steps.contains(&"cxx") && path.contains("space::function(int, char const*)"), "{path}");
    assert!(browser.text("#referrers").starts_with("cxx"));
    // On to who refers to it.
    browser.click("document.querySelector('#referrers button')");
    browser.wait("document.querySelector('.symbol-name').innerText === 'cxx'");
    assert!(browser.text("#targets").contains("space::function"));
    find(browser, "_start");
    assert!(browser.text("#targets").contains("shared_function"));
    browser.click(
        "[...document.querySelectorAll('.facts button')].find(b => /treemap/.test(b.innerText))",
    );
    browser.wait("!document.getElementById('view-treemap').hidden");
    assert!(browser.text(".crumbs").contains("main.o"));
}

fn hostile_names(browser: &mut Browser) {
    find(browser, "</script>");
    let shown = browser.text(".symbol-name");
    assert_eq!(shown, r"</script><img src=x onerror=window.hit=1>'&amp;\xff");
    assert_eq!(browser.value("document.images.length"), 0);
    assert_eq!(browser.value("window.hit ?? null"), Value::Null);
}

fn lists(browser: &mut Browser) {
    browser.click("document.getElementById('tab-removed')");
    let removed = browser.text("#view-removed");
    for word in ["Garbage collection", ".text.unused", "folded", "equal to", "liblibrary.a"] {
        assert!(removed.contains(word), "{word}: {removed}");
    }
    browser.click("document.getElementById('tab-timeline')");
    browser.wait("document.querySelectorAll('.chart .span').length > 5");
    let timeline = browser.text("#view-timeline");
    assert!(timeline.contains("main thread") && timeline.contains("mark and scan"), "{timeline}");
    browser.click("document.getElementById('tab-libraries')");
    let libraries = browser.text("#view-libraries");
    for word in ["libshared.so.1", "shared_function", "main.o", "yes"] {
        assert!(libraries.contains(word), "{word}: {libraries}");
    }
}

fn comparison(browser: &mut Browser, other: &Path, differs: bool) {
    browser.click("document.getElementById('tab-compare')");
    browser.choose("#other", other);
    let name = other.file_name().unwrap().to_str().unwrap();
    browser.wait(&format!(
        "document.getElementById('comparison').innerText.startsWith('Against {name}')"
    ));
    let text = browser.text("#comparison");
    assert_eq!(text.contains("gone"), differs, "{text}");
    assert_eq!(text.contains("unused"), differs, "{text}");
}
