// The treemap: two levels below the node in focus, laid out by d3-hierarchy.

const treemap = (() => {
  "use strict";
  const { make, show, bytes, size, share } = elements;

  const HEADER = 20;
  /** Children that would get fewer square pixels than this are drawn as one. */
  const LEAST = 100;
  /** But not if fewer than this would be left of the node in focus. */
  const FEWEST = 400;
  /** A cell that became smaller still, by headers and gaps, is not drawn. */
  const NOTHING = 12;

  /** Names of output sections and the hue of their cells. */
  const HUES = [
    [/^\.(text|init|fini|plt)/, 212], [/^\.(rodata|rdata)/, 152], [/^\.(data|tdata|init_array|fini_array|ctors|dtors|got)/, 32],
    [/^\.t?bss/, 60], [/^\.(eh_frame|gcc_except)/, 268], [/^\.(debug|zdebug)/, 300],
    [/^\.(rela|relr|dyn|gnu|hash|interp|note)/, 186], [/^\.(symtab|strtab|shstrtab)/, 342],
  ];

  function hue(node) {
    const output = node.above("output");
    if (output) return (HUES.find(([name]) => name.test(output.name)) ?? [null, 90])[1];
    const library = node.above("library");
    return library ? (((library.id + 2) * 137.5) % 360) : 220;
  }

  /** A readable name without namespaces, parameters and return type, which all begin alike in a cell. */
  function brief(name) {
    const [special] = /^(?:[a-z-]+ )+(?:for|to) /.exec(name) ?? [""];
    let from = special.length;
    let end = -1;
    let depth = 0;
    for (let at = from; at < name.length; at++) {
      const c = name[at];
      if (depth === 0 && at === from && name.startsWith("operator", at)) break;
      if (depth === 0 && c === "(" && at > from && end < 0) end = at;
      if ("<([{".includes(c)) depth++;
      else if (">)]}".includes(c)) depth--;
      else if (depth === 0 && c === " " && end < 0 && name[at + 1] !== "[") from = at + 1;
      else if (depth === 0 && name.startsWith("::", at) && !"<{".includes(name[at + 2])) [from, end] = [at + 2, -1];
    }
    if (end < 0) end = name.length;
    return special + (name.slice(from, end) || name);
  }

  const CELL = make("div", { class: "cell", tabindex: "-1", role: "button" });

  class Treemap {
    constructor(view, model, actions) {
      Object.assign(this, { view, model, actions, order: "section", measure: "file" });
      this.crumbs = make("ol", { class: "crumbs", "aria-label": "Where the map is" });
      this.box = make("div", { class: "map", role: "group", "aria-label": "Treemap" });
      this.details = make("p", { class: "details fixed", "aria-live": "polite" });
      const choice = (name, options) => {
        const select = make("select", { id: name }, ...options.map(([value, text]) => make("option", { value }, text)));
        select.onchange = () => {
          this[name] = select.value;
          this.reset();
        };
        return select;
      };
      const order = choice("order", [["section", "section › library › object › symbol"], ["library", "library › object › section › symbol"]]);
      const measure = choice("measure", [["file", "bytes of the file"], ["loaded", "bytes in memory"]]);
      const bar = make("div", { class: "bar" }, this.crumbs, make("label", {}, "by ", order), make("label", {}, "in ", measure));
      show(view, bar, this.box, this.details);
      this.box.addEventListener("click", (event) => {
        const cell = event.target.closest(".cell");
        if (cell) this.open(cell.node);
      });
      this.box.addEventListener("keydown", (event) => this.key(event));
      this.box.addEventListener("pointerover", (event) => this.tell(event));
      this.box.addEventListener("focusin", (event) => {
        this.stop(event.target);
        this.tell(event);
      });
      new ResizeObserver(() => {
        const { clientWidth, clientHeight } = this.box;
        if (clientWidth === this.width && clientHeight === this.height) return;
        const held = this.box.contains(document.activeElement) ? document.activeElement.node : null;
        this.draw();
        if (held) this.cellOf(held)?.focus();
      }).observe(this.box);
      this.reset();
    }

    reset() {
      this.tree = new tree.Tree(this.model, this.order, this.measure);
      this.focus(this.tree.root);
    }

    focus(node) {
      this.node = node;
      this.draw();
    }

    /** Opens the place of a symbol or an object. */
    reveal(kind, id) {
      const found = this.tree.root.find(kind, id);
      if (!found) return;
      let around = found.isLeaf && found.parent ? found.parent : found;
      this.focus(around);
      // A small one is drawn when what it is part of is opened.
      while (!this.cellOf(found) && around.rest?.children.includes(found)) this.focus((around = around.rest));
      this.cellOf(found)?.focus();
    }

    get cells() {
      return [...this.box.querySelectorAll(".cell")];
    }

    cellOf(node) {
      return this.cells.find((cell) => cell.node === node);
    }

    /** The one cell that the Tab key stops at; arrows lead to the others. */
    stop(cell) {
      this.box.querySelector(".cell[tabindex='0']")?.setAttribute("tabindex", "-1");
      cell?.setAttribute("tabindex", "0");
    }

    /** A node as d3 wants it, with the children that are not too small to see. */
    plain(node, depth, least) {
      const shown = depth === 0 ? [] : node.largest(least, node === this.node ? FEWEST : 0);
      if (shown.length === 0) return { node, size: node.size };
      return { node, children: shown.map((child) => this.plain(child, depth - 1, least)) };
    }

    draw() {
      this.showCrumbs();
      this.width = this.box.clientWidth;
      const height = (this.height = this.box.clientHeight);
      if (!this.width || !height) return;
      const least = (LEAST * this.node.size) / (this.width * height);
      const root = d3.hierarchy(this.plain(this.node, 2, least)).sum((d) => (d.children ? 0 : d.size));
      d3.treemap().size([this.width, height]).paddingOuter(2).paddingInner(1).paddingTop((d) => (d.depth === 1 && d.children ? HEADER : d.depth === 0 ? 0 : 2)).round(true)(root);
      const cells = root.descendants().filter((d) => d.depth > 0 && (d.x1 - d.x0) * (d.y1 - d.y0) >= NOTHING);
      show(this.box, ...cells.map((d) => this.cell(d)));
      this.stop(this.box.firstChild);
      if (this.node.isLeaf) show(this.box, make("p", { class: "empty" }, "Nothing is known of what is inside."));
      this.describe(this.node);
    }

    /** Names are made where they are shown: a map has thousands of cells that are too small for one. */
    cell(d) {
      const { node } = d.data;
      const [width, height] = [d.x1 - d.x0, d.y1 - d.y0];
      // Without room below the header a group is a cell as those without parts are.
      const isGroup = d.depth === 1 && d.children && height > HEADER + 6 && width > 8;
      const cell = CELL.cloneNode();
      if (isGroup) cell.classList.add("group");
      if (node.kind === "made" || (node.kind === "other" && !node.above("output") && !node.above("library"))) cell.classList.add("other");
      cell.node = node;
      cell.place = d;
      cell.style.cssText = `left:${d.x0}px;top:${d.y0}px;width:${width}px;height:${height}px;--hue:${hue(node)}`;
      if (width > 34 && height > 13) {
        cell.classList.add("named");
        cell.append(make("span", { class: "name" }, this.shown(node)));
        if (isGroup ? width > 160 : height > 32 && width > 62) cell.append(make("span", { class: "size" }, size(d.value)));
      }
      return cell;
    }

    /** The name of a node as it is in its cell. */
    shown({ kind, name, id }) {
      if (kind === "library") return name.replace(/^.*\/(?=.)/, "");
      return kind === "symbol" && name !== this.model.data.symbols.name[id] ? brief(name) : name;
    }

    open(node) {
      if (node.kind === "symbol") this.actions.symbol(node.id);
      else if (node.isLeaf) this.describe(node);
      else this.focus(node);
    }

    key(event) {
      const cells = this.cells;
      const at = cells.indexOf(document.activeElement);
      if (event.key === "Enter" || event.key === " ") {
        if (at < 0) return;
        const { node } = cells[at];
        this.open(node);
        if (this.node === node) this.box.firstChild.focus();
      } else if ((event.key === "Escape" || event.key === "Backspace") && this.node.parent) {
        const left = this.node;
        this.focus(left.parent);
        (this.cellOf(left) ?? this.box.firstChild).focus();
      } else if (event.key.startsWith("Arrow") && at >= 0) {
        this.nearest(cells, cells[at], event.key)?.focus();
      } else return;
      event.preventDefault();
    }

    /** The cell next to `from` in the direction of a key. Of a group the header counts. */
    nearest(cells, from, key) {
      const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
      const middle = ({ place, classList }) => [(place.x0 + place.x1) / 2, classList.contains("group") ? place.y0 + HEADER / 2 : (place.y0 + place.y1) / 2];
      const here = middle(from);
      let best = null;
      let least = Infinity;
      for (const cell of cells) {
        const there = middle(cell);
        const [x, y] = [there[0] - here[0], there[1] - here[1]];
        const along = x * dx + y * dy;
        const distance = along + 3 * Math.abs(x * dy + y * dx);
        if (cell !== from && along > 0 && distance < least) [best, least] = [cell, distance];
      }
      return best;
    }

    tell(event) {
      const cell = event.target.closest?.(".cell");
      if (!cell) return;
      cell.setAttribute("aria-label", `${cell.node.name}, ${bytes(cell.node.size)}`);
      this.describe(cell.node);
    }

    describe(node) {
      const whole = this.tree.root.size;
      const parts = [make("b", {}, node.name), ` — ${bytes(node.size)}`];
      if (node.size >= 1024) parts.push(` (${size(node.size)})`);
      parts.push(`, ${share(node.size, whole)} of all`);
      if (node.parent && node.parent !== this.tree.root) parts.push(`, ${share(node.size, node.parent.size)} of ${node.parent.name}`);
      const object = node.above("object");
      if (node.kind === "output" && node.isLeaf) parts.push(", made by the linker");
      if (node.kind === "symbol" && object) parts.push(` — ${this.model.objectPath(object.id)}`);
      show(this.details, ...parts);
    }

    showCrumbs() {
      const path = this.node.path;
      show(this.crumbs, ...path.map((node) => {
        const text = this.shown(node);
        const button = make("button", { type: "button", title: `${node.name}, ${bytes(node.size)}` }, text);
        button.onclick = () => this.focus(node);
        if (node === this.node) button.setAttribute("aria-current", "true");
        return make("li", {}, button);
      }));
    }
  }

  return { Treemap };
})();
