// -r --gc-sections keeps what -u names and what that needs.
//# driver: ld
//# compile: -O1 -ffunction-sections
//# link: -r --gc-sections -u root
//# symbol: root type=FUNC section=.text.root
//# section: .text.needed
//# no-symbol: dead
//# no-section: .text.dead
//# no-symbol: only_dead_code_wants
//# peers: none
void only_dead_code_wants(void);
__attribute__((noinline)) static int needed(void) { __asm__(""); return 3; }
int root(void) { return needed() + 1; }
void dead(void) { only_dead_code_wants(); }
