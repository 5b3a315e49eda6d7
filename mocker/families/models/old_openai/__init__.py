"""`openai` before its version 1 is another library: stubbed, and answered as the younger one."""
