// --package-metadata is a note that tools read.
//# link: '-Wl,--package-metadata={"type":"deb"}'
//# note: FDO type=0xcafe1a7e
//# run
int main(void) { return 0; }
