"""`langchain` stays real: the SDKs below its models are answered, and tracing is off."""
