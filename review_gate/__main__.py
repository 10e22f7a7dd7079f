"""`python -m review_gate` is `review-gate`."""

from review_gate.cli.main import main

if __name__ == "__main__":
    main()
