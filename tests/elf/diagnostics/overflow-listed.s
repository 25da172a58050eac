// Every relocation that does not fit is reported, not the first alone.
//# link: -static --defsym=far=0x100000000 --defsym=away=0x200000000
//# expect-error: far
//# expect-error: away
.globl _start
_start:
  mov $far, %eax
  mov $away, %eax
