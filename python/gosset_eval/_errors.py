class GossetError(Exception):
    """What the program refuses, in its own line. `exit_code`: 2 for bad input, 70 where there is no answer."""

    def __init__(self, message, exit_code=2):
        super().__init__(message)
        self.exit_code = exit_code
