// A link that gets no more memory says so once and fails, where the panic's own messages would want
// memory too.
//# driver: ld
//# sh: for trace in 0 1 full; do if (ulimit -v 100000; RUST_BACKTRACE=$trace exec timeout 100 "$LD" main.o -static -o x 2>err); then exit 1; fi; test "$(wc -l <err)" = 1; grep -q 'error: out of memory: .* limited to 100000 KiB' err; test ! -e x; done
//# link: -static
//# peers: none
        .globl  _start
_start: ret
        .section .rodata.str1.1,"aMS",@progbits,1
        .set    n, 0
        .rept   3000000
        .byte   1 + (n & 127), 1 + (n >> 7 & 127), 1 + (n >> 14), 0
        .set    n, n + 1
        .endr
