"""`openai` before version 1 is a different library: stubbed, with the answers of the newer one."""
