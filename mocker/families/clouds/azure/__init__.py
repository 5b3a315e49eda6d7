"""Azure's clouds: clients of blobs, queues, secrets and buses stay real, above what answers."""
