"""The commands `gosset-eval` and `gosset`: the program itself, with the words as they are."""

import sys

from ._errors import GossetError
from ._node import hand_over


def main():
    try:
        return hand_over(sys.argv[1:])
    except GossetError as error:
        print(error, file=sys.stderr)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
