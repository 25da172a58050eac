// --task-link makes relocatable output.
//# driver: ld
//# link: --task-link=f
//# header: type=REL
//# symbol: f bind=GLOBAL type=FUNC
//# peers: ld
int f(void) { return 0; }
