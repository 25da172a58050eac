// -z separate-code keeps code away from headers and data, page by page.
//# variant: yes: -Wl,-z,separate-code
//# variant: no: -Wl,-z,noseparate-code
//# run
//# @yes segment: LOAD flags=RX sections~\.text
//# @yes no-segment: LOAD flags=RX sections~rodata
//# no-segment: LOAD flags=RWX
int main(void) { return 0; }
