// Rust names are shown as they were written.
//# link: -static
//# expect-error: krate::missing
//# peers: none
// GNU ld 2.40 and lld 19 show legacy Rust names as C++ names, with their hash.
.include "machine.inc"
.globl _start
_start: calls _ZN5krate7missing17h0123456789abcdefE
