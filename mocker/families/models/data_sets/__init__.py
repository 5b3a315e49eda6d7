"""Data sets that a library downloads by name: those of scikit-learn, seaborn and torchvision."""
