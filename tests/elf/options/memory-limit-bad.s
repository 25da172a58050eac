# What is no size is refused.
//# driver: ld
//# peers: none
//# link: -static --memory-limit=1.5G
//# error-text: ld: error: --memory-limit: bad value '1.5G': expected a size such as 800M, a percentage of the memory or none
        .globl  _start
_start: ret
