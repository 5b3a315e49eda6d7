"""What rewards are worth in training: verdicts held against inputs that no verdict has used."""
