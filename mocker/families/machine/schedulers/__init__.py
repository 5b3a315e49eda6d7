"""Threads, timers, pools, signals and schedulers that would never end, or leave the process."""
