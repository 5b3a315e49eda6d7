"""Reports for people: pages about datasets and environments, and blind audits of a sample."""
