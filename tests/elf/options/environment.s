// LD_RUN_PATH stands for -rpath where there is none.
//# driver: ld
//# sh: LD_RUN_PATH=/from/here "$LD" -shared main.o -o alone && LD_RUN_PATH=/from/here "$LD" -shared main.o -o given -rpath /given
//# link: -shared
//# check: readelf -d alone | grep -q 'R.*PATH.*\[/from/here\]'
//# check: readelf -d given | grep -q 'R.*PATH.*\[/given\]'
//# no-dynamic: RUNPATH
//# peers: ld
.globl f
f: ret
.section .note.GNU-stack,"",@progbits
