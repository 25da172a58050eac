//! The page that `--report` writes, tested in a browser.

use super::Directory;
use super::browser::Browser;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

#[test]
fn the_page_can_be_clicked_through() {
    let directory = Directory::new("report-page");
    directory.link_program(&["--report=before.json", "--icf=none", "--no-gc-sections"]);
    directory.link_program(&["--report=before.html", "--icf=none", "--no-gc-sections"]);
    directory.link_program(&["--report=now.html"]);
    std::fs::write(directory.0.join("other.json"), "{\"format\": \"other\"}").unwrap();
    let nm = Command::new("nm").arg("program").current_dir(&directory.0).output().unwrap();
    let nm = String::from_utf8_lossy(&nm.stdout);
    let profile = directory.0.join("profile");
    let Some(mut browser) = Browser::start(&profile) else {
        eprintln!("skipped: there is no chromium");
        return;
    };
    let browser = &mut browser;
    browser.open(&directory.0.join("now.html"));
    treemap(browser);
    sums(browser);
    small_cells(browser);
    keyboard_in_the_treemap(browser);
    symbol(browser, &nm);
    search(browser);
    hostile_names(browser);
    lists(browser);
    tables(browser);
    timeline(browser);
    comparison(browser, &directory.0.join("before.json"), true);
    comparison(browser, &directory.0.join("before.html"), true);
    comparison(browser, &directory.0.join("now.html"), false);
    browser.choose("#other", &directory.0.join("other.json"));
    browser.wait("/is no report/.test(document.getElementById('comparison').innerText)");
    themes(browser);
    narrow(browser);
    // The page requested nothing from a network or a disk.
    assert_eq!(browser.value("performance.getEntriesByType('resource').length"), 0);
    assert!(browser.exceptions.is_empty(), "{:?}", browser.exceptions);
}

/// The cell of a node by its name.
fn cell(name: &str) -> String {
    format!("[...document.querySelectorAll('.cell')].find(cell => cell.node.name === {name:?})")
}

/// Chooses in a list of the treemap.
fn select(browser: &mut Browser, id: &str, value: &str) {
    browser.value(&format!(
        "(e => {{ e.value = {value:?}; e.dispatchEvent(new Event('change')); }})\
         (document.getElementById({id:?})) ?? null"
    ));
}

fn treemap(browser: &mut Browser) {
    assert!(browser.text("#facts").contains("executable"));
    browser.wait(&cell(".text"));
    browser.click(&cell(".text"));
    browser.wait("document.querySelectorAll('.crumbs li').length === 2");
    assert!(browser.text(".details").contains("% of all"));
    // A symbol is written without its namespace and parameters.
    browser.value(&format!("{}.click() ?? null", cell("./")));
    browser.value(&format!("{}.click() ?? null", cell("cxx.o")));
    assert_eq!(
        browser.value(&format!(
            "{}.querySelector('.name').innerText",
            cell("space::function(int, char const*)")
        )),
        "function"
    );
    browser.click("document.querySelector('.crumbs button')");
    // Sections that the linker creates have no parts to open.
    browser.click(&cell(".strtab"));
    assert!(browser.text(".details").contains("made by the linker"));
    assert_eq!(browser.value("document.querySelectorAll('.crumbs li').length"), 1);
    // In the order by library, all are in one library.
    select(browser, "order", "library");
    browser.wait(&cell("liblibrary.a"));
    browser.click(&cell("(made by the linker)"));
    browser.wait(&cell(".strtab"));
    select(browser, "order", "section");
}

/// In each order and measure, the sizes of parts add up to that of the whole, and the total is the
/// size of the file or the memory.
fn sums(browser: &mut Browser) {
    let wrong = browser.value(
        "(() => {
            const { model } = document.querySelector('.cell').node.tree;
            const { output, output_sections: sections } = model.data;
            const loaded = sections.size.reduce((sum, size, at) => sum + size * sections.loaded[at], 0);
            const wrong = [];
            let nodes = 0;
            const check = (node) => {
                nodes++;
                const sum = node.children.reduce((sum, child) => sum + child.size, 0);
                if (node.children.length && sum !== node.size) wrong.push(`${node.name}: ${sum}`);
                node.children.forEach(check);
            };
            for (const order of ['section', 'library']) {
                for (const [measure, size] of [['file', output.file_size], ['loaded', loaded]]) {
                    const { root } = new tree.Tree(model, order, measure);
                    if (root.size !== size) wrong.push(`${order}, ${measure}: ${root.size}`);
                    check(root);
                }
            }
            return nodes > 100 ? wrong : ['too little to check'];
        })()",
    );
    assert_eq!(wrong, json!([]));
}

/// Parts that are too small to see are combined in one cell, which opens; cells stay inside their
/// parents.
fn small_cells(browser: &mut Browser) {
    let parts = browser.value(
        "(() => {
            const { root } = new tree.Tree(document.querySelector('.cell').node.tree.model, 'section', 'file');
            const { children } = root;
            const sum = (nodes) => nodes.reduce((sum, node) => sum + node.size, 0);
            const least = children[3].size + 1;
            const few = root.largest(least, 0);
            const rest = few[few.length - 1];
            return [
                few.length === 1 + children.filter((child) => child.size >= least).length,
                rest.kind === 'rest' && sum(few) === root.size && sum(rest.children) === rest.size,
                root.largest(least, children.length - 2).length === children.length - 1,
                root.largest(Infinity, 0).length === 0 && root.largest(0, 0) === children,
            ];
        })()",
    );
    assert_eq!(parts, json!([true, true, true, true]));
    let outside = browser.value(
        "[...document.querySelectorAll('.cell')].filter((cell) => {
            const { width, height } = cell.getBoundingClientRect();
            const { place } = cell;
            const { parent } = place;
            return Math.round(width) !== place.x1 - place.x0 || Math.round(height) !== place.y1 - place.y0
                || place.x1 > parent.x1 || place.y1 > parent.y1;
        }).length",
    );
    assert_eq!(outside, 0);
}

const FOCUSED: &str = "document.activeElement.node?.name";

/// Tab stops at one cell; arrow keys move between cells, Enter opens a cell, and Escape returns to
/// it.
fn keyboard_in_the_treemap(browser: &mut Browser) {
    assert_eq!(browser.value("document.querySelectorAll('.map [tabindex=\"0\"]').length"), 1);
    browser.value(&format!("{}.focus() ?? null", cell(".text")));
    let place = "(({ x0, x1, y0 }) => [x0, x1, y0])(document.activeElement.place)";
    let header = browser.value(place);
    browser.press("ArrowDown");
    let below = browser.value(place);
    assert!(below[2].as_f64() > header[2].as_f64(), "{header} {below}");
    assert_eq!(browser.value("document.activeElement.node.above('output')?.name"), ".text");
    assert_eq!(browser.value("document.activeElement.tabIndex"), 0);
    let label = browser.value("document.activeElement.getAttribute('aria-label')");
    assert!(label.as_str().is_some_and(|label| label.ends_with(" B")), "{label}");
    assert_eq!(browser.value("document.querySelectorAll('.map [tabindex=\"0\"]').length"), 1);
    browser.press("ArrowUp");
    assert_eq!(browser.value(FOCUSED), ".text");
    browser.press("Enter");
    assert_eq!(browser.value("document.querySelectorAll('.crumbs li').length"), 2);
    assert_eq!(browser.value("document.activeElement === document.querySelector('.cell')"), true);
    browser.press("Enter");
    assert_eq!(browser.value("document.querySelectorAll('.crumbs li').length"), 3);
    // A long description of a cell does not make the map smaller.
    let height = browser.value("document.querySelector('.map').clientHeight");
    browser.value("document.querySelector('.details').append('long '.repeat(1000)) ?? null");
    assert_eq!(browser.value("document.querySelector('.map').clientHeight"), height);
    browser.press("Escape");
    browser.press("Escape");
    assert_eq!(browser.value("document.querySelectorAll('.crumbs li').length"), 1);
    assert_eq!(browser.value(FOCUSED), ".text");
}

/// Opens a symbol by its name.
fn find(browser: &mut Browser, words: &str) {
    search_for(browser, words);
    browser.click("document.querySelector('#results li.symbol')");
    browser.wait("!document.getElementById('view-symbol').hidden");
}

fn symbol(browser: &mut Browser, nm: &str) {
    find(browser, "space::func");
    assert_eq!(browser.text(".symbol-name"), "space::function(int, char const*)");
    assert!(browser.text(".facts").contains("_ZN5space8functionEiPKc"));
    let path = browser.text("ol.path");
    let steps: Vec<&str> = path.lines().filter(|line| !line.ends_with(".o")).collect();
    assert!(steps[0].starts_with("_start") && path.contains("entry point"), "{path}");
    assert!(steps.contains(&"cxx") && path.contains("space::function(int, char const*)"), "{path}");
    assert!(browser.text("#referrers").starts_with("cxx"));
    // Goes on to a section that refers to it.
    browser.click("document.querySelector('#referrers button')");
    browser.wait("document.querySelector('.symbol-name').innerText === 'cxx'");
    assert!(browser.text("#targets").contains("space::function"));
    let address = browser.text(".facts");
    let address = address.split("0x").nth(1).and_then(|rest| rest.split_whitespace().next());
    assert!(address.is_some_and(|address| nm.contains(&format!("{address} T cxx\n"))), "{nm}");
    // The place of a merged string is not known.
    find(browser, "merged");
    assert!(browser.text(".facts").contains(".rodata"));
    assert!(!browser.text(".facts").contains("Address"));
    find(browser, "_start");
    assert!(browser.text("#targets").contains("shared_function"));
    browser.click(
        "[...document.querySelectorAll('.facts button')].find(b => /treemap/.test(b.innerText))",
    );
    browser.wait("!document.getElementById('view-treemap').hidden");
    assert!(browser.text(".crumbs").contains("main.o"));
    assert_eq!(browser.value(FOCUSED), "_start");
}

/// Waits until the search box shows results.
fn search_for(browser: &mut Browser, words: &str) {
    browser.enter("#query", words);
    browser.wait(&format!(
        "!document.getElementById('results').hidden && \
         document.getElementById('results').dataset.words === {words:?}"
    ));
}

/// Searches raw and demangled names, also of imports and objects, and by the keyboard.
fn search(browser: &mut Browser) {
    for words in ["_ZN5space8functionEiPKc", "SPACE function", "function(int, char const*)"] {
        search_for(browser, words);
        let found = browser.text("#results li.symbol .name");
        assert_eq!(found, "space::function(int, char const*)", "{words}");
    }
    search_for(browser, "library.o");
    assert_eq!(browser.text("#results li.object .name"), "liblibrary.a(library.o)");
    search_for(browser, "no such thing");
    assert_eq!(browser.text("#results"), "0 symbols");
    browser.press("Escape");
    browser.wait("document.getElementById('results').hidden");
    // Selects the second result by arrow keys and Enter.
    browser.press("/");
    browser.wait("document.activeElement.id === 'query'");
    search_for(browser, "function");
    browser.press("ArrowDown");
    browser.press("ArrowDown");
    let chosen = browser.text("#results li[aria-selected='true'] .name");
    assert_eq!(chosen, browser.text("#results li:nth-child(3) .name"));
    let active = "document.getElementById(document.getElementById('query')\
        .getAttribute('aria-activedescendant')).querySelector('.name').innerText";
    assert_eq!(browser.value(active), chosen.as_str());
    browser.press("Enter");
    browser.wait("document.getElementById('results').hidden");
    assert_eq!(browser.text(".symbol-name"), chosen);
    // An import, and the sections that use it.
    search_for(browser, "shared_function");
    browser.click("document.querySelector('#results li.import')");
    browser.wait("document.querySelector('.symbol-name').innerText === 'shared_function'");
    assert!(browser.text(".facts").contains("libshared.so.1"));
    assert!(browser.text("#referrers").starts_with("_start"));
}

fn hostile_names(browser: &mut Browser) {
    find(browser, "</script>");
    let shown = browser.text(".symbol-name");
    assert_eq!(shown, r"</script><img src=x onerror=window.hit=1>'&amp;\xff");
    // Invisible characters, and those that change the writing direction, are escaped.
    let names = browser.value(r"['a\tb', '_\u202ex', 'plain', '_Z'].map(demangle)");
    assert_eq!(names, json!([r"a\u{9}b", r"_\u{202e}x", "plain", "_Z"]));
    find(browser, "yyyy");
    let excess = browser.value("document.documentElement.scrollWidth - innerWidth");
    assert!(excess.as_i64().is_some_and(|excess| excess <= 0), "{excess}");
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

/// The texts of a column.
fn column(browser: &mut Browser, table: &str, at: usize) -> Vec<String> {
    let texts = browser.value(&format!(
        "[...document.querySelectorAll('{table} tbody tr')].map(row => row.cells[{at}].innerText)"
    ));
    serde_json::from_value(texts).unwrap()
}

/// Sorted by a click on a header, the other way by the next; and filtered.
fn tables(browser: &mut Browser) {
    browser.click("document.getElementById('tab-removed')");
    let table = "#view-removed .table:last-child table";
    let header = |at: usize| format!("document.querySelectorAll('{table} th button')[{at}]");
    let order = |browser: &mut Browser, at: usize| {
        browser.value(&format!(
            "document.querySelectorAll('{table} th')[{at}].getAttribute('aria-sort')"
        ))
    };
    let sizes = |browser: &mut Browser| -> Vec<u64> {
        let texts = column(browser, table, 0);
        texts.iter().map(|text| text.replace('\u{202f}', "").parse().unwrap()).collect()
    };
    assert_eq!(order(browser, 0), "descending");
    let descending = sizes(browser);
    assert!(descending.len() > 2 && descending.is_sorted_by(|a, b| a >= b), "{descending:?}");
    browser.click(&header(0));
    assert_eq!(order(browser, 0), "ascending");
    assert!(sizes(browser).is_sorted());
    browser.click(&header(2));
    assert_eq!((order(browser, 0), order(browser, 2)), ("none".into(), "ascending".into()));
    assert!(column(browser, table, 2).is_sorted());
    // Only cells that lead somewhere look like links.
    let links = format!(
        "[...document.querySelectorAll('{table} tr.link')].every(row => /folded/.test(row.innerText))"
    );
    assert_eq!(browser.value(&links), true);
    // More rows than are searched at once.
    browser.value(
        "(() => {
            const rows = Array.from({ length: 9000 }, (_, at) => ({ at }));
            const columns = [{ title: 'Row', number: true, value: (row) => row.at, text: (row) => `row ${row.at}.` }];
            const long = tables.table(columns, rows, { sorted: -1, filter: true });
            long.id = 'long';
            document.getElementById('view-removed').append(long);
        })() ?? null",
    );
    assert_eq!(column(browser, "#long", 0).len(), 200);
    assert_eq!(column(browser, "#long", 0)[0], "row 8999.");
    browser.enter("#long input", "ROW 1234.");
    browser.wait("document.querySelectorAll('#long tbody tr').length === 1");
    assert_eq!(column(browser, "#long", 0), ["row 1234."]);
    browser.enter("#long input", "899");
    browser.wait("document.querySelectorAll('#long tbody tr').length === 19");
    assert_eq!(column(browser, "#long", 0)[0], "row 8999.");
    browser.value("document.getElementById('long').remove() ?? null");
}

/// Zooming keeps the point in the middle, or under the pointer, in place.
fn timeline(browser: &mut Browser) {
    browser.click("document.getElementById('tab-timeline')");
    browser.value("void (window.box = document.querySelector('.scroll')) ?? null");
    let width = "Math.round(box.scrollWidth / box.clientWidth)";
    let place = |browser: &mut Browser, x: &str| {
        let share = browser.value(&format!("(box.scrollLeft + {x}) / box.scrollWidth"));
        share.as_f64().unwrap()
    };
    let middle = "box.clientWidth / 2";
    assert_eq!(browser.value(width), 1);
    for times in [2, 4, 8] {
        browser.click("document.querySelector('.zoom [title=Larger]')");
        assert_eq!(browser.value(width), times);
    }
    assert!((place(browser, middle) - 0.5).abs() < 0.01);
    // The name of a thread stays in sight.
    let name = "document.querySelector('.thread span').getBoundingClientRect().left \
        - box.getBoundingClientRect().left";
    assert!(browser.value(name).as_f64().is_some_and(|left| (0.0..20.0).contains(&left)));
    // Dragging to the right by the mouse shows the part 100 pixels further left.
    let corner = browser.value("(b => [b.left, b.top])(box.getBoundingClientRect())");
    let (left, y) = (corner[0].as_f64().unwrap(), corner[1].as_f64().unwrap() + 40.0);
    let before = browser.value("box.scrollLeft").as_f64().unwrap();
    for (kind, x) in [("mousePressed", 200.0), ("mouseMoved", 300.0), ("mouseReleased", 300.0)] {
        browser.mouse(&json!({"type": kind, "x": left + x, "y": y, "clickCount": 1}));
    }
    assert_eq!(browser.value("box.scrollLeft").as_f64(), Some(before - 100.0));
    let before = place(browser, "200");
    browser.mouse(&json!({"type": "mouseWheel", "x": left + 200.0, "y": y, "deltaX": 0,
        "deltaY": -100, "modifiers": 2, "button": "none", "buttons": 0}));
    browser.wait(&format!("{width} === 10"));
    assert!((place(browser, "200") - before).abs() < 0.01);
    // By the keyboard.
    browser.value("box.focus() ?? null");
    let before = browser.value("box.scrollLeft").as_f64().unwrap();
    browser.press("ArrowRight");
    assert_eq!(browser.value("box.scrollLeft").as_f64(), Some(before + 80.0));
    browser.press("-");
    assert_eq!(browser.value(width), 5);
    browser.press("0");
    assert_eq!(browser.value("[box.scrollLeft, box.scrollWidth - box.clientWidth]"), json!([0, 0]));
    browser.value("document.querySelector('.chart .span').focus() ?? null");
    assert!(browser.text("#view-timeline .details").contains(" ms"));
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
    // Each value is the sum of the old value and the change.
    let wrong = browser.value(
        "(() => {
            const number = (text) => Number(text.replace('−', '-').replaceAll('\u{202f}', '').replace(/new|gone/, '0'));
            const rows = [...document.querySelectorAll('#comparison tbody tr')].map((row) => [...row.cells].map((cell) => cell.innerText));
            return rows.filter(([change, , before, now]) => number(before) + number(change) !== number(now));
        })()",
    );
    assert_eq!(wrong, json!([]));
    let rows = browser.value("document.querySelectorAll('#comparison tbody tr').length");
    assert_eq!(rows.as_u64() > Some(3), differs);
}

/// The page is dark if the reader prefers that, or by the button.
fn themes(browser: &mut Browser) {
    let brightness = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g)\
        .reduce((sum, part) => sum + Number(part), 0) / 765";
    let is_dark = |browser: &mut Browser| browser.value(brightness).as_f64().unwrap() < 0.5;
    for (scheme, dark) in [("light", false), ("dark", true)] {
        browser.look(1400, scheme);
        browser.value("delete document.documentElement.dataset.theme");
        assert_eq!(is_dark(browser), dark, "{scheme}");
        browser.click("document.getElementById('theme')");
        assert_eq!(is_dark(browser), !dark, "{scheme} and the button");
        browser.click("document.getElementById('theme')");
        assert_eq!(is_dark(browser), dark, "{scheme} and the button twice");
    }
}

/// In a narrow window nothing overflows, not even the results of a search.
fn narrow(browser: &mut Browser) {
    browser.look(700, "light");
    for view in ["treemap", "removed", "timeline", "libraries", "symbol", "compare"] {
        browser.click(&format!("document.getElementById('tab-{view}')"));
        let excess = browser.value("document.documentElement.scrollWidth - innerWidth");
        assert!(excess.as_i64().is_some_and(|excess| excess <= 0), "{view}: {excess}");
    }
    search_for(browser, "function");
    let sides = browser.value(
        "(b => b.left >= 0 && b.right <= innerWidth)\
         (document.getElementById('results').getBoundingClientRect())",
    );
    assert_eq!(sides, true);
}
