// A call over most of 4 GiB of code finds the island that is near it, wherever it comes from.
// Alignment makes the distances, and is written into the object's headers, so that no file has to hold
// them.
//# variant: fixed: -static
//# variant: pie: -pie --no-dynamic-linker -z text
//# requires: python3
//# sh: python3 align.py main.o
//# run: exit=42
//# peers:
.macro filler number
.section .text.filler\number,"ax",@progbits
.globl at\number
at\number: ret
.endm
filler 1
.globl _start
_start:
  xor %edi, %edi
  call near_end           # 21
  call near_end           # 42
  mov $60, %eax
  syscall
filler 2
filler 3
filler 4
filler 5
filler 6
filler 7
.globl near_end
near_end:
  add $20, %edi
  call near_start
  ret
.section .text.filler1
.globl near_start
near_start:
  inc %edi
  call at4
  ret
.section .note.GNU-stack,"",@progbits
//# file: align.py
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
headers, = struct.unpack_from("<Q", data, 40)
count, names = struct.unpack_from("<HH", data, 60)
strings, = struct.unpack_from("<Q", data, headers + 64 * names + 24)
for header in range(headers, headers + 64 * count, 64):
    name, = struct.unpack_from("<I", data, header)
    if data[strings + name:].startswith(b".text.filler"):
        struct.pack_into("<Q", data, header + 48, 1 << 29)
open(sys.argv[1], "wb").write(data)
