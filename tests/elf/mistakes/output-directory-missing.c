// The directory of the output was not made.
//# peers: none
//# link: -o build/program
//# error-text: ld: error: cannot open output file build/program: No such file or directory
int main(void) { return 0; }
