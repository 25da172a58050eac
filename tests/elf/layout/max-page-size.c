// -z max-page-size is the alignment of the segments.
//# variant: small: -Wl,-z,max-page-size=0x1000
//# variant: large: -Wl,-z,max-page-size=0x200000
//# run
//# @small no-segment: LOAD align!=0x1000
//# @large no-segment: LOAD align!=0x200000
int main(void) { return 0; }
