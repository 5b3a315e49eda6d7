"""The machine: files, clock, processes, terminal, hardware."""
