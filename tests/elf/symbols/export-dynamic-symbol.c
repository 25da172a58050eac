// --export-dynamic-symbol exports what matches its pattern.
//# link: -Wl,--export-dynamic-symbol=a_*
//# dynsym: a_one
//# no-dynsym: b_one
int a_one(void) { return 1; }
int b_one(void) { return 1; }
int main(void) { return 0; }
