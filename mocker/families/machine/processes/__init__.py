"""Commands are noted and answered, never run: subprocess, os.system, os.popen, asyncio, which."""
