// C++ names: the Itanium C++ ABI, section 5.1, spelled as GNU's tools do.

const demangleCxx = (() => {
  "use strict";

  const BUILTIN = {
    v: "void", w: "wchar_t", b: "bool", c: "char", a: "signed char", h: "unsigned char",
    s: "short", t: "unsigned short", i: "int", j: "unsigned int", l: "long",
    m: "unsigned long", x: "long long", y: "unsigned long long", n: "__int128",
    o: "unsigned __int128", f: "float", d: "double", e: "long double", g: "__float128", z: "...",
  };
  const BUILTIN_D = {
    d: "decimal64", e: "decimal128", f: "decimal32", h: "half", i: "char32_t", s: "char16_t",
    u: "char8_t", a: "auto", c: "decltype(auto)", n: "decltype(nullptr)",
  };
  const STANDARD = {
    St: "std", Sa: "std::allocator", Sb: "std::basic_string", Ss: "std::string",
    Si: "std::istream", So: "std::ostream", Sd: "std::iostream",
  };
  // Spelling and number of operands.
  const OPERATOR = {
    nw: ["new", 3], na: ["new[]", 3], dl: ["delete", 1], da: ["delete[]", 1], aw: ["co_await", 1],
    ps: ["+", 1], ng: ["-", 1], ad: ["&", 1], de: ["*", 1], co: ["~", 1], pl: ["+", 2],
    mi: ["-", 2], ml: ["*", 2], dv: ["/", 2], rm: ["%", 2], an: ["&", 2], or: ["|", 2],
    eo: ["^", 2], aS: ["=", 2], pL: ["+=", 2], mI: ["-=", 2], mL: ["*=", 2], dV: ["/=", 2],
    rM: ["%=", 2], aN: ["&=", 2], oR: ["|=", 2], eO: ["^=", 2], ls: ["<<", 2], rs: [">>", 2],
    lS: ["<<=", 2], rS: [">>=", 2], eq: ["==", 2], ne: ["!=", 2], lt: ["<", 2], gt: [">", 2],
    le: ["<=", 2], ge: [">=", 2], ss: ["<=>", 2], nt: ["!", 1], aa: ["&&", 2], oo: ["||", 2],
    pp: ["++", 1], mm: ["--", 1], cm: [",", 2], pm: ["->*", 2], pt: ["->", 2], cl: ["()", 2],
    ix: ["[]", 2], qu: ["?", 3],
  };
  const LITERAL_SUFFIX = { j: "u", l: "l", m: "ul", x: "ll", y: "ull" };
  const MAX_DEPTH = 200;
  const MAX_OUTPUT = 1 << 18;
  const { fail } = demangling;

  const close = (args) => "<" + args + (args.endsWith(">") ? " >" : ">");

  /** A template argument as text; packs are lists. */
  const shown = (argument) =>
    typeof argument === "string" ? argument : argument.filter((part) => part !== "").join(", ");

  class Cxx {
    constructor(text, at) {
      this.text = text;
      this.at = at;
      this.subs = [];
      this.args = [];
      this.depth = 0;
      this.lambda = 0;
      this.size = 0;
      // The part of packs that is meant, inside of an expansion.
      this.pack = null;
      this.packSize = null;
    }

    peek(word) {
      return this.text.startsWith(word, this.at);
    }

    take(word) {
      if (!this.peek(word)) return false;
      this.at += word.length;
      return true;
    }

    need(word) {
      if (!this.take(word)) fail();
    }

    /** Counts the nesting: names are not ours, and may nest as deep as they are long. */
    nested(parse) {
      if (++this.depth > MAX_DEPTH) fail();
      const value = parse();
      this.depth--;
      return value;
    }

    remember(type) {
      const left = typeof type === "string" ? type : type[0] + type[1];
      this.size += left.length;
      if (this.size > MAX_OUTPUT) fail();
      this.subs.push(typeof type === "string" ? [type, ""] : type);
      return type;
    }

    digits() {
      const start = this.at;
      while (this.text[this.at] >= "0" && this.text[this.at] <= "9") this.at++;
      if (start === this.at) fail();
      return this.text.slice(start, this.at);
    }

    /** `_`, or a number in base 36 or 10 and `_`; the first is 0. */
    sequence(base) {
      if (this.take("_")) return 0;
      const end = this.text.indexOf("_", this.at);
      const value = end < 0 ? NaN : parseInt(this.text.slice(this.at, end), base);
      if (!(value >= 0)) fail();
      this.at = end + 1;
      return value + 1;
    }

    encoding() {
      return this.nested(() => {
        if (this.peek("T") || this.peek("GV") || this.peek("GR") || this.peek("GTt")) {
          return this.special();
        }
        const state = { tags: true, template: false, plain: false, suffix: "" };
        let name = this.name(state);
        if (this.ended()) return this.resolve(name + state.suffix);
        // Templates say what they return, as that may depend on their arguments.
        const result = state.template && !state.plain ? this.type() : null;
        const prefix = result ? result[0] + (result.isFunction ? "" : " ") : "";
        const text = prefix + name + this.parameters() + state.suffix + (result ? result[1] : "");
        return this.resolve(text);
      });
    }

    /** Template parameters that stood before their arguments. */
    resolve(text) {
      if (!text.includes("\u0001")) return text;
      const args = this.args;
      return text.replace(/\u0001(\d+)\u0002/g, (_, at) => shown(args[at] ?? fail()));
    }

    ended() {
      const next = this.text[this.at];
      return next === undefined || next === "E" || next === "." || next === "@";
    }

    parameters() {
      if (this.take("v")) return "()";
      const list = [];
      while (!this.ended() && !this.peek("Q")) list.push(this.type().join(""));
      if (this.take("Q")) this.expression();
      return "(" + list.filter((type) => type !== "").join(", ") + ")";
    }

    special() {
      const of = { TV: "vtable for ", TT: "VTT for ", TI: "typeinfo for ", TS: "typeinfo name for " };
      const code = this.text.slice(this.at, this.at + 2);
      this.at += 2;
      if (of[code]) return of[code] + this.type().join("");
      if (code === "TC") {
        const type = this.type().join("");
        this.digits();
        this.need("_");
        return "construction vtable for " + this.type().join("") + "-in-" + type;
      }
      if (code === "Th" || code === "Tv") {
        this.at--;
        this.callOffset();
        return (code === "Th" ? "non-virtual thunk to " : "virtual thunk to ") + this.encoding();
      }
      if (code === "Tc") {
        this.callOffset();
        this.callOffset();
        return "covariant return thunk to " + this.encoding();
      }
      if (code === "TW" || code === "TH") {
        return (code === "TW" ? "TLS wrapper function for " : "TLS init function for ") + this.name({});
      }
      if (code === "TA") return "template parameter object for " + this.templateArgument();
      if (code === "GV") return "guard variable for " + this.name({});
      if (code === "GR") {
        const name = this.name({});
        const number = this.take("_") ? 0 : this.sequence(36);
        return "reference temporary #" + number + " for " + name;
      }
      if (code === "GT" && (this.take("t") || this.take("n"))) {
        return "transaction clone for " + this.encoding();
      }
      return fail();
    }

    callOffset() {
      if (this.take("h")) {
        this.take("n");
        this.digits();
        this.need("_");
      } else if (this.take("v")) {
        for (let i = 0; i < 2; i++) {
          this.take("n");
          this.digits();
          this.need("_");
        }
      } else fail();
    }

    name(state) {
      return this.nested(() => {
        if (this.peek("N")) return this.nestedName(state);
        if (this.peek("Z")) return this.localName(state);
        let name;
        if (this.peek("S") && !this.peek("St")) {
          name = this.substitution();
          if (!this.peek("I")) return name;
        } else {
          name = this.take("St") ? "std::" : "";
          name += this.unqualified(state, "");
          if (!this.peek("I")) return name;
          this.remember(name);
        }
        state.template = true;
        return name + this.templateArguments(state);
      });
    }

    nestedName(state) {
      this.need("N");
      let suffix = "";
      let flags = "";
      while (this.peek("r") || this.peek("V") || this.peek("K")) flags += this.text[this.at++];
      if (flags.includes("r")) suffix += " restrict";
      if (flags.includes("V")) suffix += " volatile";
      if (flags.includes("K")) suffix += " const";
      if (this.take("R")) suffix += " &";
      else if (this.take("O")) suffix += " &&";
      let name = "";
      let last = "";
      let first = true;
      while (!this.take("E")) {
        state.template = false;
        if (this.peek("I")) {
          if (name === "") fail();
          name += this.templateArguments(state);
          state.template = true;
        } else if (this.peek("S") && !this.peek("St")) {
          name = this.substitution();
          last = name.replace(/<.*/, "").replace(/.*::/, "");
          if (name === "std::string") last = "basic_string";
          first = false;
          continue;
        } else if (this.peek("T") || this.peek("Dt") || this.peek("DT")) {
          name = this.peek("T") ? this.templateParameter() : this.type().join("");
          last = "";
        } else if (this.take("M")) {
          continue;
        } else {
          if (this.take("St")) {
            name = "std";
            first = false;
            last = "std";
            continue;
          }
          const part = this.unqualified(state, last, name);
          last = part.replace(/\[abi:.*/, "");
          name = first ? part : name + "::" + part;
        }
        first = false;
        if (!this.peek("E")) this.remember(name);
      }
      state.suffix = suffix;
      return name;
    }

    localName(state) {
      this.need("Z");
      const args = this.args;
      const outer = this.encoding();
      this.args = args;
      this.need("E");
      if (this.take("s")) {
        this.discriminator();
        return outer + "::string literal";
      }
      if (this.take("d")) {
        const number = this.sequence(10);
        return outer + "::{default arg#" + (number + 1) + "}::" + this.name(state);
      }
      const name = this.name(state);
      this.discriminator();
      return outer + "::" + name;
    }

    discriminator() {
      if (this.take("__")) {
        this.digits();
        this.need("_");
      } else if (this.peek("_") && /\d/.test(this.text[this.at + 1] ?? "")) {
        this.at += 2;
      }
    }

    unqualified(state, enclosing) {
      this.take("L");
      const next = this.text[this.at];
      let name;
      state.plain = state.afterAngle = false;
      if (next >= "0" && next <= "9") {
        const size = Number(this.digits());
        name = this.text.slice(this.at, this.at + size);
        if (name.length !== size || size === 0) fail();
        this.at += size;
        if (name.startsWith("_GLOBAL__N")) name = "(anonymous namespace)";
      } else if (next === "C" || (next === "D" && /[0-5]/.test(this.text[this.at + 1]))) {
        state.plain = true;
        this.at++;
        const inherits = next === "C" && this.take("I");
        if (!/[0-5]/.test(this.text[this.at] ?? "")) fail();
        this.at++;
        if (inherits) this.type();
        name = (next === "C" ? "" : "~") + enclosing;
        if (enclosing === "") fail();
      } else if (this.take("Ut")) {
        const number = this.sequence(10);
        name = "{unnamed type#" + (number + 1) + "}";
      } else if (this.take("Ul")) {
        this.lambda++;
        const types = [];
        while (!this.peek("E")) types.push(this.type().join(""));
        this.lambda--;
        this.need("E");
        const list = types.length === 1 && types[0] === "void" ? "" : types.join(", ");
        name = "{lambda(" + list + ")#" + (this.sequence(10) + 1) + "}";
      } else if (this.take("DC")) {
        const names = [];
        while (!this.take("E")) names.push(this.unqualified({}, ""));
        name = "[" + names.join(", ") + "]";
      } else {
        name = this.operatorName(state);
      }
      while (this.take("B")) {
        const size = Number(this.digits());
        name += "[abi:" + this.text.slice(this.at, this.at + size) + "]";
        this.at += size;
      }
      return name;
    }

    operatorName(state) {
      const code = this.text.slice(this.at, this.at + 2);
      this.at += 2;
      if (code === "cv") {
        state.plain = true;
        return "operator " + this.type().join("");
      }
      if (code === "li") return 'operator"" ' + this.unqualified({}, "");
      if (/^v\d$/.test(code)) return "operator " + this.unqualified({}, "");
      const operator = OPERATOR[code] ?? fail();
      state.afterAngle = operator[0].endsWith("<");
      return "operator" + (/^[a-z]/.test(operator[0]) ? " " : "") + operator[0];
    }

    substitution() {
      this.need("S");
      const next = this.text[this.at];
      if (next === "_" || (next >= "0" && next <= "9") || (next >= "A" && next <= "Z")) {
        const type = this.subs[this.sequence(36)] ?? fail();
        return type.join("");
      }
      const name = STANDARD["S" + next] ?? fail();
      this.at++;
      return name;
    }

    templateParameter() {
      this.need("T");
      if (/[LypnT]/.test(this.text[this.at])) fail();
      const at = this.sequence(10);
      if (this.lambda > 0) return "auto:" + (at + 1);
      const argument = this.args[at] ?? "\u0001" + at + "\u0002";
      if (typeof argument === "string" || this.pack === null) return shown(argument);
      this.packSize = argument.length;
      return argument[this.pack] ?? "";
    }

    templateArguments(state) {
      return this.nested(() => {
        this.need("I");
        const list = [];
        if (state.tags) this.args = list;
        while (!this.take("E")) {
          if (this.take("Q")) this.expression();
          else list.push(this.templateArgument());
        }
        const text = list.map(shown).filter((argument) => argument !== "");
        return (state.afterAngle ? " " : "") + close(text.join(", "));
      });
    }

    templateArgument() {
      return this.nested(() => {
        if (this.peek("L")) return this.literal();
        if (this.take("X")) {
          const text = this.expression();
          this.need("E");
          return text;
        }
        if (this.take("J")) {
          const list = [];
          while (!this.take("E")) list.push(shown(this.templateArgument()));
          return list;
        }
        return this.type().join("");
      });
    }

    literal() {
      this.need("L");
      if (this.take("_Z")) {
        const inner = this.inner(() => this.encoding());
        this.need("E");
        return inner;
      }
      const code = this.text[this.at];
      const type = this.type().join("");
      const end = this.text.indexOf("E", this.at);
      if (end < 0) fail();
      const value = this.text.slice(this.at, end).replace(/^n/, "-");
      this.at = end + 1;
      if (type === "bool") return value === "1" ? "true" : value === "0" ? "false" : fail();
      if (type === "int") return value;
      if (type === "decltype(nullptr)") return "decltype(nullptr)";
      return LITERAL_SUFFIX[code] ? value + LITERAL_SUFFIX[code] : "(" + type + ")" + value;
    }

    /** An encoding of its own: its template parameters are not those outside. */
    inner(parse) {
      const args = this.args;
      const value = parse();
      this.args = args;
      return value;
    }

    expression() {
      return this.nested(() => {
        if (this.peek("L")) return this.literal();
        if (this.peek("T")) return this.templateParameter();
        if (this.take("fp") || this.take("fL")) {
          if (this.text[this.at - 1] === "L") {
            this.digits();
            this.need("p");
          }
          while (/[rVK]/.test(this.text[this.at])) this.at++;
          return "{parm#" + (this.sequence(10) + 1) + "}";
        }
        if (this.take("st") || this.take("at")) return "sizeof (" + this.type().join("") + ")";
        if (this.take("sz") || this.take("az")) return "sizeof (" + this.expression() + ")";
        if (this.take("sZ")) return "sizeof...(" + this.expression() + ")";
        if (this.take("sp")) return this.expression() + "...";
        if (this.take("nx")) return "noexcept (" + this.expression() + ")";
        if (this.take("sr")) {
          const isSimple = /^\d/.test(this.text[this.at] ?? "");
          const type = isSimple ? this.simpleId() : this.type().join("");
          this.take("E");
          return type + "::" + this.simpleId();
        }
        if (this.take("dt")) return this.expression() + "." + this.expression();
        if (this.take("cl")) {
          const callee = this.expression();
          return callee + "(" + this.expressions("E") + ")";
        }
        if (this.take("cv")) {
          const type = this.type().join("");
          if (this.take("_")) return "(" + type + ")(" + this.expressions("E") + ")";
          return "(" + type + ")(" + this.expression() + ")";
        }
        if (this.take("tl")) {
          const type = this.type().join("");
          return type + "{" + this.expressions("E") + "}";
        }
        if (this.take("il")) return "{" + this.expressions("E") + "}";
        if (/^\d/.test(this.text[this.at] ?? "") || this.take("on")) {
          return this.simpleId();
        }
        const operator = OPERATOR[this.text.slice(this.at, this.at + 2)] ?? fail();
        this.at += 2;
        if (operator[1] === 1) return operator[0] + "(" + this.expression() + ")";
        const first = this.expression();
        const second = this.expression();
        if (operator[0] === "?") return first + "?" + second + ":" + this.expression();
        return "(" + first + ")" + operator[0] + "(" + second + ")";
      });
    }

    simpleId() {
      const name = this.unqualified({}, "");
      return name + (this.peek("I") ? this.templateArguments({}) : "");
    }

    expressions(end) {
      const list = [];
      while (!this.take(end)) list.push(this.expression());
      return list.join(", ");
    }

    /** A type as what stands before and behind a declared name. */
    type() {
      return this.nested(() => this.anyType());
    }

    anyType() {
      const next = this.text[this.at];
      if (BUILTIN[next]) {
        this.at++;
        return [BUILTIN[next], ""];
      }
      switch (next) {
        case "r":
        case "V":
        case "K":
          return this.qualified();
        case "P":
          return this.pointer("*");
        case "R":
          return this.pointer("&");
        case "O":
          return this.pointer("&&");
        case "C":
        case "G":
          this.at++;
          return this.remember([this.type().join("") + (next === "C" ? " _Complex" : " _Imaginary"), ""]);
        case "F":
          return this.remember(this.functionType());
        case "A":
          return this.remember(this.arrayType());
        case "M":
          return this.memberPointer();
        case "D":
          return this.typeWithD();
        case "U": {
          this.at++;
          const name = this.unqualified({}, "");
          const extra = this.peek("I") ? this.templateArguments({}) : "";
          const type = this.type();
          return this.remember([type[0] + " " + name + extra, type[1]]);
        }
        case "u":
          this.at++;
          return this.remember([this.unqualified({}, ""), ""]);
        case "T": {
          if (/^T[sue]/.test(this.text.slice(this.at, this.at + 2))) this.at += 2;
          else {
            const parameter = this.remember([this.templateParameter(), ""]);
            if (!this.peek("I")) return parameter;
            return this.remember([parameter[0] + this.templateArguments({}), ""]);
          }
          return this.type();
        }
        case "S":
          if (!this.peek("St")) {
            const known = /[_0-9A-Z]/.test(this.text[this.at + 1] ?? "");
            if (known) {
              this.need("S");
              const type = this.subs[this.sequence(36)] ?? fail();
              if (!this.peek("I")) return type;
              return this.remember([type.join("") + this.templateArguments({}), ""]);
            }
            const name = this.substitution();
            if (!this.peek("I")) return [name, ""];
            return this.remember([name + this.templateArguments({}), ""]);
          }
      }
      return this.remember([this.inner(() => this.name({})), ""]);
    }

    typeWithD() {
      const code = this.text[this.at + 1];
      if (BUILTIN_D[code]) {
        this.at += 2;
        return [BUILTIN_D[code], ""];
      }
      this.at += 2;
      switch (code) {
        case "p": {
          return this.remember([this.expansion(), ""]);
        }
        case "t":
        case "T": {
          const text = this.expression();
          this.need("E");
          return this.remember(["decltype (" + text + ")", ""]);
        }
        case "v": {
          const size = this.take("_") ? this.expression() : this.digits();
          this.need("_");
          return this.remember([this.type().join("") + " __vector(" + size + ")", ""]);
        }
        case "F": {
          const size = this.digits();
          this.need("_");
          return ["_Float" + size, ""];
        }
        case "B":
        case "U": {
          const size = this.digits();
          this.need("_");
          return [(code === "B" ? "" : "unsigned ") + "_BitInt(" + size + ")", ""];
        }
        case "o":
          this.at -= 2;
          return this.remember(this.functionType());
      }
      return fail();
    }

    /** A pattern, once for each part of the pack in it. */
    expansion() {
      const { at: start, pack, packSize } = this;
      const parts = [];
      this.packSize = null;
      for (let part = 0; part === 0 || part < (this.packSize ?? 1); part++) {
        const subs = this.subs.length;
        this.at = start;
        this.pack = part;
        parts.push(this.type().join(""));
        if (part > 0) this.subs.length = subs;
      }
      const isEmpty = this.packSize === 0;
      [this.pack, this.packSize] = [pack, packSize];
      return isEmpty ? "" : parts.join(", ");
    }

    qualified() {
      let suffix = "";
      const flags = /^[rVK]+/.exec(this.text.slice(this.at, this.at + 3))[0];
      this.at += flags.length;
      if (flags.includes("K")) suffix += " const";
      if (flags.includes("V")) suffix += " volatile";
      if (flags.includes("r")) suffix += " restrict";
      const type = this.type();
      if (type.isFunction) {
        const changed = [type[0], type[1] + suffix];
        changed.isFunction = true;
        return this.remember(changed);
      }
      return this.remember([type[0] + suffix, type[1]]);
    }

    pointer(sign) {
      this.at += 1;
      const type = this.type();
      let made;
      if (type.isFunction || type.isArray) {
        made = [type[0] + (type.isArray ? " (" : "(") + sign, ")" + type[1]];
      } else if (sign !== "*" && type[0].endsWith("&")) {
        const both = sign === "&" ? type[0].replace(/&+$/, "&") : type[0];
        made = [both, type[1]];
      } else made = [type[0] + sign, type[1]];
      return this.remember(made);
    }

    functionType() {
      let suffix = "";
      if (this.take("Do")) suffix = " noexcept";
      this.need("F");
      this.take("Y");
      const result = this.type();
      const list = [];
      while (!this.peek("E") && !/^[RO]E/.test(this.text.slice(this.at, this.at + 2))) {
        list.push(this.type().join(""));
      }
      if (this.take("R")) suffix = " &" + suffix;
      else if (this.take("O")) suffix = " &&" + suffix;
      this.need("E");
      const shown = list.length === 1 && list[0] === "void" ? "" : list.join(", ");
      const type = [result[0] + " ", "(" + shown + ")" + suffix + result[1]];
      type.isFunction = true;
      return type;
    }

    arrayType() {
      this.need("A");
      let size = "";
      if (/\d/.test(this.text[this.at])) size = this.digits();
      else if (!this.peek("_")) size = this.expression();
      this.need("_");
      const element = this.type();
      const behind = element.isArray ? element[1].trimStart() : element[1];
      const type = [element[0], " [" + size + "]" + behind];
      type.isArray = true;
      return type;
    }

    memberPointer() {
      this.need("M");
      const owner = this.type().join("");
      const type = this.type();
      if (type.isFunction) {
        return this.remember([type[0] + "(" + owner + "::*", ")" + type[1]]);
      }
      return this.remember([type[0] + " " + owner + "::*", type[1]]);
    }
  }

  function cxx(text) {
    const parser = new Cxx(text, 2);
    const encoding = parser.encoding();
    let rest = text.slice(parser.at);
    let clones = "";
    while (rest !== "") {
      const clone = /^\.[A-Za-z_][\w$]*(\.\d+)*|^\.\d+/.exec(rest) ?? fail();
      clones += " [clone " + clone[0] + "]";
      rest = rest.slice(clone[0].length);
    }
    return encoding + clones;
  }

  return cxx;
})();
