# A large file that is taken as the data that it is goes into the output without being in memory: as
# pages of the file, of which there is one mapping.
//# driver: ld
//# peers: none
//# sh: truncate -s 700M large; printf tail >> large
//# sh: (ulimit -v 1150000; $LD main.o -b binary large -o linked)
//# sh: (ulimit -v 1150000; $LD -r main.o -b binary large -o joined)
//# sh: test "$(tail -c 4096 linked | grep -c tail)$(tail -c 4096 joined | grep -c tail)" = 11
//# sh: truncate -s 9 large; rm linked joined
//# link: main.o -b binary large
//# symbol: _binary_large_size value=9
        .globl  _start
_start: ret
        .data
        .dc.a   _binary_large_size
