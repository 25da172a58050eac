# An absolute path in a script of the sysroot is below the sysroot and nowhere else: the host's file
# is for another system. Scripts outside name what they write; included ones count by themselves.
//# driver: ld
//# variant: below: main.o --sysroot=root root/below.ld
//# variant: given: main.o --sysroot=root -T root/below.ld
//# variant: outside: main.o --sysroot=root outside.ld
//# variant: host: main.o --sysroot=root root/host.ld
//# variant: host-given: main.o --sysroot=root -T root/host.ld
//# variant: host-group: main.o --sysroot=root root/group.ld
//# variant: host-included: main.o --sysroot=root includes.ld
//# variant: host-statement: main.o --sysroot=root -T root/statement.ld
//# link: -e 0
//# archive: unused.a x.o
//# sh: mkdir -p root/lib && cp x.o root/lib/y.o && echo 'INPUT(/lib/y.o)' >root/below.ld
//# sh: printf 'INPUT(%s/x.o)\n' "$PWD" | tee root/host.ld >outside.ld && echo 'INCLUDE root/host.ld' >includes.ld
//# sh: printf 'GROUP(AS_NEEDED(%s/x.o))\n' "$PWD" >root/group.ld
//# sh: printf 'SECTIONS { .text : { %s/x.o(.text) *(.text) } }\n' "$PWD" >root/statement.ld
//# @below,given,outside symbol: x
//# @host,host-given,host-group,host-included,host-statement expect-error: cannot find /.*/x\.o inside root
//# peers: ld
.globl main
main: ret
.section .note.GNU-stack,""
//# file: x.s
.globl x
x: ret
.section .note.GNU-stack,""
