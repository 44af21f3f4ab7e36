"""Small real models on this computer's CPU, served like any other."""
