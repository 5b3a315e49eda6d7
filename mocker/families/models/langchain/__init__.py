"""`langchain` stays real: the SDKs below its models are answered, and nobody is told of its runs."""
