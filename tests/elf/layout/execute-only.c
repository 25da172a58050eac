// --execute-only: code is in segments that cannot be read.
//# variant: on: -Wl,--execute-only
//# variant: off: -Wl,--execute-only,--no-execute-only
//# @on segment: LOAD flags=X sections~.text
//# @on no-segment: LOAD flags=RX
//# @off segment: LOAD flags=RX sections~.text
//# run: stdout="x\n"
//# peers:
#include <stdio.h>
int main(void) { puts("x"); }
