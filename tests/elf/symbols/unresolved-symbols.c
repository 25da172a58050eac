// --unresolved-symbols and -z undefs let undefined symbols of programs be.
//# variant: ignore: -Wl,--unresolved-symbols=ignore-all
//# variant: objects: -Wl,--unresolved-symbols=ignore-in-object-files
//# variant: warn: -Wl,--warn-unresolved-symbols
//# @ignore,objects no-warning: nowhere
//# @warn warning: (?i)warning.*nowhere
int nowhere(void);
int main(int argc, char **argv) { return argc > 5 ? nowhere() : 0; }
