// A relocation type that does not exist is an error.
//# link: -static
//# expect-error: (?i)(unknown|unrecognized|unsupported)
//# requires: python3
//# sh: python3 -c 'd=open("main.o","rb").read(); p=b"\x0b\x00\x00\x00\x02\x00\x00\x00"; i=next((d.find(x) for x in [b"\x0a\x00\x00\x00"+bytes([n,0,0,0]) for n in range(1,9)] if d.find(x)>0)); open("main.o","wb").write(d[:i]+b"\xc8"+d[i+1:])'
.globl _start, target
_start: mov $target, %eax
target: ret
.section .note.GNU-stack,"",@progbits
