// Who refers to SYMBOL is told once what .gnu.warning.SYMBOL says, with the files that do, but not if
// only garbage refers to it or if it is taken from elsewhere. Libraries pass the text on.
//# compile: -ffunction-sections -g -fPIC
//# peers: none
//# run
//# variant: objects: main.o other.o old.o -Wl,--gc-sections
//# variant: library: main.o other.o libold.so -Wl,--gc-sections,-rpath=.
//# variant: elsewhere: main.o other.o mine.o libold.so -Wl,--gc-sections,-rpath=.
//# variant: silent: main.o other.o old.o -Wl,--gc-sections,--no-warnings
//# shared: libold.so old.o
//# @objects,library warning: old_call is deprecated\n>>> referenced by main.c:\d+ \(.*main.c:\d+\)\n>>> +main.o:\(main\)\n>>> referenced by other.c:\d+ .*\n>>> +other.o:\(other\)$
//# @objects,library no-warning: (?s)deprecated.*deprecated
//# @elsewhere,silent no-warning: deprecated
int old_call(void);
int other(void);
int main(void) { return old_call() + old_call() + other(); }
//# file: other.c
int old_call(void);
int other(void) { return old_call(); }
int garbage(void) { return old_call(); }
//# file: old.c
int old_call(void) { return 0; }
static const char text[] __attribute__((used, section(".gnu.warning.old_call\n\t#"))) =
    "old_call is deprecated";
//# file: mine.c
int old_call(void) { return 0; }
