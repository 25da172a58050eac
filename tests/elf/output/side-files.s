// What is written beside the output is whole or absent, and never the output, another such file or an
// input; where it cannot be written, there is no output.
//# link: -static
//# sh: fails() { rm -f x; if "$LD" main.o -static -o x "$@" 2>err; then exit 1; fi; test ! -e x; }; fails -Map=x; grep -q -e '-Map=x: this is the output' err; fails -Map=./x; fails --why-extract=y --print-archive-stats=./y; grep -q 'file of --why-extract' err; fails -Map=main.o; grep -q 'input file main.o' err; fails -Map=none/y; fails --report=none/y.html; fails --why-extract=none/y; fails --dependency-file=none/y; fails --reproduce=none/y.tar; fails --time-trace=none/y; fails --separate-debug-file=none/y; fails --print-symbol-order=none/y; fails --print-gc-sections=none/y; test "$(head -c 4 main.o | tail -c 3)" = ELF
//# sh: rm -f p x; mkfifo p; head -c 1 p >/dev/null & if "$LD" main.o -static -o x --reproduce=p 2>err; then exit 1; fi; grep -q 'p: Broken pipe' err; test -p p; test ! -e x
//# sh: rm -f m mm; : >mm; ln -s mm m; "$LD" main.o -static -o x -Map=m; test -L m; test -s mm; rm -f m mm
//# sh: mkdir -p closed; "$LD" main.o -static -o x -Map=closed/m --report=closed/r.html; test "$(ls -A closed)" = "$(printf 'm\nr.html')"
//# peers: none
.globl _start
_start: ret
.data
.fill 1000000, 1, 1
.section .note.GNU-stack,"",@progbits
