"""Side effects of running code: on objects, modules, and the state of the process."""
