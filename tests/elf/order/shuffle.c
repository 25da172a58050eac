// --shuffle-sections and --reverse-sections change the order of input sections, and nothing else.
//# compile: -ffunction-sections
//# variant: seed: -Wl,--shuffle-sections=42
//# variant: glob: -Wl,--shuffle-sections=*=42
//# variant: reverse: -Wl,--reverse-sections
//# variant: glob-reverse: -Wl,--shuffle-sections=*=-1
//# @reverse,glob-reverse symbol: first value>symbol(second).value
//# run: exit=3
//# @seed,reverse peers:
//# @glob,glob-reverse peers: lld
int first(void) { return 1; }
int second(void) { return 2; }
int main(void) { return first() + second(); }
