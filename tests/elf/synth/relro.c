// What is constant after relocation is in RELRO; -z norelro has none.
//# variant: yes: -Wl,-z,relro
//# variant: now: -Wl,-z,relro,-z,now
//# variant: no: -Wl,-z,norelro
//# compile: -fPIE
//# link: -pie
//# run: exit=0
//# @yes,now symbol: table section=.data.rel.ro value>=segment(GNU_RELRO).address value<segment(GNU_RELRO).end
//# @yes,now segment: GNU_RELRO sections~dynamic
//# @now segment: GNU_RELRO sections~\.got\b
//# @no no-segment: GNU_RELRO
static int a;
int *const table[] = {&a};
int *const *volatile pointer = table;
int main(void) { return *pointer[0]; }
