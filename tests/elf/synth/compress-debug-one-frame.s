// A compressed section is one zstd frame, however large: some readers stop behind the first.
//# variant: zstd: --compress-debug-sections=zstd
//# variant: zlib: --compress-debug-sections=zlib
//# link: -static
//# requires: objcopy zstd
//# section: .debug_info flags~C
//# @zstd check: objcopy --dump-section .debug_info=packed $OUT copy && tail -c +25 packed >packed.zst && zstd -l packed.zst | grep -Eq '^ *1 '
//# check: objcopy --decompress-debug-sections $OUT plain && readelf -SW plain | grep -q 'debug_info.*249f00'
//# peers: ld
.globl _start
_start: ret
.section .debug_info,"",@progbits
.set i, 1
.rept 300000
.quad i
.set i, (i * 1664525 + 1013904223) & 0xffffff
.endr
.section .note.GNU-stack,"",@progbits
