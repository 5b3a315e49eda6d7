"""Scripted user interfaces: streamlit's pages, and PySimpleGUI's windows."""
