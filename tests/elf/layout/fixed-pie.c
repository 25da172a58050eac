// With -Ttext-segment a position-independent executable has an address of its own, and the loader must
// leave it there: its type is ET_EXEC.
//# peers: ld
//# variant: zero: -Wl,-Ttext-segment=0
//# variant: fixed: -Wl,-Ttext-segment=0x800000
//# compile: -fPIE
//# link: -pie
//# run
//# @zero check: readelf -h $OUT | grep 'Type: *DYN'
//# @fixed check: readelf -h $OUT | grep 'Type: *EXEC'
//# @fixed segment: LOAD address=0x800000 offset=0
int main(void) { return 0; }
