// --chroot: names of what is read are below it, those of what is written are not.
//# machines: x86-64 i386 x32 no symbols mark what is code
//# sh: rm -rf sub && mkdir -p sub && cp main.o sub/in.o && echo _start > sub/list
//# check: "$LD" --chroot "$PWD/sub" /in.o --retain-symbols-file /list -o "$PWD/there" -Map="$PWD/there.map" && cmp there "$OUT" && test -s there.map
//# peers: lld
        .globl  _start
_start: ret
