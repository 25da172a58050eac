// With -r, code with and without the mark of being free of data (SHF_AARCH64_PURECODE) is joined if
// the name is the same, and marked if all of it is.
//# link: -r main.o other.o
//# section: .text count=1
//# check: readelf -SW $OUT | grep -q ' \.text .* AX '
//# check: readelf -SW $OUT | grep -Eq ' \.own .* AX[py] '
//# section: .own count=1 size=8
//# peers: none
//# file: main.s
.section .text, "0x20000006", @progbits, unique, 1
  ret
.section .own, "0x20000006", @progbits
  ret
.section .note.GNU-stack, "", @progbits
//# file: other.s
.section .own, "0x20000006", @progbits
  ret
.section .note.GNU-stack, "", @progbits
