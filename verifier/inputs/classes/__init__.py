"""What a class asks of its instances: members, constructor checks, states that belong together."""
