// A broken version script is an error with its file and line.
//# driver: gcc
//# link: -shared -Wl,--version-script=v.map
//# expect-error: v\.map:2
int f(void) { return 1; }
//# file: v.map
V1 {
  global f g;
