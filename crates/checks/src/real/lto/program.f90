program main
 use shapes
 implicit none
 class(shape), allocatable :: s
 integer :: i
 real(8) :: t(100), total
 common /blk/ total
 allocate(s, source=circle(2.0d0))
 t = [(dble(i)**0.5d0, i=1,100)]
 total = sum(t, mask=t>3)
 write(*,'(f10.4,1x,f8.3,1x,i4)') total, s%area(), maxloc(t)
 call sub()
end program
subroutine sub()
 real(8) :: total
 common /blk/ total
 character(len=20) :: c
 write(c,'(es12.4)') total
 print *, trim(adjustl(c))
end subroutine
