// Programs of the medium model run with their data far away.
//# compile: -mcmodel=medium -fno-pie -mlarge-data-threshold=64
//# variant: default:
//# variant: after: -Wl,-z,lrodata-after-bss
//# variant: far: -Wl,-Tldata-segment=0x200000000
//# link: -no-pie
//# run: exit=6
//# section: .ldata
//# section: .lbss
//# section: .lrodata
//# @far section: .ldata address=0x200000000
//# peers: 
int filled[100] = {1, 2};
int empty[100];
const int fixed[100] = {3};
int main(void) { return filled[0] + filled[1] + empty[7] + fixed[0]; }
