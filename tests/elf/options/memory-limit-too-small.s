# A limit that the tables of the link exceed ends it with one message that says what it would need, and
# leaves the old output; with that much it links.
//# driver: ld
//# peers: none
//# sh: echo old >kept; if "$LD" main.o many.o -static -o kept --memory-limit=9M 2>err; then exit 1; fi
//# sh: test "$(cat kept)" = old; test "$(wc -l <err)" = 1; ls | sort >after
//# sh: grep -Eq 'error: the memory limit of 9 MiB \(--memory-limit\) is too small: this link needs about [0-9]+ MiB$' err
//# sh: "$LD" main.o many.o -static -o kept --memory-limit=$(grep -o '[0-9]* MiB$' err | grep -o '[0-9]*')M
//# sh: test "$(head -c 4 kept | tail -c 3)" = ELF; rm kept
//# link: main.o -static --memory-limit=2K
//# error-text: ld: error: the memory limit of 1 MiB (--memory-limit) is too small: this link needs about 16 MiB
//# file: many.s
        .section .rodata.str1.1,"aMS",@progbits,1
        .set    n, 0
        .rept   100000
        .byte   1 + (n & 127), 1 + (n >> 7 & 127), 1 + (n >> 14), 0
        .set    n, n + 1
        .endr
//# file: main.s
        .globl  _start
_start: ret
