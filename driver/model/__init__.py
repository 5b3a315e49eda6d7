"""Where the pipeline asks a model."""
