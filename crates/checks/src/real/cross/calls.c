__thread int calls = 3;
static int started;
__attribute__((constructor)) static void start(void) { started = 1; }
int call(int x) { calls += x; return calls * 10 + started; }
int *own_calls(void) { return &calls; }
