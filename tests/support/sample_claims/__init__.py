"""Claims for tests: checkers that prove, refute, hang, die and raise."""
