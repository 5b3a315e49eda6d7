"""ftplib, paramiko and telnetlib stay real: the machines that they reach stand in the process."""
