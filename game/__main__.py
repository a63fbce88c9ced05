"""``python -m game`` is the program ``bystander``."""

from game.cli import main

if __name__ == "__main__":
    main()
