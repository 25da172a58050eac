// The output as a tree: output sections, libraries, objects, symbols, in one of two orders. A node
// holds rows of sections and makes its children when they are looked at.

const tree = (() => {
  "use strict";

  /** What is in the file and in none of its sections. */
  const HEADERS = "(headers and padding)";

  const ORDERS = {
    section: ["output", "library", "object", "symbol"],
    library: ["library", "object", "output", "symbol"],
  };

  class Node {
    /** A symbol has no `text`. */
    constructor(tree, parent, kind, id, text, size, rows) {
      this.tree = tree;
      this.parent = parent;
      this.kind = kind;
      this.id = id;
      this.text = text;
      this.size = size;
      this.rows = rows;
      this.made = this.rest = this.aliases = undefined;
    }

    get name() {
      return this.text ?? this.tree.model.label(this.id);
    }

    get depth() {
      return this.parent ? this.parent.depth + 1 : 0;
    }

    get path() {
      return this.parent ? [...this.parent.path, this] : [this];
    }

    /** The closest node of a kind, this one included. */
    above(kind) {
      return this.kind === kind ? this : this.parent?.above(kind);
    }

    get isLeaf() {
      return this.children.length === 0;
    }

    /** Largest first. */
    get children() {
      return (this.made ??= this.tree.childrenOf(this).sort((a, b) => b.size - a.size));
    }

    /**
     * The `fewest` largest children and all of at least this size, and a node for the others. None if
     * all would be in that.
     */
    largest(least, fewest) {
      const { children } = this;
      let most = children.findIndex((child) => child.size < least);
      if (most < 0) return children;
      most = Math.max(most, fewest);
      if (most === 0) return [];
      if (children.length <= most + 1) return children;
      if (this.rest?.made.length !== children.length - most) {
        const others = children.slice(most);
        const size = others.reduce((sum, child) => sum + child.size, 0);
        this.rest = new Node(this.tree, this, "rest", -1, `${others.length} smaller ones`, size, []);
        this.rest.made = others;
      }
      return [...children.slice(0, most), this.rest];
    }

    /** The node of a symbol or an object below. */
    find(kind, id) {
      if (this.kind === kind && (this.id === id || this.aliases?.includes(id))) return this;
      for (const child of this.children) {
        if (!child.holds(kind, id)) continue;
        const found = child.find(kind, id);
        if (found) return found;
      }
      return null;
    }

    holds(kind, id) {
      const { sections, symbols } = this.tree.model.data;
      if (this.kind === "symbol") return kind === "symbol" && (this.id === id || this.aliases?.includes(id));
      if (kind === "object") return this.rows.some((row) => sections.object[row] === id);
      return this.rows.includes(symbols.section[id]);
    }
  }

  class Tree {
    constructor(model, order, measure) {
      this.model = model;
      this.levels = ORDERS[order];
      const outputs = model.data.output_sections;
      this.counts = measure === "file" ? outputs.in_file : outputs.loaded;
      const rows = [];
      const { output } = model.data.sections;
      for (let row = 0; row < output.length; row++) if (this.counts[output[row]]) rows.push(row);
      let total = 0;
      outputs.size.forEach((size, at) => (total += this.counts[at] ? size : 0));
      this.rest = measure === "file" ? Math.max(0, model.data.output.file_size - total) : 0;
      const name = model.data.output.path.replace(/.*\//, "");
      this.root = new Node(this, null, "root", 0, name, total + this.rest, rows);
    }

    childrenOf(node) {
      if (node.kind === "symbol" || node.kind === "other") return [];
      if (node.kind === "made") return this.madeParts(node);
      // What the linker makes as a whole has nothing inside that has a name.
      if (node.kind === "output" && node.rows.length === 0) return [];
      const level = node.kind === "root" ? 0 : this.levels.indexOf(node.kind) + 1;
      const kind = this.levels[level];
      if (kind === "symbol") return this.symbolsOf(node);
      const groups = this.group(node, kind);
      const children = [];
      if (kind === "output" && node.kind === "root") this.outputs(node, groups, children);
      else {
        for (const [id, rows] of groups) {
          children.push(new Node(this, node, kind, id, this.nameOf(kind, id), this.sum(rows), rows));
        }
      }
      const known = children.reduce((sum, child) => sum + child.size, 0);
      if (node.size > known) children.push(this.remainder(node, node.size - known));
      return children.filter((child) => child.size > 0);
    }

    outputs(node, groups, children) {
      const { size, name } = this.model.data.output_sections;
      for (let id = 0; id < size.length; id++) {
        if (!this.counts[id]) continue;
        children.push(new Node(this, node, "output", id, name[id], size[id], groups.get(id) ?? []));
      }
    }

    /** What is left of a node: padding, headers, what the linker makes. */
    remainder(node, size) {
      if (node.kind === "root" && this.levels[0] !== "output") return new Node(this, node, "made", -1, "(made by the linker)", size, []);
      let name = "(padding)";
      if (node.kind === "root") name = HEADERS;
      else if (node.kind === "output" && this.model.data.output_sections.made[node.id]) name = "(made by the linker)";
      return new Node(this, node, "other", -1, name, size, []);
    }

    /** What belongs to no library, by output section. */
    madeParts(node) {
      const { output_sections: outputs, sections } = this.model.data;
      const left = outputs.size.map((size, id) => (this.counts[id] ? size : 0));
      for (const row of node.parent.rows) left[sections.output[row]] -= sections.size[row];
      const parts = left.map((size, id) => new Node(this, node, "other", -1, outputs.made[id] ? outputs.name[id] : `padding of ${outputs.name[id]}`, size, []));
      const known = left.reduce((sum, size) => sum + size, 0);
      parts.push(new Node(this, node, "other", -1, HEADERS, node.size - known, []));
      return parts.filter((part) => part.size > 0);
    }

    group(node, kind) {
      const { object, output } = this.model.data.sections;
      const groups = new Map();
      for (const row of node.rows) {
        const id = kind === "output" ? output[row] : kind === "object" ? object[row] : this.model.libraryOf(object[row]);
        const rows = groups.get(id);
        if (rows) rows.push(row);
        else groups.set(id, [row]);
      }
      return groups;
    }

    nameOf(kind, id) {
      if (kind === "output") return this.model.data.output_sections.name[id];
      return kind === "object" ? this.model.objectName(id) : this.model.libraryName(id);
    }

    sum(rows) {
      const { size } = this.model.data.sections;
      return rows.reduce((sum, row) => sum + size[row], 0);
    }

    symbolsOf(node) {
      const children = [];
      for (const row of node.rows) this.symbolsOfSection(node, row, children);
      const known = children.reduce((sum, child) => sum + child.size, 0);
      if (node.size > known) children.push(this.remainder(node, node.size - known));
      return children.filter((child) => child.size > 0);
    }

    /** Symbols share their section; those at one place are one node. */
    symbolsOfSection(node, row, children) {
      const { section_offset: offset, size } = this.model.data.symbols;
      const whole = this.model.data.sections.size[row];
      const symbols = this.model.symbolsOf(row);
      let left = whole;
      let at = 0;
      while (at < symbols.length) {
        const start = offset[symbols[at]];
        let end = at;
        let longest = 0;
        while (end < symbols.length && offset[symbols[end]] === start) longest = Math.max(longest, size[symbols[end++]]);
        const next = end < symbols.length ? offset[symbols[end]] : whole;
        const own = Math.max(0, Math.min(longest || next - start, next - start, left));
        if (own > 0) {
          const symbol = symbols[at];
          const child = new Node(this, node, "symbol", symbol, null, own, [row]);
          if (end > at + 1) child.aliases = symbols.subarray(at + 1, end);
          children.push(child);
          left -= own;
        }
        at = end;
      }
      if (left > 0 && (symbols.length === 0 || left >= 16)) {
        const name = this.model.sectionName(row);
        children.push(new Node(this, node, "other", row, symbols.length ? `(rest of ${name})` : name, left, [row]));
      }
    }
  }

  return { Tree };
})();
