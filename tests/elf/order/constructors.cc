// Constructors keep the order of their priorities and those of one file theirs; the order of files is
// reversed on request (as in mold, and in lld with a pattern) and otherwise kept.
//# variant: plain: -Wl,--shuffle-sections=7
//# variant: reverse: -Wl,--reverse-sections
//# variant: glob: -Wl,--shuffle-sections=*=-1
//# @plain run: stdout="early1 early2 a1 a2 b1 b2 c1 c2 "
//# @reverse,glob run: stdout="early1 early2 c1 c2 b1 b2 a1 a2 "
//# @plain,reverse peers:
//# @glob peers: lld
//# link: main.o b.o c.o
#include "say.h"
static Say a1("a1"), a2("a2");
__attribute__((init_priority(200))) static Say early2("early2");
int main() {}
//# file: b.cc
#include "say.h"
static Say b1("b1"), b2("b2");
__attribute__((init_priority(150))) static Say early1("early1");
//# file: c.cc
#include "say.h"
static Say c1("c1"), c2("c2");
//# file: say.h
#include <cstdio>
struct Say {
  Say(const char *text) { std::printf("%s ", text); }
};
