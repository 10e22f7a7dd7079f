"""The identity of a finding, made from the quoted code; imported by the commit hook, so it stays free of imports."""


def fingerprint_of(rule: str, file: str | None, evidence: str) -> str:
    """An identity that survives a shift of lines and a change of indentation."""
    # Only scans with a baseline and machine-readable reports pay for this import.
    from hashlib import sha256

    quoted = " ".join(evidence.split())
    return sha256("\0".join((rule, file or "", quoted)).encode("utf-8", "surrogatepass")).hexdigest()[:20]
