// -r leaves undefined symbols and commons as they are.
//# driver: ld
//# compile: -fcommon
//# link: -r
//# symbol: nowhere section=UND
//# symbol: common section=COM size=4
int common;
int nowhere(void);
int f(void) { return nowhere() + common; }
