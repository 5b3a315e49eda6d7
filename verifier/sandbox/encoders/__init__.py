"""Values as canonical JSON: exact types, no addresses, no code of theirs run."""
