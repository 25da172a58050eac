// A FIFO without somebody at its other end is waited for, which is said.
//# machines: x86-64 shell commands link without -m, and a FIFO does not tell the machine
//# driver: ld
//# sh: rm -f p; mkfifo p; (sleep 2; cat main.o >p) & timeout 60 "$LD" p -static -o x 2>err; grep -q 'note: waiting for a writer of p' err; test -s x; cat main.o >p & "$LD" p -static -o y; cmp x y
//# sh: rm -f q; mkfifo q; (sleep 2; cat q >copy) & timeout 60 "$LD" main.o -static -o q 2>err; wait; grep -q 'note: waiting for a reader of q' err; test -s copy; test -p q
//# link: -static
//# peers: none
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
