"""Azure: its clients of blobs, queues, secrets and buses stay real, over answers in memory."""
