// What llvm-cov reads of functions is in groups that are not loaded, and is kept.
//# cc: clang-19
//# driver: clang-19
//# compile: -fprofile-instr-generate -fcoverage-mapping -ffunction-sections
//# link: -Wl,--gc-sections
//# section: __llvm_covfun size>0
//# section: __llvm_covmap size>0
//# run
static inline int twice(int n) { return 2 * n; }
int main(void) { return twice(0); }
