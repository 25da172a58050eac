// The script is told once of each symbol and each library that is missing, by the name that the
// object has; what it prints is printed.
//# driver: ld
//# peers: lld
//# file: tell.sh
#!/bin/sh
echo "told: $1 $2"
exit ${STATUS:-0}
//# sh: chmod +x tell.sh; printf '#!/bin/sh\nexit 3\n' > fail.sh; chmod +x fail.sh
//# variant: symbols: main.o other.o --error-handling-script=tell.sh
//# @symbols says: (?s)told: undefined-symbol _Z3fooi.*told: undefined-symbol bar
//# @symbols expect-error: undefined symbol: foo\(int\)
//# @symbols no-error: (?s)told: undefined-symbol bar.*told: undefined-symbol bar
//# variant: library: main.o -lnowhere --error-handling-script=./tell.sh
//# @library says: told: missing-lib nowhere
//# @library expect-error: unable to find library -lnowhere
//# variant: status: main.o --error-handling-script=./fail.sh
//# @status expect-error: undefined symbol: foo
//# @status expect-error: error handling script '.*fail.sh' exited with code 3
//# variant: absent: main.o --error-handling-script=./no-such-file
//# @absent expect-error: error handling script '.*no-such-file' failed to execute
//# variant: found: main.o --defsym=_Z3fooi=_start --defsym=bar=_start --error-handling-script=./tell.sh
//# @found no-says: told
//# file: main.s
.include "machine.inc"
.globl _start
_start:
calls _Z3fooi
calls bar
calls bar
//# file: other.s
.include "machine.inc"
calls bar
