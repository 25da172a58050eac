// A `[` that is never closed is a slip, and the pattern would silently match nothing.
//# peers: none
//# variant: script: -Wl,--version-script=v.map
//# variant: list: -Wl,--dynamic-list=d.list
//# variant: exports: -Wl,--export-dynamic-symbol-list=d.list
//# variant: option: -Wl,--undefined-glob=are[as
//# variant: unique: -Wl,--unique=.te[xt
//# variant: shuffle: -Wl,--shuffle-sections=.te[xt=1
//# variant: compress: -Wl,--compress-sections=.de[bug=zlib
//# variant: dead: -Wl,-z,dead-reloc-in-nonalloc=.de[bug=1
//# variant: remap: -Wl,--remap-inputs-file=r.list
//# variant: order: -Wl,--section-ordering-file=s.list
//# variant: statements: -Wl,--section-ordering-file=s.script
//# variant: files: -Wl,--section-ordering-file=f.script
//# variant: excluded: -Wl,--section-ordering-file=e.script
//# compile: -fPIC
//# link: -shared main.o
//# @script error-text: ld: error: v.map:2: invalid glob pattern, unmatched '[': are[as
//# @list,exports error-text: ld: error: d.list:1: invalid glob pattern, unmatched '[': are[as
//# @option error-text: ld: error: --undefined-glob: invalid glob pattern, unmatched '[': are[as
//# @unique error-text: ld: error: --unique: invalid glob pattern, unmatched '[': .te[xt
//# @shuffle error-text: ld: error: --shuffle-sections: invalid glob pattern, unmatched '[': .te[xt
//# @compress error-text: ld: error: --compress-sections: invalid glob pattern, unmatched '[': .de[bug
//# @dead error-text: ld: error: -z dead-reloc-in-nonalloc: invalid glob pattern, unmatched '[': .de[bug
//# @remap error-text: ld: error: r.list:2: invalid glob pattern, unmatched '[': are[as.o
//# @order error-text: ld: error: s.list:3: invalid glob pattern, unmatched '[': .te[xt
//# @statements error-text: ld: error: s.script:1: invalid glob pattern, unmatched '[': .te[xt
//# @files error-text: ld: error: f.script:2: invalid glob pattern, unmatched '[': ma[in.o
//# @excluded error-text: ld: error: e.script:1: invalid glob pattern, unmatched '[': ma[in.o
int area(int side) { return side * side; }
//# file: v.map
{
  global: are[as; "qu[oted";
  local: *;
};
//# file: r.list
a.o b.o
are[as.o other.o
//# file: s.list
.text.a

.te[xt
//# file: s.script
.text : { *(.text.a .te[xt) }
//# file: f.script
.text : {
  "qu[oted"(.text) ma[in.o(.text)
}
//# file: e.script
.text : { *(EXCLUDE_FILE(ma[in.o) .text) }
//# file: d.list
{ are[as; };
