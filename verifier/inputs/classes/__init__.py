"""What a class requires of its instances: members, constructor checks, consistent states."""
