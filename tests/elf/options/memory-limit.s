# A link with a limit on its memory writes the bytes that it writes without one; with one well below what it
# would hold it gives inputs back while it reads them.
//# machines: x86-64 aarch64 i386 x32 tables of the other byte order take memory
//# driver: ld
//# peers: none
//# requires: objcopy python3 cmp
//# sh: for n in $(seq 10 49); do objcopy --prefix-symbols=a$n many.o many$n.o; done
//# sh: "$LD" main.o many??.o -static -o free; "$LD" -r main.o many??.o -o joined
//# sh: for options in "40M --threads=1" "40M --threads=2" "60M --threads=64" 90%; do "$LD" main.o many??.o -static -o limited --memory-limit=$options; cmp free limited; done
//# sh: "$LD" -r main.o many??.o -o limited --memory-limit=56M; cmp joined limited
//# sh: python3 peak.py >peaks
//# sh: rm free joined limited many??.o
//# link: main.o -static --memory-limit=1G
//# file-matches: peaks ^held$
//# file: many.s
        .data
        .globl  f
f:
        .rept   64000
        .quad   f
        .endr
//# file: peak.py
import glob, os, subprocess
def peak(*options):
    child = subprocess.Popen([os.environ["LD"], "main.o", *sorted(glob.glob("many??.o")), "-static", "-o", "free", *options])
    return os.wait4(child.pid, 0)[2].ru_maxrss
# The least of some: memory may overshoot while the keeper gets no processor, the more the larger the pages of the page cache are.
free, limited = peak(), min(peak("--memory-limit=40M") for _ in range(9))
print("held" if limited < 0.95 * free else f"{limited} KiB with a limit, {free} without")
//# file: main.s
        .globl  _start
_start: ret
