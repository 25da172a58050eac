// --image-base, or -Ttext-segment, is where the first segment starts.
//# variant: image-base: -Wl,--image-base=0x800000
//# variant: text-segment: -Wl,-Ttext-segment=0x800000
//# @image-base peers: lld
//# @text-segment peers: ld
//# compile: -fno-pie
//# link: -no-pie
//# run
//# segment: LOAD address=0x800000 offset=0
int main(void) { return 0; }
