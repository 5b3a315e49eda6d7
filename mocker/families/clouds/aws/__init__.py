"""`boto3` and `botocore` stay real: `moto` answers in this process, and named resources exist."""
