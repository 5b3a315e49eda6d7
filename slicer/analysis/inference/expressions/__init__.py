"""Values of calls, members, operators, displays and subscripts."""
