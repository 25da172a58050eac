// Rust names: RFC 2603 (v0), and the older form that borrows C++'s.

const demangleRust = (() => {
  "use strict";

  const MAX_DEPTH = 200;
  const { fail } = demangling;

  const ESCAPES = {
    SP: "@", BP: "*", RF: "&", LT: "<", GT: ">", LP: "(", RP: ")", C: ",",
  };

  function rustLegacy(text) {
    const match = /^_ZN(.*)17h[0-9a-f]{16}E(\..*)?$/.exec(text);
    if (!match) return null;
    let rest = match[1];
    const parts = [];
    while (rest !== "") {
      const size = /^\d+/.exec(rest);
      if (!size) return null;
      rest = rest.slice(size[0].length);
      let part = rest.slice(0, Number(size[0]));
      rest = rest.slice(Number(size[0]));
      if (part.startsWith("_$")) part = part.slice(1);
      part = part.replace(/\$(\w+)\$/g, (all, code) => {
        if (ESCAPES[code]) return ESCAPES[code];
        const point = /^u([0-9a-f]+)$/.exec(code);
        return point ? String.fromCodePoint(parseInt(point[1], 16) % 0x110000) : all;
      });
      parts.push(part.replace(/\.\./g, "::"));
    }
    return parts.join("::");
  }

  const RUST_TYPE = {
    a: "i8", b: "bool", c: "char", d: "f64", e: "str", f: "f32", h: "u8", i: "isize", j: "usize",
    l: "i32", m: "u32", n: "i128", o: "u128", s: "i16", t: "u16", u: "()", v: "...", x: "i64",
    y: "u64", z: "!", p: "_",
  };

  /** RFC 2603. */
  class Rust {
    constructor(text) {
      this.text = text;
      this.at = 2;
      this.depth = 0;
      this.steps = 0;
    }

    next() {
      return this.text[this.at++] ?? fail();
    }

    take(letter) {
      if (this.text[this.at] !== letter) return false;
      this.at++;
      return true;
    }

    base62() {
      if (this.take("_")) return 0;
      let value = 0;
      for (;;) {
        const c = this.next();
        if (c === "_") return value + 1;
        const digit = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".indexOf(c);
        if (digit < 0) fail();
        value = value * 62 + digit;
      }
    }

    /** Reads again what stands earlier. */
    back(parse) {
      const place = this.base62() + 2;
      const here = this.at;
      if (place >= here) fail();
      this.at = place;
      const value = parse();
      this.at = here;
      return value;
    }

    identifier() {
      const number = this.take("s") ? this.base62() + 1 : 0;
      const isUnicode = this.take("u");
      const size = /^\d+/.exec(this.text.slice(this.at, this.at + 9)) ?? fail();
      this.at += size[0].length;
      this.take("_");
      const name = this.text.slice(this.at, this.at + Number(size[0]));
      this.at += Number(size[0]);
      return { name: isUnicode ? "punycode{" + name + "}" : name, number };
    }

    path(inType) {
      if (++this.depth > MAX_DEPTH || ++this.steps > 20000) fail();
      const text = this.anyPath(inType);
      this.depth--;
      return text;
    }

    anyPath(inType) {
      switch (this.next()) {
        case "C":
          return this.identifier().name;
        case "N": {
          const space = this.next();
          const outer = this.path(inType);
          const { name, number } = this.identifier();
          if (space >= "A" && space <= "Z") {
            const kind = { C: "closure", S: "shim" }[space] ?? space;
            return outer + "::{" + kind + (name ? ":" + name : "") + "#" + number + "}";
          }
          return name ? outer + "::" + name : outer;
        }
        case "M":
          this.implementation();
          return "<" + this.type() + ">";
        case "X":
          this.implementation();
          return "<" + this.type() + " as " + this.path(true) + ">";
        case "Y":
          return "<" + this.type() + " as " + this.path(true) + ">";
        case "I": {
          const base = this.path(inType);
          const list = [];
          while (!this.take("E")) list.push(this.argument());
          return base + (inType ? "" : "::") + "<" + list.join(", ") + ">";
        }
        case "B":
          return this.back(() => this.path(inType));
      }
      return fail();
    }

    implementation() {
      if (this.take("s")) this.base62();
      this.path(false);
    }

    argument() {
      if (this.take("L")) return this.lifetime(this.base62());
      if (this.take("K")) return this.constant();
      return this.type();
    }

    lifetime(number) {
      return number === 0 ? "'_" : "'" + String.fromCharCode(96 + Math.min(number, 26));
    }

    constant() {
      if (this.take("B")) return this.back(() => this.constant());
      if (this.take("p")) return "_";
      const type = this.next();
      const sign = this.take("n") ? "-" : "";
      const end = this.text.indexOf("_", this.at);
      const digits = this.text.slice(this.at, end);
      if (end < 0 || !/^[0-9a-f]*$/.test(digits)) fail();
      this.at = end + 1;
      const value = BigInt("0x" + (digits || "0"));
      if (type === "b") return value ? "true" : "false";
      if (type === "c") return "'" + String.fromCodePoint(Number(value % 0x110000n)) + "'";
      return sign + value;
    }

    type() {
      if (++this.depth > MAX_DEPTH || ++this.steps > 20000) fail();
      const text = this.anyType();
      this.depth--;
      return text;
    }

    anyType() {
      const code = this.next();
      if (RUST_TYPE[code]) return RUST_TYPE[code];
      switch (code) {
        case "A":
          return "[" + this.type() + "; " + this.constant() + "]";
        case "S":
          return "[" + this.type() + "]";
        case "T": {
          const list = [];
          while (!this.take("E")) list.push(this.type());
          return "(" + list.join(", ") + (list.length === 1 ? ",)" : ")");
        }
        case "R":
        case "Q": {
          const number = this.take("L") ? this.base62() : 0;
          const lifetime = number ? this.lifetime(number) + " " : "";
          return "&" + lifetime + (code === "Q" ? "mut " : "") + this.type();
        }
        case "P":
          return "*const " + this.type();
        case "O":
          return "*mut " + this.type();
        case "F":
          return this.functionType();
        case "D":
          return this.dynamic();
        case "B":
          return this.back(() => this.type());
      }
      this.at--;
      return this.path(true);
    }

    functionType() {
      if (this.take("G")) this.base62();
      let text = this.take("U") ? "unsafe " : "";
      if (this.take("K")) text += 'extern "' + (this.take("C") ? "C" : this.identifier().name) + '" ';
      const list = [];
      while (!this.take("E")) list.push(this.type());
      const result = this.type();
      return text + "fn(" + list.join(", ") + ")" + (result === "()" ? "" : " -> " + result);
    }

    dynamic() {
      if (this.take("G")) this.base62();
      const list = [];
      while (!this.take("E")) {
        let bound = this.path(true);
        const bindings = [];
        while (this.take("p")) bindings.push(this.identifier().name + " = " + this.type());
        if (bindings.length) {
          const inner = bindings.join(", ");
          bound = bound.endsWith(">") ? bound.slice(0, -1) + ", " + inner + ">" : bound + "<" + inner + ">";
        }
        list.push(bound);
      }
      if (!this.take("L")) fail();
      const number = this.base62();
      return "dyn " + list.join(" + ") + (number ? " + " + this.lifetime(number) : "");
    }
  }

  return { legacy: rustLegacy, v0: (text) => new Rust(text).path(false) };
})();
