// A version script that lacks a semicolon.
//# peers: none
//# compile: -fPIC
//# link: -shared -Wl,--version-script=shape.map
//# error-text: ld: error: shape.map:4: expected ';' after 'area', found 'local'
//# error-text: >>>   local: *;
//# error-text: >>>   ^
int area(int side) { return side * side; }
//# file: shape.map
SHAPE_1.0 {
  global:
    area
  local: *;
};
