// --discard-section drops input sections by name; --section-align aligns output sections.
//# link: -Wl,--discard-section=.gone,--section-align=.kept=0x2000
//# no-section: .gone
//# section: .kept align=8192 address%8192
//# run: exit=0
//# peers:
__attribute__((section(".gone"), used)) int gone = 1;
__attribute__((section(".kept"), used)) int kept = 2;
int main(void) { return 0; }
