// The CRC that the program names was chosen before the debug file was there, and is that of the debug
// file: GNU objcopy and elfutils find the same. So it is with all that is written late.
//# requires: gdb objcopy eu-unstrip cmp
//# compile: -g
//# peers: none
//# variant: plain: -Wl,--build-id
//# variant: no-id: -Wl,--build-id=none
//# variant: given: -Wl,--build-id=0x1234
//# variant: index: -Wl,--build-id,--gdb-index,--debug-names
//# variant: packed: -Wl,--build-id,--compress-debug-sections=zlib
//# variant: large-gap: -Wl,--build-id -DALIGNED
//# link: -Wl,--separate-debug-file=out.dbg
//# check: objcopy -R .gnu_debuglink $OUT again; objcopy --add-gnu-debuglink=out.dbg again
//# check: for f in $OUT again; do objcopy -O binary -j .gnu_debuglink --set-section-flags .gnu_debuglink=alloc $f $(basename $f).link; done; cmp $(basename $OUT).link again.link
//# check: eu-unstrip -o joined $OUT out.dbg; readelf -SW joined | grep -q debug_info
//# check: gdb -nx -batch -ex 'info line seven' $OUT 2>&1 | grep -q 'of .main.c. starts at'
//# run: exit=7
#ifdef ALIGNED
__asm__(".pushsection .debug_far,\"\",@progbits; .balign 4194304; .long 1; .popsection");
#endif
int seven(void) { return 7; }
int main(void) { return seven(); }
