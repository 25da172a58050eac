# A trace that cannot be written is an error.
//# driver: ld
//# peers: none
//# link: -static --time-trace=missing/trace.json
//# expect-error: --time-trace: cannot open missing/trace.json: No such file or directory
        .globl  _start
_start: ret
