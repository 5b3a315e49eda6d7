"""Language models, model hubs, data sets, torch."""
