// --oformat: what the same link has in memory as ELF, in the records that objcopy writes.
//# peers:
//# requires: objcopy cmp
//# link: -Ttext=0x1000 -Tdata=0x21100 --build-id
//# check: for f in binary srec ihex verilog; do $LD main.o -Ttext=0x1000 -Tdata=0x21100 --build-id -o mem --oformat=$f; cp mem ours; objcopy -O $f out mem; cmp ours mem; done
//# check: $LD main.o -o mem --oformat=symbolsrec && grep -q '^  _start \$' mem
//# check: ! $LD -r main.o -o mem --oformat=binary
.globl _start
_start:
  lea data(%rip), %rdi
  ret
.data
data:
  .ascii "longer than one record, and at another address"
.bss
  .skip 100
