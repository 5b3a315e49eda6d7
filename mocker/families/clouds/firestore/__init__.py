"""Firestore and Firebase: their clients stay real, over documents, users and messages in memory."""
