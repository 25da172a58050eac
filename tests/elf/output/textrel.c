// Code that needs an absolute address in a PIE is an error by default.
//# compile: -fno-pie -mcmodel=large
//# link: -pie -z text
//# expect-error: (?i)relocat
int value;
int main(void) { return value; }
