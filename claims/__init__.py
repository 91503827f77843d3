"""What a claim is: sources, domains, statements, verdicts and certificates; knows no solver."""
