"""Firestore and Firebase: their clients stay real, above documents, users and messages in memory."""
