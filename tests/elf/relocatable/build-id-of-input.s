// An output of -r has one build id, its own.
//# driver: ld
//# relocatable: first.o main.o --build-id=0x11111111
//# link: -r first.o --build-id=0x22222222
//# note: GNU type=3 count=1
//# note: GNU type=3 desc=22222222
//# peers: lld
.globl f
f: ret
