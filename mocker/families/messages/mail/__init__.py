"""smtplib, imaplib, poplib and aiosmtplib stay real: their servers stand in the process."""
