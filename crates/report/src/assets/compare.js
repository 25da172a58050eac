// What grew since another report, which is loaded from a file: a page or its data.

const compare = (() => {
  "use strict";
  const { make, show, bytes, signed, count } = elements;

  class CompareView {
    constructor(view, model, actions) {
      Object.assign(this, { view, model, actions });
      this.input = make("input", { type: "file", id: "other", accept: ".json,.html,.htm" });
      this.input.onchange = () => this.load(this.input.files[0]);
      this.body = make("div", { id: "comparison" });
      const label = make("label", { for: "other" }, "An earlier report (.html or .json): ");
      show(view, make("div", { class: "bar" }, label, this.input), this.body);
      view.ondragover = (event) => event.preventDefault();
      view.ondrop = (event) => {
        event.preventDefault();
        this.load(event.dataTransfer.files[0]);
      };
    }

    async load(file) {
      if (!file) return;
      show(this.body, make("p", {}, "Reading …"));
      try {
        this.showDifferences(await model.read(await file.text()), file.name);
      } catch (error) {
        show(this.body, make("p", { class: "error" }, `${file.name}: ${error.message}`));
      }
    }

    showDifferences(old, name) {
      const now = this.model;
      const change = now.data.output.file_size - old.data.output.file_size;
      const cards = make("div", { class: "cards" },
        tables.card("File", signed(change), `${bytes(old.data.output.file_size)} → ${bytes(now.data.output.file_size)}`),
        tables.card("Symbols", signedCount(now.symbolCount - old.symbolCount), `${count(old.symbolCount)} → ${count(now.symbolCount)}`),
        tables.card("Objects", signedCount(now.data.objects.name.length - old.data.objects.name.length), `${count(old.data.objects.name.length)} → ${count(now.data.objects.name.length)}`));
      const parts = [
        ["Sections", outputs], ["Libraries", libraries], ["Objects", objects], ["Symbols", symbols], ["Needed libraries", needed],
      ];
      const views = parts.flatMap(([title, sizes]) => {
        const rows = differences(sizes(old), sizes(now));
        return [make("h2", {}, title), this.table(title, rows)];
      });
      show(this.body, make("p", {}, `Against ${name}: ${old.data.output.path}, linked by ${old.data.linker}`), cards, ...views);
    }

    table(title, rows) {
      if (rows.length === 0) return make("p", { class: "empty" }, "No difference.");
      const most = rows.reduce((most, row) => Math.max(most, Math.abs(row.change)), 1);
      const bar = (row) => {
        const bar = make("span", { class: row.change < 0 ? "change less" : "change more" });
        bar.style.width = `${(100 * Math.abs(row.change)) / most}%`;
        return make("span", { class: "changes" }, bar);
      };
      const columns = [
        { title: "Change", number: true, value: (row) => Math.abs(row.change), text: (row) => (row.change > 0 ? "+" : row.change < 0 ? "−" : "") + count(Math.abs(row.change)) },
        { title: "", cell: bar, text: () => "" },
        { title: "Before", number: true, value: (row) => row.before ?? -1, text: (row) => (row.before === undefined ? "new" : count(row.before)) },
        { title: "Now", number: true, value: (row) => row.now ?? -1, text: (row) => (row.now === undefined ? "gone" : count(row.now)) },
        { title: "Name", text: (row) => (row.text ??= demangle(row.name)) },
      ];
      return tables.table(columns, rows, { sorted: -1, filter: true, label: title });
    }
  }

  const signedCount = (value) => (value > 0 ? "+" : value < 0 ? "−" : "±") + count(Math.abs(value));

  function differences(before, now) {
    const rows = [];
    for (const [name, size] of now) {
      const old = before.get(name);
      if (old !== size) rows.push({ name, before: old, now: size, change: size - (old ?? 0) });
    }
    for (const [name, size] of before) {
      if (!now.has(name)) rows.push({ name, before: size, now: undefined, change: -size });
    }
    return rows;
  }

  function sums(entries) {
    const sums = new Map();
    for (const [name, size] of entries) sums.set(name, (sums.get(name) ?? 0) + size);
    return sums;
  }

  const outputs = ({ data }) => sums(data.output_sections.name.map((name, at) => [name, data.output_sections.size[at]]));

  const bySection = (model, name) => sums(model.data.sections.size.map((size, at) => [name(model.data.sections.object[at]), size]));

  const libraries = (model) => bySection(model, (object) => model.libraryName(model.libraryOf(object)));

  const objects = (model) => bySection(model, (object) => model.objectPath(object));

  const symbols = ({ data }) => sums(data.symbols.name.map((name, at) => [name, data.symbols.size[at]]));

  /** 1 for each that is needed. */
  const needed = ({ data }) => sums(data.shared_libraries.name.filter((_, at) => data.shared_libraries.needed[at]).map((name) => [name, 1]));

  return { CompareView };
})();
