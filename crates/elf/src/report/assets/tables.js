// Tables that sort by a click, and the two views that are little else: what was taken away, and the
// shared libraries.

const tables = (() => {
  "use strict";
  const { make, show, size, count, some } = elements;

  const PAGE = 200;

  /**
   * A table. A column is `{ title, value(row), text(row), number }`; `act(row)` makes rows buttons.
   */
  function table(columns, rows, { act, sorted = 0, filter = false, label } = {}) {
    let shown = PAGE;
    let by = sorted;
    let words = [];
    const head = make("tr");
    const body = make("tbody");
    const more = make("button", { type: "button", class: "more" }, "Show more");
    const input = make("input", { type: "search", placeholder: "Filter", "aria-label": `Filter ${label ?? "rows"}` });
    const value = (column, row) => (column.value ? column.value(row) : column.text(row));
    const text = (column, row) => (column.text ? column.text(row) : String(column.value(row)));
    let visible = rows;

    function draw() {
      head.querySelectorAll("th").forEach((cell, at) =>
        cell.setAttribute("aria-sort", at !== Math.abs(by) - 1 ? "none" : by < 0 ? "descending" : "ascending"));
      show(body, ...visible.slice(0, shown).map(line));
      more.hidden = visible.length <= shown;
      more.textContent = `Show more of ${count(visible.length)}`;
    }

    function line(row) {
      const cells = columns.map((column) => make("td", { class: column.number ? "number" : null }, column.cell ? column.cell(row) : text(column, row)));
      const line = make("tr", {}, ...cells);
      if (act) {
        line.tabIndex = 0;
        line.className = "link";
        line.onclick = () => act(row);
        line.onkeydown = (event) => {
          if (event.key === "Enter") act(row);
        };
      }
      return line;
    }

    function sort() {
      const column = columns[Math.abs(by) - 1];
      if (column) {
        const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
        visible = [...visible].sort((a, b) => Math.sign(by) * order(value(column, a), value(column, b)));
      }
      draw();
    }

    function select() {
      visible = rows.filter((row) => {
        const line = columns.map((column) => text(column, row)).join("\n").toLowerCase();
        return words.every((word) => line.includes(word));
      });
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
    input.oninput = () => {
      words = input.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
      select();
    };
    sort();
    const whole = make("div", { class: "table" }, filter && rows.length > 10 ? input : null, make("table", {}, make("thead", {}, head), body), more);
    return whole;
  }

  const card = (title, value, note) =>
    make("div", { class: "card" }, make("h3", {}, title), make("p", { class: "value" }, value), make("p", {}, note));

  /** The readable form of a section's name: the symbol in it, if it is named after one. */
  function sectionText(name) {
    const at = name.search(/_[ZR]/);
    if (at < 0) return name;
    const readable = demangle(name.slice(at));
    return readable === name.slice(at) ? name : name.slice(0, at) + readable;
  }

  function removedView(view, model, actions) {
    const { removed, folded, merged, objects, sections, output } = model.data;
    const total = (column) => column.reduce((sum, value) => sum + value, 0);
    const mergedFrom = total(merged.input_size);
    const mergedTo = merged.section.reduce((sum, row) => sum + sections.size[row], 0);
    const cards = make("div", { class: "cards" },
      card("Garbage collection", size(total(removed.size)), output.collects_garbage ? `${some(removed.size.length, "section")} that nothing refers to` : "not asked for (--gc-sections)"),
      card("Folding", size(total(folded.size)), output.folds ? `${some(folded.size.length, "section")} equal to another` : "not asked for (--icf)"),
      card("Merging", size(mergedFrom - mergedTo), `of ${size(mergedFrom)} of strings and constants`),
      card("Duplicates", size(total(objects.duplicate_bytes)), `${some(total(objects.duplicate_sections), "section")} of inline functions and the like that another object provides`));
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
      { title: "How", text: (row) => row.what },
      { title: "Section", text: (row) => (row.text ??= sectionText(row.name)) },
      { title: "Object", text: (row) => model.objectPath(row.object) },
      { title: "In its place", text: leader },
    ];
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
      table(columns, rows, { sorted: -1, filter: true, label: "sections", act: (row) => { if (row.leader >= 0) actions.section(row.leader); } }));
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
        { title: "Symbol", text: (name) => demangle(imports.name[name]) },
        { title: "Objects", number: true, value: (name) => new Set(users(name).map((user) => sections.object[user])).size },
        { title: "Used in", cell: (name) => make("span", {}, ...links(users(name).slice(0, 8))), text: (name) => users(name).map((user) => model.sectionLabel(user)).slice(0, 8).join("\n") },
      ];
      const links = (list) => list.map((user) => actions.sectionLink(user));
      const object = [
        { title: "Object", text: (object) => model.objectPath(object.id) },
        { title: "Symbols", number: true, value: (object) => object.names.size },
        { title: "Which", text: (object) => [...object.names].slice(0, 12).map((name) => demangle(imports.name[name])).join(", ") },
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
    const openAndShow = (row) => {
      open(row);
      details.scrollIntoView({ block: "nearest" });
    };
    const columns = [
      { title: "Library", text: (row) => row.name },
      { title: "DT_NEEDED", text: (row) => (row.needed ? "yes" : "no") },
      { title: "Symbols", number: true, value: (row) => row.names.length },
      { title: "Objects", number: true, value: (row) => row.objects.length },
      { title: "Why", text: why },
      { title: "Path", text: (row) => row.path },
    ];
    const free = imports.library.reduce((sum, library) => sum + (library < 0 ? 1 : 0), 0);
    show(view,
      rows.length ? table(columns, rows, { act: openAndShow }) : make("p", { class: "empty" }, "No shared library takes part in this link."),
      free ? make("p", {}, `Imported, and defined by none of them: ${some(free, "symbol")}.`) : null, details);
    const first = rows.findIndex((row) => row.names.length);
    if (first >= 0) open(rows[first]);
  }

  return { table, card, sectionText, removedView, librariesView };
})();
