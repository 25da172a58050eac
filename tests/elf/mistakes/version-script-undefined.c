// A version script lists a function under a name that nothing has.
//# peers: none
//# compile: -fPIC
//# link: -shared -Wl,--version-script=shape.map,--no-undefined-version
//# error-text: ld: error: shape.map:2: version script assignment of 'SHAPE_1.0' to symbol 'aera' failed: symbol not defined
//# error-text: >>> did you mean: area
//# error-text: >>> defined in: main.o
int area(int side) { return side * side; }
//# file: shape.map
SHAPE_1.0 {
  global: aera;
  local: *;
};
