// The data of a report with the indexes that the views need; what is costly is made when first asked.

const model = (() => {
  "use strict";

  async function inflate(base64) {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Response(stream).arrayBuffer();
  }

  /** The JSON in the lines of a page. */
  async function unpack(lines) {
    const parts = lines.trim().split(/\s+/).map(inflate);
    return JSON.parse(await new Blob(await Promise.all(parts)).text());
  }

  /** A report from the text of a file: JSON, or a page. */
  async function read(text) {
    let data;
    if (text.trimStart().startsWith("{")) data = JSON.parse(text);
    else {
      const start = text.indexOf('\x3cscript id="data" type="text/plain">');
      const end = text.indexOf("\x3c/script>", start);
      if (start < 0 || end < 0) throw new Error("this file is no report");
      data = await unpack(text.slice(text.indexOf(">", start) + 1, end));
    }
    if (data.format !== "skald-report") throw new Error("this file is no report");
    if (data.version !== 1) throw new Error(`version ${data.version} of reports is not known here`);
    return new Model(data);
  }

  class Model {
    constructor(data) {
      this.data = data;
      const { sections, symbols } = data;
      this.sectionCount = sections.size.length;
      this.symbolCount = symbols.name.length;
      this.labels = new Array(this.symbolCount);
    }

    /** Symbols by section and place: `order[first[s]]` to `order[first[s + 1]]` are those of `s`. */
    get sorted() {
      if (this.cachedSorted) return this.cachedSorted;
      const { section, section_offset: offset } = this.data.symbols;
      const first = new Uint32Array(this.sectionCount + 2);
      for (const at of section) first[at + 2]++;
      for (let at = 2; at < first.length; at++) first[at] += first[at - 1];
      const order = new Uint32Array(this.symbolCount);
      for (let at = 0; at < section.length; at++) order[first[section[at] + 1]++] = at;
      for (let at = 0; at < this.sectionCount; at++) {
        const part = order.subarray(first[at], first[at + 1]);
        for (let i = 1; i < part.length; i++) {
          if (offset[part[i - 1]] > offset[part[i]]) {
            part.sort((a, b) => offset[a] - offset[b] || a - b);
            break;
          }
        }
      }
      return (this.cachedSorted = { first, order });
    }

    symbolsOf(section) {
      const { first, order } = this.sorted;
      return order.subarray(first[section], first[section + 1]);
    }

    /** A symbol's readable name. */
    label(symbol) {
      return (this.labels[symbol] ??= demangle(this.data.symbols.name[symbol]));
    }

    sectionName(section) {
      const name = this.data.section_names[this.data.sections.name[section]];
      if (!name.endsWith("\0")) return name;
      const own = this.symbolsOf(section);
      return name.slice(0, -1) + (own.length ? this.data.symbols.name[own[0]] : "");
    }

    /** What stands for a section where one name must do. */
    sectionLabel(section) {
      const symbols = this.symbolsOf(section);
      const { kind } = this.data.symbols;
      const named = symbols.find((symbol) => /[fi]/i.test(kind[symbol])) ?? symbols[0];
      return named === undefined ? demangle.section(this.sectionName(section)) : this.label(named);
    }

    objectName(object) {
      return object < 0 ? "(added by the linker)" : this.data.objects.name[object];
    }

    libraryOf(object) {
      return object < 0 ? -1 : this.data.objects.library[object];
    }

    libraryName(library) {
      if (library < 0) return "(added by the linker)";
      const { name, archive } = this.data.libraries;
      return archive[library] || name[library].endsWith("/") ? name[library] : name[library] + "/";
    }

    /** `ARCHIVE(MEMBER)` or a path. */
    objectPath(object) {
      if (object < 0) return this.objectName(object);
      const library = this.libraryOf(object);
      const name = this.libraryName(library);
      if (this.data.libraries.archive[library]) return `${name}(${this.objectName(object)})`;
      return name === "./" ? this.objectName(object) : name + this.objectName(object);
    }

    /** Null if it has none, or it is not known: of what is merged only the whole's place is. */
    address(symbol) {
      const { sections, symbols, merged, output_sections: outputs } = this.data;
      const section = symbols.section[symbol];
      this.cachedMerged ??= new Set(merged.section);
      if (this.cachedMerged.has(section) || !outputs.loaded[sections.output[section]]) return null;
      const start = outputs.address[sections.output[section]];
      return start + sections.output_offset[section] + symbols.section_offset[symbol];
    }

    /** Edges as columns: those of section `s` are `targets[start[s]]` to `targets[start[s + 1]]`. */
    get edges() {
      if (this.cachedEdges) return this.cachedEdges;
      const { count, distance } = this.data.references;
      const start = new Uint32Array(count.length + 1);
      const targets = new Uint32Array(distance.length);
      for (let from = 0, at = 0; from < count.length; from++) {
        let before = from;
        for (const end = at + count[from]; at < end; at++) {
          before += distance[at];
          targets[at] = before;
        }
        start[from + 1] = at;
      }
      return (this.cachedEdges = { start, targets });
    }

    /** The same from targets to sources. Imports follow the sections. */
    get referrers() {
      if (this.cachedReferrers) return this.cachedReferrers;
      const { start, targets } = this.edges;
      const nodes = this.sectionCount + this.data.imports.name.length;
      const first = new Uint32Array(nodes + 2);
      for (const target of targets) first[target + 2]++;
      for (let at = 2; at < first.length; at++) first[at] += first[at - 1];
      const sources = new Uint32Array(targets.length);
      for (let from = 0; from + 1 < start.length; from++) {
        for (let at = start[from]; at < start[from + 1]; at++) {
          sources[first[targets[at] + 1]++] = from;
        }
      }
      return (this.cachedReferrers = { start: first, sources });
    }

    referrersOf(node) {
      const { start, sources } = this.referrers;
      return sources.subarray(start[node], start[node + 1]);
    }

    targetsOf(section) {
      const { start, targets } = this.edges;
      return targets.subarray(start[section], start[section + 1]);
    }

    /** Breadth first from all roots: the parent of each section, itself for a root, -1 for none. */
    get parents() {
      if (this.cachedParents) return this.cachedParents;
      const { start, targets } = this.edges;
      const parents = new Int32Array(this.sectionCount).fill(-1);
      const queue = new Uint32Array(this.sectionCount);
      let end = 0;
      for (const root of this.data.roots.section) {
        parents[root] = root;
        queue[end++] = root;
      }
      for (let next = 0; next < end; next++) {
        const from = queue[next];
        for (let at = start[from]; at < start[from + 1]; at++) {
          const to = targets[at];
          if (to < this.sectionCount && parents[to] < 0) {
            parents[to] = from;
            queue[end++] = to;
          }
        }
      }
      return (this.cachedParents = parents);
    }

    /** From a root to `section`; empty if no root leads there. */
    pathTo(section) {
      const parents = this.parents;
      if (parents[section] < 0) return [];
      const path = [section];
      while (parents[path[0]] !== path[0]) path.unshift(parents[path[0]]);
      return path;
    }

    rootReason(section) {
      const at = this.data.roots.section.indexOf(section);
      return at < 0 ? "" : this.data.root_reasons[this.data.roots.reason[at]];
    }
  }

  return { read, unpack, Model };
})();
