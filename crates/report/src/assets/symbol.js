// One symbol, or a section without one: where it is, what keeps it alive, who refers to it.

const symbol = (() => {
  "use strict";
  const { make, show, bytes, share, count } = elements;

  const KINDS = { f: "function", d: "data", t: "thread-local data", i: "indirect function", n: "label" };
  const MOST = 100;

  class SymbolView {
    constructor(view, model, actions) {
      Object.assign(this, { view, model, actions });
      show(view, make("p", { class: "empty" }, "Choose a symbol: search for it, or open one in the treemap."));
    }

    /** Shows a symbol, or a section if `at` is null. */
    open(at, section = this.model.data.symbols.section[at]) {
      const { model } = this;
      const { sections, symbols, output_sections: outputs } = model.data;
      const isSymbol = at !== null && at !== undefined;
      const raw = isSymbol ? symbols.name[at] : model.sectionName(section);
      const title = isSymbol ? model.label(at) : raw;
      const facts = [];
      const fact = (name, ...value) => facts.push(make("dt", {}, name), make("dd", {}, ...value));
      if (title !== raw) fact("Name", make("code", {}, raw));
      if (isSymbol) {
        const kind = symbols.kind[at];
        fact("Kind", `${KINDS[kind.toLowerCase()]}, ${kind === kind.toLowerCase() ? "local" : "global"}`);
        const part = outputs.in_file[sections.output[section]] ? `${share(symbols.size[at], model.data.output.file_size)} of the file` : "none of it in the file";
        fact("Size", `${bytes(symbols.size[at])} (${part})`);
        const address = model.address(at);
        if (address !== null) fact("Address", make("code", {}, "0x" + address.toString(16)));
      }
      fact("Section", `${model.sectionName(section)}, ${bytes(sections.size[section])}, in ${outputs.name[sections.output[section]]}`);
      const object = sections.object[section];
      const link = make("button", { type: "button", class: "inline" }, model.objectPath(object));
      link.onclick = () => this.actions.reveal("object", object);
      fact("Object", object < 0 ? model.objectName(object) : link);
      const others = [...model.symbolsOf(section)].filter((other) => other !== at);
      if (others.length) fact("Beside it", ...this.some(others.map((other) => this.actions.symbolLink(other)), 12));
      if (isSymbol) {
        const reveal = make("button", { type: "button" }, "Show in the treemap");
        reveal.onclick = () => this.actions.reveal("symbol", at);
        facts.push(make("dt", {}, ""), make("dd", {}, reveal));
      }
      show(this.view, make("h2", { class: "symbol-name" }, title), make("dl", { class: "facts" }, ...facts),
        make("h3", {}, "What keeps it alive"), this.path(section, title),
        this.list("Referred to by", "referrers", model.referrersOf(section)),
        this.list("Refers to", "targets", model.targetsOf(section)));
    }

    /** Shows a symbol that a shared library defines when the program starts. */
    openImport(at) {
      const { model } = this;
      const { imports, shared_libraries: libraries } = model.data;
      const raw = imports.name[at];
      const title = demangle(raw);
      const facts = [];
      const fact = (name, value) => facts.push(make("dt", {}, name), make("dd", {}, value));
      if (title !== raw) fact("Name", make("code", {}, raw));
      fact("Kind", "import: bound when the program starts");
      fact("Library", libraries.name[imports.library[at]] ?? "none of those of the link");
      show(this.view, make("h2", { class: "symbol-name" }, title), make("dl", { class: "facts" }, ...facts),
        this.list("Referred to by", "referrers", model.referrersOf(model.sectionCount + at)));
    }

    /** The shortest path from a root, as the linker would tell it. */
    path(section, title) {
      const { model } = this;
      const path = model.pathTo(section);
      if (path.length === 0) {
        const why = model.data.output.collects_garbage
          ? "It is not loaded, or belongs to what is kept: no reference was followed to it."
          : "No root leads to it: without --gc-sections everything is kept.";
        return make("p", { class: "empty path" }, why);
      }
      const steps = path.map((step, at) => {
        const name = at + 1 === path.length ? make("b", {}, title) : this.actions.sectionLink(step);
        const note = at === 0 ? model.rootReason(step) : "";
        let place = model.objectPath(model.data.sections.object[step]);
        // Which of the symbols of a section it is that refers on, or is referred to, is not known.
        const beside = new Set([...model.symbolsOf(step)].map((symbol) => model.data.symbols.section_offset[symbol])).size;
        if (beside > 1) place += `, in ${demangle.section(model.sectionName(step))} with ${beside - 1} more`;
        return make("li", {}, name, note ? make("span", { class: "reason" }, note) : null, make("span", { class: "note" }, place));
      });
      const list = make("ol", { class: "path" }, ...steps);
      if (model.data.output.collects_garbage) return list;
      return make("div", {}, make("p", {}, "Without --gc-sections everything is kept; this is how it is reached."), list);
    }

    some(list, most) {
      const parts = list.slice(0, most).flatMap((item, at) => (at ? [", ", item] : [item]));
      return list.length > most ? [...parts, ` and ${count(list.length - most)} more`] : parts;
    }

    list(title, id, nodes) {
      const { model } = this;
      const { sections, imports } = model.data;
      const sorted = [...nodes].sort((a, b) => (sections.size[b] ?? 0) - (sections.size[a] ?? 0) || a - b);
      const items = sorted.slice(0, MOST).map((node) => {
        if (node >= model.sectionCount) {
          const at = node - model.sectionCount;
          const library = model.data.shared_libraries.name[imports.library[at]] ?? "no library";
          return make("li", {}, this.actions.importLink(at), make("span", { class: "note" }, library));
        }
        const note = `${model.sectionName(node).replace(/^(\.[a-z_]+).*/, "$1")}, ${bytes(sections.size[node])}, ${model.objectPath(sections.object[node])}`;
        return make("li", {}, this.actions.sectionLink(node), make("span", { class: "note" }, note));
      });
      if (sorted.length > MOST) items.push(make("li", {}, `and ${count(sorted.length - MOST)} more`));
      const body = items.length ? make("ul", { class: "references", id }, ...items) : make("p", { class: "empty", id }, "Nothing.");
      return make("div", {}, make("h3", {}, `${title} (${count(sorted.length)})`), body);
    }
  }

  return { SymbolView };
})();
