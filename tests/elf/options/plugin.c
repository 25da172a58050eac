// gcc always passes its LTO plugin; an ordinary link must not mind.
//# link: -flto -fno-lto
//# run: exit=0
int main(void) { return 0; }
