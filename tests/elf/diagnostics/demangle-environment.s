// What GNU's drivers say of demangling holds unless an option says otherwise.
//# peers: ld
//# link: -static
//# sh: ! COLLECT_NO_DEMANGLE=1 "$LD" -static main.o -o none 2>plain; ! COLLECT_NO_DEMANGLE=1 "$LD" -static --demangle main.o -o none 2>demangled
//# expect-error: f\(int\)
//# file-matches: plain _Z1fi
//# file-matches: demangled f\(int\)
.include "machine.inc"
.globl _start
_start: calls _Z1fi
