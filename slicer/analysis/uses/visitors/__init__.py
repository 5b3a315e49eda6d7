"""One visitor for each kind of node that uses names or members."""
