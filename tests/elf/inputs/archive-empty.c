// An archive without members is no error.
//# driver: gcc
//# sh: ar rcs libempty.a
//# link: main.o libempty.a
//# run
int main(void) { return 0; }
