"""Documents that restate the papers, checked against them."""
