"""What a target reads besides its arguments: modules, contexts, requests, variables."""
