// What a library refers to is a root of the program.
//# driver: gcc
//# shared: liba.so a.o
//# link: main.o liba.so -Wl,--gc-sections
//# run: exit=4
int ask(void);
int answer(void) { return 4; }
int main(void) { return ask(); }
//# file: a.c -fPIC
int answer(void);
int ask(void) { return answer(); }
