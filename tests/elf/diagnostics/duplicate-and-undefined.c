// Duplicate and undefined symbols are listed together, so that one run tells all.
//# expect-error: duplicate symbol: twice|multiple definition of `twice'
//# expect-error: undefined (symbol: |reference to `)missing
//# peers: ld
int missing(void);
int twice;
int main(void) { return missing() + twice; }
//# file: b.c
int twice = 2;
