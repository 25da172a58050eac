# A large program is written over the old one, which is faster; --atomic-output keeps the old one whole
# until the new one takes its name.
//# driver: ld
//# link: main.o
//# variant: reused:
//# variant: atomic: --atomic-output
//# check: test $(stat -c %s $OUT) -gt 1048576
//# @reused check: before=$(stat -c %i $OUT); "$LD" main.o -o $OUT; test $before = $(stat -c %i $OUT)
//# @atomic check: before=$(stat -c %i $OUT); "$LD" main.o --atomic-output -o $OUT; test $before != $(stat -c %i $OUT)
//# @atomic check: ls | grep -v -e '^main' -e '^out' -e commands.sh -e machine.inc && exit 1 || true
//# run: exit=7
//# peers: none
.include "machine.inc"
.globl _start
_start:
  exit 7
.data
.fill 0x180000, 1, 1
.section .note.GNU-stack,"",@progbits
