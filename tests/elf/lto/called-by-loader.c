// Functions of intermediate code that the loader calls stay: those of -init and -fini, and without
// these options those that have the usual names, hidden ones too.
//# peers: none
//# variant: usual: -O1
//# variant: named: -Wl,-init=begin,-fini=end
//# compile: -O1 -fPIC -flto
//# link: -shared -nostdlib -flto -O1
//# @usual dynamic: INIT value=symbol(_init).value
//# @usual dynamic: FINI value=symbol(_fini).value
//# @named dynamic: INIT value=symbol(begin).value
//# @named dynamic: FINI value=symbol(end).value
#define HIDDEN __attribute__((visibility("hidden")))
int count;
HIDDEN void _init(void) { count = 1; }
HIDDEN void _fini(void) { count = 2; }
HIDDEN void begin(void) { count = 3; }
HIDDEN void end(void) { count = 4; }
