// --shuffle-sections and --reverse-sections change the order of input sections, and nothing else.
//# compile: -ffunction-sections
//# variant: seed: -Wl,--shuffle-sections=42
//# variant: reverse: -Wl,--reverse-sections
//# @reverse symbol: first value>symbol(second).value
//# run: exit=3
//# peers:
int first(void) { return 1; }
int second(void) { return 2; }
int main(void) { return first() + second(); }
