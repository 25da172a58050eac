// Tables that sort by a click, and the two views that are little else: what was taken away, and the
// shared libraries.

const tables = (() => {
  "use strict";
  const { make, show, size, count, some } = elements;

  const PAGE = 200;

  /** Rows that are looked through at once; the page stays alive between. */
  const SLICE = 2000;

  /**
   * A table. A column is `{ title, value(row), text(row), cell(row) }` and how it is set: `number`, `whole`
   * or `path`; `act(row)` makes those rows buttons for which `acts(row)`.
   */
  function table(columns, rows, { act, acts = () => true, sorted = 0, filter = false, label } = {}) {
    let shown = PAGE;
    let by = sorted;
    let turn = 0;
    const lines = new Map();
    const head = make("tr");
    const body = make("tbody");
    const more = make("button", { type: "button", class: "more" }, "Show more");
    const input = make("input", { type: "search", placeholder: "Filter", "aria-label": `Filter ${label ?? "rows"}` });
    const value = (column, row) => (column.value ? column.value(row) : column.text(row));
    const text = (column, row) => (column.text ? column.text(row) : count(column.value(row)));
    let visible = rows;

    function draw() {
      head.querySelectorAll("th").forEach((cell, at) =>
        cell.setAttribute("aria-sort", at !== Math.abs(by) - 1 ? "none" : by < 0 ? "descending" : "ascending"));
      show(body, ...visible.slice(0, shown).map(line));
      more.hidden = visible.length <= shown;
      more.textContent = `Show more of ${count(visible.length)}`;
    }

    function line(row) {
      const cells = columns.map((column) => make("td", { class: ["number", "whole", "path"].find((kind) => column[kind]) }, column.cell ? column.cell(row) : text(column, row)));
      const line = make("tr", {}, ...cells);
      if (act && acts(row)) {
        line.tabIndex = 0;
        line.className = "link";
        line.onclick = () => act(row, line);
        line.onkeydown = (event) => {
          if (event.key === "Enter" && event.target === line) act(row, line);
        };
      }
      return line;
    }

    function sort() {
      const column = columns[Math.abs(by) - 1];
      if (column) {
        const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
        const values = new Map(visible.map((row) => [row, value(column, row)]));
        visible = [...visible].sort((a, b) => Math.sign(by) * order(values.get(a), values.get(b)));
      }
      draw();
    }

    /** All that a row shows, to look for words in. */
    function lineOf(row) {
      if (!lines.has(row)) lines.set(row, columns.map((column) => text(column, row)).join("\n").toLowerCase());
      return lines.get(row);
    }

    async function select() {
      const own = ++turn;
      const words = input.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
      const found = [];
      for (let at = 0; at < rows.length && words.length; at += SLICE) {
        if (at) await new Promise((resolve) => setTimeout(resolve));
        if (own !== turn) return;
        found.push(...rows.slice(at, at + SLICE).filter((row) => words.every((word) => lineOf(row).includes(word))));
      }
      visible = words.length ? found : rows;
      shown = PAGE;
      sort();
    }

    columns.forEach((column, at) => {
      const button = make("button", { type: "button" }, column.title);
      button.onclick = () => {
        by = Math.abs(by) === at + 1 ? -by : column.number ? -(at + 1) : at + 1;
        sort();
      };
      head.append(make("th", { scope: "col", class: column.number ? "number" : null }, button));
    });
    more.onclick = () => {
      shown += 5 * PAGE;
      draw();
    };
    input.oninput = select;
    sort();
    const whole = make("div", { class: "table" }, filter && rows.length > 10 ? input : null, make("table", {}, make("thead", {}, head), body), more);
    return whole;
  }

  const card = (title, value, note) =>
    make("div", { class: "card" }, make("h3", {}, title), make("p", { class: "value" }, value), make("p", {}, note));

  function removedView(view, model, actions) {
    const { removed, folded, merged, objects, sections, output } = model.data;
    const total = (column) => column.reduce((sum, value) => sum + value, 0);
    const mergedFrom = total(merged.input_size);
    const mergedTo = merged.section.reduce((sum, row) => sum + sections.size[row], 0);
    const cards = make("div", { class: "cards" },
      card("Garbage collection", size(total(removed.size)), output.collects_garbage ? `${some(removed.size.length, "section")} that nothing refers to` : "not asked for (--gc-sections)"),
      card("Folding", size(total(folded.size)), output.folds ? `${some(folded.size.length, "section")} equal to another` : "not asked for (--icf)"),
      card("Merging", size(mergedFrom - mergedTo), `of ${size(mergedFrom)} of strings and constants`),
      card("Duplicates", size(total(objects.duplicate_bytes)), `${some(total(objects.duplicate_sections), "section")} of inline functions and the like from another object`));
    const rows = [];
    removed.size.forEach((bytes, at) => rows.push({ what: "unused", name: removed.name[at], object: removed.object[at], size: bytes }));
    folded.size.forEach((bytes, at) => rows.push({ what: "folded", name: folded.name[at], object: folded.object[at], size: bytes, leader: folded.leader[at] }));
    merged.section.forEach((row, at) => {
      const gone = merged.input_size[at] - sections.size[row];
      if (gone > 0) rows.push({ what: "merged", name: model.sectionName(row), object: sections.object[row], size: gone });
    });
    objects.duplicate_bytes.forEach((bytes, at) => {
      if (bytes > 0) rows.push({ what: "duplicate", name: some(objects.duplicate_sections[at], "section"), object: at, size: bytes });
    });
    const leader = (row) => (row.leader >= 0 ? "equal to " + model.sectionLabel(row.leader) : "");
    const columns = [
      { title: "Bytes", number: true, value: (row) => row.size, text: (row) => count(row.size) },
      { title: "How", whole: true, text: (row) => row.what },
      { title: "Section", text: (row) => (row.text ??= demangle.section(row.name)) },
      { title: "Object", path: true, text: (row) => model.objectPath(row.object) },
    ];
    if (folded.size.length) columns.push({ title: "In its place", text: leader });
    const by = (key, title, name) => {
      const groups = new Map();
      for (const row of rows) {
        const sum = groups.get(key(row)) ?? { unused: 0, folded: 0, merged: 0, duplicate: 0, all: 0 };
        sum[row.what] += row.size;
        sum.all += row.size;
        groups.set(key(row), sum);
      }
      const kind = (what, title) => ({ title, number: true, value: (row) => row[1][what], text: (row) => count(row[1][what]) });
      return table([{ title, text: (row) => name(row[0]) }, kind("all", "All"), kind("unused", "Unused"), kind("folded", "Folded"), kind("merged", "Merged"), kind("duplicate", "Duplicate")], [...groups], { sorted: -2, filter: true, label: title });
    };
    show(view, cards,
      make("h2", {}, "By library"), by((row) => model.libraryOf(row.object), "Library", (id) => model.libraryName(id)),
      make("h2", {}, "By section"),
      table(columns, rows, { sorted: -1, filter: true, label: "sections", act: (row) => actions.section(row.leader), acts: (row) => row.leader >= 0 }));
  }

  function librariesView(view, model, actions) {
    const { shared_libraries: libraries, imports, sections } = model.data;
    const users = (at) => [...model.referrersOf(model.sectionCount + at)];
    const rows = libraries.name.map((name, at) => {
      const names = [];
      imports.library.forEach((library, row) => {
        if (library === at) names.push(row);
      });
      const objects = new Set();
      for (const row of names) for (const user of users(row)) objects.add(sections.object[user]);
      return { at, name, path: libraries.path[at], needed: libraries.needed[at], names, objects: [...objects] };
    });
    const details = make("div", { class: "details-of-library" });
    const why = (row) => {
      if (row.needed && row.names.length) return "used";
      if (row.needed) return libraries.as_needed[row.at] ? "needed" : "no use; linked without --as-needed";
      return "not needed (--as-needed)";
    };
    const open = (row) => {
      const symbol = [
        { title: "Symbol", cell: (name) => actions.importLink(name), text: (name) => demangle(imports.name[name]) },
        { title: "Objects", number: true, value: (name) => new Set(users(name).map((user) => sections.object[user])).size },
        { title: "Used in", cell: (name) => make("span", {}, ...links(users(name))), text: (name) => users(name).slice(0, 8).map((user) => model.sectionLabel(user)).join("\n") },
      ];
      const more = (list, most) => (list.length > most ? `and ${count(list.length - most)} more` : null);
      const links = (list) => [...list.slice(0, 8).map((user) => actions.sectionLink(user)), more(list, 8)];
      const object = [
        { title: "Object", path: true, text: (object) => model.objectPath(object.id) },
        { title: "Symbols", number: true, value: (object) => object.names.size },
        { title: "Which", text: ({ names }) => [...[...names].slice(0, 12).map((name) => demangle(imports.name[name])), more([...names], 12)].filter(Boolean).join(", ") },
      ];
      const byObject = new Map();
      for (const name of row.names) {
        for (const user of users(name)) {
          const id = sections.object[user];
          if (!byObject.has(id)) byObject.set(id, { id, names: new Set() });
          byObject.get(id).names.add(name);
        }
      }
      show(details, make("h2", {}, row.name), make("p", {}, row.path),
        make("h3", {}, "Objects that bind to it"), table(object, [...byObject.values()], { sorted: -2, filter: true, label: "objects" }),
        make("h3", {}, "Symbols bound to it"), table(symbol, row.names, { sorted: -2, filter: true, label: "symbols" }));
    };
    const choose = (line) => {
      view.querySelector("tr[aria-current]")?.removeAttribute("aria-current");
      line.setAttribute("aria-current", "true");
    };
    const openAndShow = (row, line) => {
      open(row);
      choose(line);
      details.scrollIntoView({ block: "nearest" });
    };
    const columns = [
      { title: "Library", whole: true, text: (row) => row.name },
      { title: "DT_NEEDED", text: (row) => (row.needed ? "yes" : "no") },
      { title: "Symbols", number: true, value: (row) => row.names.length },
      { title: "Objects", number: true, value: (row) => row.objects.length },
      { title: "Why", text: why },
      { title: "Path", text: (row) => row.path },
    ];
    const free = [];
    imports.library.forEach((library, row) => {
      if (library < 0) free.push(row);
    });
    show(view,
      rows.length ? table(columns, rows, { act: openAndShow }) : make("p", { class: "empty" }, "No shared library takes part in this link."),
      free.length ? make("p", {}, `Imported, and defined by none of them: ${some(free.length, "symbol")}. `, ...free.slice(0, 50).map((row) => actions.importLink(row))) : null, details);
    const first = rows.findIndex((row) => row.names.length);
    if (first < 0) return;
    open(rows[first]);
    choose(view.querySelectorAll("tr.link")[first]);
  }

  return { table, card, removedView, librariesView };
})();
