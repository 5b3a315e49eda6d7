"""Data that trainers read, and rewards while they train."""
