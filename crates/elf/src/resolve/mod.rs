//! One definition per name; members and groups taken.
