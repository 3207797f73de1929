"""The extension runtime: loading modules, their API, and the boundary around everything they run."""
