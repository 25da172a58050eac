// -z now says so to the loader.
//# link: -Wl,-z,now
//# run
//# dynamic: FLAGS_1 value~NOW
#include <stdio.h>
int main(void) { puts("x"); }
