"""What executors on this machine share: bubblewrap, control groups, the wire format."""
