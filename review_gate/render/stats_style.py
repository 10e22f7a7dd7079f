"""How plots look on the page of the history; all else is as on the page about a run."""

from __future__ import annotations

from review_gate.render.html_style import STYLE

STATS_STYLE = (
    STYLE
    + """
header.history { background: var(--sheet); border: 1px solid var(--edge); }
.numbers b { color: var(--ink); }
figure { margin: 0; padding: .8rem 1rem .4rem; background: var(--sheet); border: 1px solid var(--edge);
  border-radius: 8px; }
.plot { display: flex; }
.plot svg:first-child { flex: none; }
.plot svg:last-child { flex: 1; min-width: 0; overflow: visible; }
svg text { fill: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
svg line { stroke: var(--edge); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0 0 .6rem; padding: 0; list-style: none;
  font-size: .875rem; color: var(--soft); }
.legend i { display: inline-block; width: .8rem; height: .8rem; margin-right: .4rem; border-radius: 2px;
  vertical-align: -.08rem; }
rect.accepted { fill: var(--open); } i.accepted { background: var(--open); }
rect.refused, rect.blocker { fill: var(--critical); } i.refused, i.blocker { background: var(--critical); }
rect.major { fill: var(--major); } i.major { background: var(--major); }
rect.minor { fill: var(--warning); } i.minor { background: var(--warning); }
rect.nit, rect.count { fill: var(--link); } i.nit, i.count { background: var(--link); }
rect.rest { fill: var(--soft); } i.rest { background: var(--soft); }
.strip { display: block; min-width: 6rem; margin-top: .3rem; }
td:has(.strip) { width: 45%; }
td:has(.strip):nth-last-child(2) { width: 65%; }
td:not(:has(.strip)), thead th:not(:first-child) { white-space: nowrap; }
tbody th { min-width: 10rem; }
figure tbody th { min-width: 0; white-space: nowrap; }
figure thead th:not(:first-child) { white-space: normal; }
@media (max-width: 23rem) { .between { display: none; } }
@media (max-width: 40rem) {
  .numbers b { font-size: 1.3rem; }
  th, td { padding: .4rem .5rem; }
  td:has(.strip):nth-last-child(2) { width: 45%; }
  tbody th { min-width: 6.5rem; }
  .strip { min-width: 3rem; }
  td:not(:has(.strip)) { white-space: normal; }
}
@media print { rect, .legend i { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""
)
