// An undefined symbol that only dropped code uses is no error.
//# compile: -ffunction-sections
//# link: -Wl,--gc-sections
//# run
int nowhere(void);
int dead(void) { return nowhere(); }
int main(void) { return 0; }
