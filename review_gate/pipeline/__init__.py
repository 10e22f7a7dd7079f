"""Six stages over a change: normalize, classify, compose, gap-detect, dispatch, aggregate."""
