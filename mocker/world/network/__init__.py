"""What all network families share: answers, sockets without a network, sessions."""
