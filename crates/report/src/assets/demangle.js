// Demangling in the browser: names travel as they are in the symbol table, because demangling all of
// a large program costs more time than linking it, and here only what is looked at needs it.
// What is not understood is shown as it is.

const demangle = (() => {
  "use strict";

  const MAX_LENGTH = 1 << 16;

  /** Characters that cannot be seen; some of them turn the order of what follows around. */
  const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

  const parse = (name) => {
    if (name.length > MAX_LENGTH || name.length < 3 || name[0] !== "_") return name;
    const at = name.indexOf("@");
    const base = at < 0 ? name : name.slice(0, at);
    const version = at < 0 ? "" : name.slice(at);
    try {
      if (base.startsWith("_Z")) return (demangleRust.legacy(base) ?? demangleCxx(base)) + version;
      if (base.startsWith("_R")) return demangleRust.v0(base) + version;
    } catch (error) {
      // What a name makes of the stack is no reason to show nothing.
      if (!(error instanceof demangling.Failure || error instanceof RangeError)) throw error;
    }
    return name;
  };

  /** The readable form of a name, or the name itself. */
  const demangle = (name) => parse(name).replace(HIDDEN, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`);

  /** The readable form of a section's name: of the symbol in it, if it is named after one. */
  demangle.section = (name) => {
    const at = Math.max(0, name.search(/_[ZR]/));
    return name.slice(0, at) + demangle(name.slice(at));
  };

  return demangle;
})();
