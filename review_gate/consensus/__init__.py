"""Reviewers vote in rounds on a change, a plan or an artifact until they agree, or until a person has to decide."""
