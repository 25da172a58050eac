// The start code of a static PIE uses the GOT before it is relocated: --no-relax leaves it be.
//# compile: -fPIE
//# link: -static-pie -Wl,--no-relax
//# run: exit=42
//# peers: none
int main(void) { return 42; }
