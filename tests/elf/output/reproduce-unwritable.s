// A link that cannot write its output is the more to be reproduced.
//# peers: lld
//# sh: rm -f r.tar; ! $LD main.o -o missing/out --reproduce=r.tar 2>message && test -s r.tar && grep -q missing/out message
//# link: main.o
.globl _start
_start: ret
