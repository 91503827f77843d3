"""A small verifier of stored limits: plain integers and fractions, no import from the optimiser."""

from bounds.limits.verifier.report import Report as Report
from bounds.limits.verifier.report import verify as verify
from bounds.limits.verifier.report import verify_file as verify_file
from bounds.limits.verifier.report import verify_stored as verify_stored
