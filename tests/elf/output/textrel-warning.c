// Without -z text, code that needs an absolute address in a PIE is written by the loader, with a warning.
//# lint-except: relocated-code its code needs it
//# compile: -fno-pie -mcmodel=large
//# variant: plain:
//# variant: each: -Wl,--warn-textrel
//# link: -pie
//# warning: DT_TEXTREL
//# @each warning: relocation against symbol `value' in read-only section
//# dynamic: TEXTREL
//# run: exit=7
//# peers:
int value = 7;
int main(void) { return value; }
