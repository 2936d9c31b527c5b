"""`python -m veracord`: the same as the command `veracord`."""

from veracord.apps.cli import main

if __name__ == "__main__":
    main()
