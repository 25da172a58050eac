// -E exports everything that is visible.
//# variant: no:
//# variant: yes: -Wl,-E
//# @no no-dynsym: visible
//# @yes dynsym: visible section=.text
//# no-dynsym: hidden
int visible(void) { return 1; }
__attribute__((visibility("hidden"))) int hidden(void) { return 1; }
int main(void) { return hidden() - 1; }
