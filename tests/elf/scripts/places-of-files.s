# Files that a script names: beside a script among the inputs first, also what that includes; for
# one of -T in the working directory, the library directories, and at last beside it, as lld has it.
# GNU ld 2.40 passes but for the last.
//# driver: ld
//# variant: implicit: main.o sub/here.ld
//# variant: includes: main.o other/includes.ld
//# variant: library: main.o -Llib sub/only-lib.ld
//# variant: searched: main.o sub/searched.ld
//# variant: given: main.o -T sub/here.ld
//# variant: given-library: main.o -Llib -T sub/h.ld
//# variant: given-beside: main.o -T sub/h.ld
//# variant: absolute: main.o -T absolute.ld
//# link: -e 0
//# archive: unused.a here.o beside.o inlib.o other.o
//# sh: mkdir -p sub other lib
//# sh: cp beside.o sub/h.o && cp sub/h.o sub/here.o && cp inlib.o lib/l.o && cp lib/l.o lib/h.o && cp other.o other/h.o
//# sh: cp here-ld sub/here.ld && cp h-ld sub/h.ld && cp lib-ld sub/only-lib.ld && cp includes-ld other/includes.ld
//# sh: cp searched-ld sub/searched.ld && (printf 'INCLUDE '; pwd; ) | tr -d '\n' > absolute.ld && echo /h-abs.ld >> absolute.ld
//# sh: (printf 'INPUT('; pwd) | tr -d '\n' > h-abs.ld && echo '/sub/h.o)' >> h-abs.ld
//# @implicit symbol: in_sub
//# @includes symbol: in_other
//# @library symbol: in_lib
//# @searched symbol: in_lib
//# @given symbol: in_work
//# @given-library symbol: in_lib
//# @given-beside symbol: in_sub
//# @absolute symbol: in_sub
//# @implicit,includes,library,searched,given,given-library,absolute peers: ld
//# @given-beside peers: lld
.globl main
main: ret
//# file: here.s
.globl in_work
in_work: ret
//# file: beside.s
.globl in_sub
in_sub: ret
//# file: inlib.s
.globl in_lib
in_lib: ret
//# file: other.s
.globl in_other
in_other: ret
//# file: here-ld
INPUT(here.o)
//# file: h-ld
INPUT(h.o)
//# file: lib-ld
INPUT(l.o)
//# file: includes-ld
INCLUDE sub/h.ld
//# file: searched-ld
INPUT(l.o)
SEARCH_DIR(lib)
