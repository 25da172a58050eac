// A function in extern "C++" of a version script that nothing defines is an error with
// --no-undefined-version, as it is for lld; one whose mangled name is listed too is not.
//# peers: none
//# compile: -fPIC
//# link: -shared -Wl,--version-script=shape.map,--no-undefined-version
//# error-text: ld: error: shape.map:4: version script assignment of 'SHAPE_1.0' to symbol 'aera(int)' failed: symbol not defined
int area(int side) { return side * side; }
int width(int side) { return side; }
//# file: shape.map
SHAPE_1.0 {
  global:
    _Z5widthi;
    extern "C++" { "area(int)"; "aera(int)"; "width(int)"; };
  local: *;
};
