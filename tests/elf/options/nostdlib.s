// -nostdlib: libraries are looked for where -L and -Y say, and not where a script's SEARCH_DIR does.
//# sh: mkdir -p given && rm -f given/libx.a && ar rcs given/libx.a x.o
//# archive: unused.a x.o
//# variant: script: -nostdlib main.o search.t -lx
//# variant: before: -nostdlib -T search.t main.o -lx
//# variant: inside: -nostdlib main.o inputs.t
//# variant: on: main.o search.t -lx
//# variant: inside-on: main.o inputs.t
//# variant: path: -nostdlib main.o search.t -Lgiven -lx
//# variant: list: -nostdlib main.o -lx -YP,given
//# @script,before,inside expect-error: (cannot|unable to) find.* -lx
//# @on,inside-on,path,list symbol: x
//# peers: ld
.include "machine.inc"
        .globl  _start
_start: calls x
//# file: x.s
        .globl  x
x:      ret
//# file: search.t
SEARCH_DIR(given)
//# file: inputs.t
SEARCH_DIR(given)
INPUT(-lx)
