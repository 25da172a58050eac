// What is to go to standard output and does not is an error, and there is no output.
//# driver: ld
//# sh: for o in -M --cref --trace --stats --why-live=_start --why-extract=- -Map=- --print-memory-usage; do rm -f x; for to in '&-' /dev/full; do if eval '"$LD" main.o -static -o x "$o" 2>err >'$to; then echo "$o $to"; exit 1; fi; grep -q 'cannot write to standard output: ' err; test ! -e x; done; done
//# sh: if "$LD" main.o -static -o - 2>err >&-; then exit 1; fi; grep -q 'Bad file descriptor' err
//# sh: for o in --help --version; do for to in '&-' /dev/full; do if eval '"$LD" $o 2>err >'$to; then exit 1; fi; grep -q 'cannot write to standard output: ' err; done; done
//# sh: "$LD" main.o -static -o x -M | head -n 1 >/dev/null; test -s x
//# link: -static
//# peers: none
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
