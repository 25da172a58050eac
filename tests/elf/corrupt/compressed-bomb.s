# Sections that are small in the object and large when decompressed need no memory for all of it: the
# bytes go into the output piece by piece. Relocations in them are applied all the same.
//# driver: ld
//# variant: zlib: bomb.o
//# variant: zlib-gnu: bomb.o
//# variant: zstd: bomb.o
//# peers: ld
//# archive: unused.a main.o
//# sh: head -c 150000000 /dev/zero > zeros
//# sh: objcopy $(for i in 1 2 3; do echo --add-section .debug_zeros$i=zeros; done) main.o big.o; rm zeros
//# @zlib sh: objcopy --compress-debug-sections=zlib big.o bomb.o
//# @zlib-gnu sh: objcopy --compress-debug-sections=zlib-gnu big.o bomb.o
//# @zstd sh: objcopy --compress-debug-sections=zstd big.o bomb.o
//# sh: (ulimit -v 400000; $LD bomb.o -o linked)
//# sh: (ulimit -v 400000; $LD -r bomb.o -o joined)
//# sh: rm big.o joined; objcopy -S linked stripped; rm linked
//# link: -S
//# check: readelf -SW stripped | grep -q text
        .globl  _start
_start: ret
