"""The uniform variant: letters carry positions, so the alphabet is the bottleneck, not depth.

Main statements: one claim a row.
"""

from proofs.synthesis.rows import claim_of

_PROOF = (
    "A machine for all lengths up to $N+1$ is one for all lengths up to $N$, so one refuted "
    "length settles all larger ones."
)

L1H1S2 = claim_of("uniform.l1h1s2", _PROOF)
L1H1S3 = claim_of("uniform.l1h1s3", _PROOF)
L1H1S4 = claim_of("uniform.l1h1s4", _PROOF)
L1H2S2 = claim_of("uniform.l1h2s2", _PROOF)
L1H2S3 = claim_of("uniform.l1h2s3", _PROOF)
L1H2S4 = claim_of("uniform.l1h2s4", _PROOF)
L1H3S2 = claim_of("uniform.l1h3s2", _PROOF)
L1H3S3 = claim_of("uniform.l1h3s3", _PROOF)
L1H3S4 = claim_of("uniform.l1h3s4", _PROOF)
L2H1S2 = claim_of("uniform.l2h1s2", _PROOF)
L2H1S3 = claim_of("uniform.l2h1s3", _PROOF)
L2H1S4 = claim_of("uniform.l2h1s4", _PROOF)
L2H2S2 = claim_of("uniform.l2h2s2", _PROOF)
L2H2S3 = claim_of("uniform.l2h2s3", _PROOF)
L3H1S2 = claim_of("uniform.l3h1s2", _PROOF)
RIGHT_L1H1S2 = claim_of("uniform.rightmost.l1h1s2", _PROOF)
RIGHT_L1H1S3 = claim_of("uniform.rightmost.l1h1s3", _PROOF)
RIGHT_L1H2S3 = claim_of("uniform.rightmost.l1h2s3", _PROOF)
RIGHT_L2H1S3 = claim_of("uniform.rightmost.l2h1s3", _PROOF)
