// -z common: with -r common symbols have a type of their own.
//# compile: -fcommon
//# driver: ld
//# variant: on: -z common
//# variant: off: -z common -z nocommon
//# link: -r
//# @on symbol: variable type=COMMON section=COM
//# @off symbol: variable type=OBJECT section=COM
//# peers: ld
int variable;
