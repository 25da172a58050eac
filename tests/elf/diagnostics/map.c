// -Map lists the sections with their inputs.
//# link: -Wl,-Map=out.map
//# file-matches: out.map \.text
//# file-matches: out.map main\.o
int main(void) { return 0; }
