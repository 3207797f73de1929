"""The version, as one literal that both the build and `pi --version` read."""

__version__ = "0.1.0"
