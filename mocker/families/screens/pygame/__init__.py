"""pygame stays real, on SDL's dummy drivers: no screen, no sound, and events that end its loops."""
