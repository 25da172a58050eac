// -s leaves neither symbols nor debug information, and what is loaded is as strip leaves it.
//# compile: -g
//# variant: short: -Wl,-s
//# variant: long: -Wl,--strip-all
//# variant: driver: -s
//# driver: gcc
//# requires: objcopy cmp
//# run: exit=3
//# no-section: .symtab
//# no-section: .strtab
//# no-section: .debug_info
//# section: .dynsym
//# check: gcc -B"$(dirname "$LD")" -Wl,--build-id=none main.o -o whole && gcc -B"$(dirname "$LD")" -Wl,--build-id=none main.o -o bare -s && objcopy -O binary whole a && objcopy -O binary bare b && cmp a b
int main(void) { return 3; }
