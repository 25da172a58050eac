// A stack can be unwound at every instruction of a lazily bound PLT.
//# compile: -O1 -fPIE
//# variant: plain: -Wl,-z,lazy
//# variant: ibt: -Wl,-z,lazy,-z,ibtplt
//# link: -pie
//# run: exit=0
//# peers: ld
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <unwind.h>
#include <ucontext.h>
extern char __executable_start, etext;
int main(void);
static volatile int steps, bad;
static int seen;
static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *data) {
  void *function = _Unwind_FindEnclosingFunction((void *)_Unwind_GetIP(context));
  seen |= function == (void *)main;
  return _URC_NO_REASON;
}
static void step(int number, siginfo_t *info, void *frame) {
  uintptr_t pc = ((ucontext_t *)frame)->uc_mcontext.gregs[REG_RIP];
  /* Only what is in the program itself and not in main. */
  if (pc < (uintptr_t)&__executable_start || pc >= (uintptr_t)&etext) return;
  seen = 0;
  _Unwind_Backtrace(visit, NULL);
  steps++;
  bad += !seen;
}
int main(void) {
  _Unwind_Backtrace(visit, NULL);
  struct sigaction action = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};
  sigaction(SIGTRAP, &action, NULL);
  volatile char *text = "7";
  __asm__ volatile("pushf; orl $0x100, (%rsp); popf");
  int value = atoi((const char *)text);
  __asm__ volatile("pushf; andl $~0x100, (%rsp); popf");
  return bad != 0 || steps < 3 || value != 7;
}
