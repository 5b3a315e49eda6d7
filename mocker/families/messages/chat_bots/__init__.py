"""Bots for chats: the libraries stay real, above servers that answer and note what is sent."""
