"""Train transformer encoders to mimic RASP programs (optional extra ``train``)."""
