"""A dataset on disk: tables in parquet, files in blobs, a card and a manifest."""
