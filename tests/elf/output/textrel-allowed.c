// -z notext allows relocations of read-only segments and marks the output.
//# lint-except: relocated-code asked for
//# compile: -fno-pie -mcmodel=large
//# link: -pie -z notext
//# run
//# dynamic: FLAGS value~TEXTREL
//# reloc: R_X86_64_RELATIVE section=.text
int value;
int main(void) { return value; }
