// A program's variable is not exported to libraries that mean another one's function of the name
// and say so by its version; without a version they get what there is.
//# driver: gcc
//# compile: -fPIC
//# shared: libf.so f.o -Wl,-soname,libf.so,--version-script=v.map
//# shared: libuser.so user.o libf.so -Wl,-soname,libuser.so
//# shared: libplain.so user.o -Wl,-soname,libplain.so
//# variant: versioned: main.o libuser.so libf.so -Wl,-rpath,$ORIGIN
//# variant: common: main.o libuser.so libf.so -Wl,-rpath,$ORIGIN | -fcommon
//# variant: alone: main.o libuser.so -Wl,-rpath,$ORIGIN,-rpath-link,.
//# @versioned,common,alone no-dynsym: tally
//# @versioned,common,alone run: exit=3
//# variant: plain: main.o libf.so libplain.so
//# @plain dynsym: tally type=OBJECT
//# variant: asked: -rdynamic main.o libf.so libuser.so
//# @asked dynsym: tally type=OBJECT
//# peers: ld
int tally;
int user(void);
int main(void) { return user() + tally; }
//# file: f.c
int tally(void) { return 3; }
//# file: user.c
int tally(void);
int user(void) { return tally(); }
//# file: v.map
V1 { global: tally; };
