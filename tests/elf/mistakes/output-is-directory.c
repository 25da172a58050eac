// The output has the name of a directory.
//# peers: none
//# sh: mkdir program
//# link: -o program
//# error-text: ld: error: cannot open output file program: Is a directory
int main(void) { return 0; }
