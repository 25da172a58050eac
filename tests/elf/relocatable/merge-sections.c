// With -r sections keep their names; --relocatable-merge-sections names them as a final link does.
//# @kept machines: x86-64 aarch64 aarch64_be i386 x32 small data has sections of its own
//# peers: none
//# compile: -ffunction-sections -fdata-sections -fno-pic
//# variant: kept: both.o -no-pie
//# variant: merged: both.o -no-pie -Wl,--defsym=merged=1
//# @kept relocatable: both.o main.o
//# @merged relocatable: both.o main.o -Wl,--relocatable-merge-sections
//# run
//# look-at: both.o
//# @kept section: .text.main
//# @kept section: .data.variable
//# @merged section: .text size>0
//# @merged no-section: .text.main
//# @merged no-section: .data.variable
int variable = 3;
static int function(void) { return variable; }
int main(void) { return function() != 3; }
