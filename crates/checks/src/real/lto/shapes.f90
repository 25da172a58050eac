module shapes
 implicit none
 type, abstract :: shape
 contains
  procedure(area_i), deferred :: area
 end type
 abstract interface
  function area_i(this) result(a)
   import shape
   class(shape), intent(in) :: this
   real(8) :: a
  end function
 end interface
 type, extends(shape) :: circle
  real(8) :: r
 contains
  procedure :: area => circle_area
 end type
contains
 function circle_area(this) result(a)
  class(circle), intent(in) :: this
  real(8) :: a
  a = 3.25d0*this%r**2
 end function
end module
