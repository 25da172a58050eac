// The search box: symbols by readable or raw name, and objects. Names are made ready in idle moments,
// and a search that comes earlier makes them as it goes, in slices that leave the page alive.

const search = (() => {
  "use strict";
  const { make, show, size, some } = elements;

  const SLICE = 3000;
  /** Symbols that are shown, and imports and objects. */
  const MOST = 100;
  const FEW = 20;

  class Search {
    constructor(model, actions) {
      Object.assign(this, { model, actions, ready: 0, turn: 0, chosen: -1 });
      this.lower = new Array(model.symbolCount);
      this.importNames = model.data.imports.name.map((name) => demangle(name) + "\n" + name);
      this.input = document.getElementById("query");
      this.list = document.getElementById("results");
      this.input.oninput = () => this.start();
      this.input.onfocus = () => this.start();
      this.input.onkeydown = (event) => this.key(event);
      document.addEventListener("pointerdown", (event) => {
        if (!event.target.closest("#search")) this.hide();
      });
      const idle = globalThis.requestIdleCallback ?? ((then) => setTimeout(then, 50));
      const warm = () => {
        this.prepare(SLICE);
        if (this.ready < model.symbolCount) idle(warm);
      };
      idle(warm);
    }

    prepare(slice) {
      const { name } = this.model.data.symbols;
      const end = Math.min(this.model.symbolCount, this.ready + slice);
      for (; this.ready < end; this.ready++) {
        const label = this.model.label(this.ready);
        const raw = name[this.ready];
        this.lower[this.ready] = (label === raw ? raw : label + "\n" + raw).toLowerCase();
      }
    }

    async start() {
      const turn = ++this.turn;
      const words = this.input.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
      if (words.length === 0) return this.hide();
      const found = [];
      const { size: sizes } = this.model.data.symbols;
      for (let at = 0; at < this.model.symbolCount; ) {
        if (at >= this.ready) this.prepare(SLICE);
        for (; at < this.ready; at++) {
          const text = this.lower[at];
          if (words.every((word) => text.includes(word))) found.push(at);
        }
        if (at < this.model.symbolCount) await new Promise((resolve) => setTimeout(resolve));
        if (turn !== this.turn) return;
      }
      const exact = this.input.value.trim();
      const rank = (at) => (this.model.data.symbols.name[at] === exact || this.model.label(at) === exact ? 1 : 0);
      found.sort((a, b) => rank(b) - rank(a) || sizes[b] - sizes[a] || a - b);
      this.showResults(found, this.others(words, "imports", (at) => this.importNames[at]), this.others(words, "objects", (at) => this.model.objectPath(at)));
    }

    /** The rows of another table whose text has all words. */
    others(words, table, text) {
      const found = [];
      for (let at = 0; at < this.model.data[table].name.length; at++) {
        const own = text(at).toLowerCase();
        if (words.every((word) => own.includes(word))) found.push(at);
      }
      return found;
    }

    showResults(symbols, imports, objects) {
      const { model } = this;
      const entry = (kind, text, note, act) => {
        const item = make("li", { role: "option", class: kind }, make("span", { class: "name" }, text), make("span", { class: "note" }, note));
        item.onclick = () => {
          this.hide();
          act();
        };
        return item;
      };
      const found = symbols.slice(0, MOST).map((at) =>
        entry("symbol", model.label(at), `${size(model.data.symbols.size[at])}  ${model.objectName(model.data.sections.object[model.data.symbols.section[at]])}`, () => this.actions.symbol(at)));
      const { name, library } = model.data.imports;
      const from = (at) => model.data.shared_libraries.name[library[at]] ?? "no library";
      const imported = imports.slice(0, FEW).map((at) => entry("import", demangle(name[at]), `import  ${from(at)}`, () => this.actions.importOf(at)));
      // An import that has the very name is what was looked for; other imports come after symbols.
      const exact = this.input.value.trim();
      const isExact = (_, at) => this.importNames[imports[at]].split(/[\n@]/).includes(exact);
      const items = [...imported.filter(isExact), ...found, ...imported.filter((item, at) => !isExact(item, at))];
      items.push(...objects.slice(0, FEW).map((at) => entry("object", model.objectPath(at), "object", () => this.actions.reveal("object", at))));
      items.forEach((item, at) => (item.id = `result-${at}`));
      const total = [some(symbols.length, "symbol") + (symbols.length > MOST ? ` (the largest ${MOST} shown)` : "")];
      if (imports.length) total.push(some(imports.length, "import"));
      if (objects.length) total.push(some(objects.length, "object"));
      show(this.list, make("li", { class: "total", role: "presentation" }, total.join(", ")), ...items);
      this.items = items;
      this.chosen = -1;
      this.list.hidden = false;
      this.input.setAttribute("aria-expanded", "true");
      this.input.removeAttribute("aria-activedescendant");
      this.list.dataset.words = this.input.value;
    }

    hide() {
      this.turn++;
      this.list.hidden = true;
      this.input.setAttribute("aria-expanded", "false");
    }

    key(event) {
      if (event.key === "Escape") {
        this.hide();
        this.input.blur();
      } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        if (this.list.hidden || !this.items.length) return;
        this.items[this.chosen]?.removeAttribute("aria-selected");
        const step = event.key === "ArrowDown" ? 1 : -1;
        this.chosen = Math.max(0, Math.min(this.items.length - 1, this.chosen + step));
        this.items[this.chosen].setAttribute("aria-selected", "true");
        this.input.setAttribute("aria-activedescendant", this.items[this.chosen].id);
        this.items[this.chosen].scrollIntoView({ block: "nearest" });
      } else if (event.key === "Enter") {
        if (this.list.hidden) return;
        (this.items[this.chosen] ?? this.items[0])?.click();
      } else return;
      event.preventDefault();
    }
  }

  return { Search };
})();
