// --retain-symbols-file keeps only the listed symbols.
//# link: -Wl,--retain-symbols-file=keep.txt
//# symbol: kept
//# no-symbol: dropped
//# run
//# peers: ld
int kept(void) { return 0; }
int dropped(void) { return 0; }
int main(void) { return kept() + dropped(); }
//# file: keep.txt
kept
main
