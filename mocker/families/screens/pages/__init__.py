"""Interfaces written from top to bottom: streamlit's pages, and PySimpleGUI's windows."""
