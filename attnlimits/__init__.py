"""The application: command line, report, worker pools, result store."""
