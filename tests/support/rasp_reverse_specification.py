"""What reverse means, for a test of the command line."""


def reverse(word: tuple[str, ...]) -> list[str]:
    """Return the tokens backwards."""
    return list(word[::-1])
