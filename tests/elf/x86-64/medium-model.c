// The medium model puts large data into .ldata and .lbss, away from the small.
//# compile: -mcmodel=medium -mlarge-data-threshold=16 -fno-pie
//# link: -no-pie
//# run: exit=6
//# symbol: large section=.ldata
//# symbol: zero section=.lbss
int large[100] = {1, 2, 3};
int zero[100];
int main(void) { return large[0] + large[1] + large[2] + zero[5]; }
