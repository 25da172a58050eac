; Each relocation type writes its field, and leaves the rest of an instruction alone.
//# driver: ld
//# variant: direct: main.o
//# variant: joined: joined.o
//# relocatable: joined.o main.o -mavr6
//# compile: -mmcu=avr6
//# link: -mavr6 --no-stubs --defsym=far=0x2a5a4e --defsym=word=0x12a5c3e7 --defsym=variable=0x800155 --defsym=byte=0xa5 --defsym=offset=37 --defsym=port=0x2d --defsym=port5=0x15
//# bytes: .text = 29 f0 04 c0 af 94 27 2d ad 94 27 2d 87 ee 83 ec 85 ea 82 e1 89 e1 8c e3 8a e5 8d ee 87 e2 8d e2 85 e1 89 ed 82 ed 8a ee 86 e0 80 e0 85 ea 8d a1 85 96 8d b5 a9 9a 80 91 55 01
//# bytes: .data = e7 c3 a5 12 55 01 06 00 06 00 a5 e7 c3 a5 a5 3f 58 aa ff 00
//# header: flags=0x6
//# peers: ld
.globl _start
_start:
  breq near
  rjmp near
  call far
  jmp far
near:
  ldi r24, lo8(word)
  ldi r24, hi8(word)
  ldi r24, hh8(word)
  ldi r24, hhi8(word)
  ldi r24, lo8(-(word))
  ldi r24, hi8(-(word))
  ldi r24, hh8(-(word))
  ldi r24, hhi8(-(word))
  ldi r24, pm_lo8(far)
  ldi r24, pm_hi8(far)
  ldi r24, pm_hh8(far)
  ldi r24, pm_lo8(-(far))
  ldi r24, pm_hi8(-(far))
  ldi r24, pm_hh8(-(far))
  ldi r24, lo8(gs(near))
  ldi r24, hi8(gs(near))
  ldi r24, byte
  ldd r24, Y+offset
  adiw r24, offset
  in r24, port
  sbi port5, 1
  lds r24, variable
.data
  .long word
  .word variable, gs(near), pm(near)
  .byte byte, lo8(word), hi8(word), hh8(word), hlo8(word)
  .long far - .
