// Memory that becomes read-only is part of sections to its last byte, so that strip keeps it.
//# link: -pie -Wl,-z,max-page-size=0x200000
//# check: cp $OUT stripped && strip stripped && ./stripped
//# run: exit=0
//# peers: lld
int main(void) { return 0; }
