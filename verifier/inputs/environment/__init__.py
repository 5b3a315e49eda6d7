"""What a target reads beside its arguments: modules, contexts, requests, variables."""
