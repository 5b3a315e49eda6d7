"""smtplib, imaplib, poplib and aiosmtplib stay real: their servers run in the process."""
