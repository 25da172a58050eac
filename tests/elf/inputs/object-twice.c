// An object given twice defines everything twice.
//# driver: gcc
//# link: main.o main.o
//# expect-error: (?i)(multiple definition|duplicate).*main
int main(void) { return 0; }
