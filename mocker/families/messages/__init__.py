"""Mail, file transfer, chat bots."""
