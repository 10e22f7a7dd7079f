"""The characters that may look like something else, found in a text in one go.

A table is faster than asking Unicode about text: combining signs make that compose all of it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re

# The code points up to ffff, in ranges; of those above, which texts hardly hold, any may.
_RANGES = """
00a0 00aa 00ad 00b2-00b3 00b5 00b9-00ba 0132-0133 017f 01c7-01cc 01f1-01f3 02b0-02b8 02e0-02e4 0340-0341 0343 034f 0374
037e 0387 03d0-03d6 03f0-03f2 03f4-03f5 03f9 0600-0605 061c 06dd 070f 0890-0891 08e2 0f0c 10fc 115f-1160 17b4-17b5
180b-180f 1d2c-1d2e 1d30-1d3a 1d3c-1d4d 1d4f-1d6a 1d78 1d9b-1dbf 1e9b 1f71 1f73 1f75 1f77 1f79 1f7b 1f7d 1fbb 1fbe
1fc9 1fcb 1fd3 1fdb 1fe3 1feb 1fef 1ff9 1ffb 2000-200f 2011 2024 202a-202f 205f-2071 2074-208e 2090-209c 2102 2107
210a-2113 2115 2119-211d 2124 2126 2128 212a-212d 212f-2131 2133-2139 213c-2140 2145-2149 2160-217f 2329-232a 2460-2468
24b6-24ea 2800 2c7c-2c7d 2d6f 2e9f 2ef3 2f00-2fd5 3000 3036 3038-303a 3131-318e 3192-319f 3244-3247 3260-327b 327e
3280-32b0 32d0-32fe a69c-a69d a770 a7f1-a7f4 a7f8-a7f9 ab5c-ab5f ab69 f900-fa0d fa10 fa12 fa15-fa1e fa20 fa22 fa25-fa26
fa2a-fa6d fa70-fad9 fb00-fb06 fb20-fb29 fb50-fbb1 fbd3-fbdc fbde-fbe9 fbfc-fbff fe00-fe18 fe31-fe44 fe47-fe48 fe4d-fe52
fe54-fe66 fe68-fe6b fe80-fef4 feff ff01-ffbe ffc2-ffc7 ffca-ffcf ffd2-ffd7 ffda-ffdc ffe0-ffe2 ffe4-ffe6 ffe8-ffee
fff0-fffb 10000-10ffff
"""
# So much is looked at before what was found is put together: of a flood not every place is worth keeping.
_PIECE = 1 << 16


def odd_among(text: str) -> set[str]:
    """Those that a text holds."""
    find = _regex().findall
    return {one for first in range(0, len(text), _PIECE) for one in set(find(text, first, first + _PIECE))}


@lru_cache(maxsize=1)
def _regex() -> re.Pattern[str]:
    import re

    ends = [[chr(int(end, 16)) for end in one.split("-")] for one in _RANGES.split()]
    return re.compile(f"[{''.join('-'.join(pair) for pair in ends)}]")
