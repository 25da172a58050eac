# SKALD_MEMORY_LIMIT stands for --memory-limit where there is none, and an empty one for nothing.
//# driver: ld
//# peers: none
//# sh: if SKALD_MEMORY_LIMIT=2K "$LD" main.o -static -o x 2>small; then exit 1; fi
//# sh: if SKALD_MEMORY_LIMIT=1T "$LD" main.o -static -o x 2>bad; then exit 1; fi
//# sh: if SKALD_MEMORY_LIMIT=4G "$LD" main.o -static -o x --memory-limit=2K 2>option; then exit 1; fi
//# sh: test ! -e x
//# sh: SKALD_MEMORY_LIMIT=4G "$LD" main.o -static -o x
//# sh: SKALD_MEMORY_LIMIT= "$LD" main.o -static -o x
//# sh: SKALD_MEMORY_LIMIT=2K "$LD" main.o -static -o x --memory-limit=4G
//# sh: SKALD_MEMORY_LIMIT=2K "$LD" main.o -static -o x --memory-limit none
//# sh: SKALD_MEMORY_LIMIT=1T "$LD" main.o -static -o x --memory-limit=75%
//# link: main.o -static
//# file-matches: small error: the memory limit of 1 MiB \(SKALD_MEMORY_LIMIT\) is too small
//# file-matches: bad error: SKALD_MEMORY_LIMIT: bad value '1T': expected a size such as 800M, a percentage of the memory or none
//# file-matches: option error: the memory limit of 1 MiB \(--memory-limit\) is too small
        .globl  _start
_start: ret
