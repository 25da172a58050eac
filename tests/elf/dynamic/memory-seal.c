// -z memory-seal: a property that lets the loader seal the image's mappings.
//# variant: on: -Wl,-z,memory-seal
//# variant: off: -Wl,-z,memory-seal,-z,nomemory-seal
//# compile: -fcf-protection=none
//# run
//# @on check: readelf -nW $OUT | grep -iE 'memory.?seal|type: 0x3|0x3 data'
//# @off check: ! readelf -nW $OUT | grep -iE 'memory.?seal|type: 0x3|0x3 data'
//# peers:
int main(void) { return 0; }
