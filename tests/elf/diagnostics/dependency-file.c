// --dependency-file is a makefile fragment of all inputs.
//# link: -Wl,--dependency-file=out.d
//# file-matches: out.d ^out: 
//# file-matches: out.d main\.o
int main(void) { return 0; }
