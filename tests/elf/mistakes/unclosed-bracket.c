// A `[` that is never closed is a slip, and the pattern would silently match nothing.
//# peers: none
//# variant: script: -Wl,--version-script=v.map
//# variant: list: -Wl,--dynamic-list=d.list
//# variant: exports: -Wl,--export-dynamic-symbol-list=d.list
//# variant: option: -Wl,--undefined-glob=are[as
//# compile: -fPIC
//# link: -shared main.o
//# @script error-text: ld: error: v.map:2: invalid glob pattern, unmatched '[': are[as
//# @list,exports error-text: ld: error: d.list:1: invalid glob pattern, unmatched '[': are[as
//# @option error-text: ld: error: --undefined-glob: invalid glob pattern, unmatched '[': are[as
int area(int side) { return side * side; }
//# file: v.map
{
  global: are[as; "qu[oted";
  local: *;
};
//# file: d.list
{ are[as; };
