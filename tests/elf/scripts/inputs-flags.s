# The flags in force at -T hold for the inputs that its script names, as for a script among the
# inputs. (GNU ld has it so; its outputs without a layout for dynamic sections are not read.)
//# driver: ld
//# shared: libq.so q.o
//# archive: unused.a w.o
//# sh: ar rc libq.a q.o && ar rc libw.a w.o && printf 'INPUT(-lq)' > q.ld && printf 'INPUT(-lw)' > w.ld && printf 'INPUT(text)' > b.ld
//# variant: plain: main.o -L. -T q.ld
//# variant: as-needed: main.o -L. --as-needed -T q.ld
//# variant: behind: main.o -L. -T q.ld --as-needed -Bstatic --whole-archive
//# variant: static: main.o -L. -Bstatic -T q.ld
//# variant: whole: main.o -L. --whole-archive -T w.ld --no-whole-archive
//# variant: binary: main.o -b binary -T b.ld
//# @plain,behind dynamic: NEEDED value="libq.so"
//# @as-needed,static no-dynamic: NEEDED
//# @whole symbol: w
//# @binary symbol: _binary_text_start
//# no-warning: .
//# @static,whole peers: ld
//# @plain,as-needed,behind,binary peers: none
.globl _start
_start: ret
.section .note.GNU-stack,""
//# file: q.s
.globl q
q: ret
.section .note.GNU-stack,""
//# file: w.s
.globl w
w: ret
.section .note.GNU-stack,""
//# file: text
some text
