"""Programs that run in the peers' own environments; each answers one protocol.

Standard input: a JSON list of cases, each with `folder` and `files` (paths below it). Standard
output: one JSON line for each case, with `edges` (pairs of dotted names), `seconds` or `error`.
"""
