// --noinhibit-exec turns a required and undefined name into a warning.
//# link: -Wl,--require-defined=absent,--noinhibit-exec
//# warning: undefined symbol: absent
//# run: exit=0
//# peers:
int main(void) { return 0; }
