"""ftplib, paramiko and telnetlib stay real: the remote machines are simulated in the process."""
