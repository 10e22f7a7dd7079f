"""How the page about a run looks: light or dark as the reader likes it, on a phone, on paper."""

from __future__ import annotations

# Every pair of text and ground below has a contrast of at least 4.5 to 1.
STYLE = """
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --sheet: #ffffff; --ink: #1c2128; --soft: #57606a; --edge: #d8dee4; --link: #0550ae;
  --code: #f3f5f8; --hit: #fff3c4; --hit-ink: #1c2128;
  --critical: #a40e26; --major: #b0440a; --warning: #7d5a00; --info: #0550ae; --open: #116329;
  --critical-ground: #ffebe9; --major-ground: #fff1e5; --warning-ground: #fff8d6; --info-ground: #e7f3ff;
  --open-ground: #e6f6ea;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1117; --sheet: #161b22; --ink: #e6edf3; --soft: #9aa5b1; --edge: #30363d; --link: #79b8ff;
    --code: #0d1117; --hit: #473a0c; --hit-ink: #f8efd0;
    --critical: #ff8f88; --major: #ffab70; --warning: #e3b341; --info: #79b8ff; --open: #6fdd8b;
    --critical-ground: #3c1618; --major-ground: #3a2010; --warning-ground: #342a08; --info-ground: #10263f;
    --open-ground: #0f2d18;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
header, main, footer { max-width: 68rem; margin: 0 auto; padding: 0 1.25rem; }
header { margin-top: 1.5rem; padding: 1.25rem 1.5rem; border-radius: 10px;
  max-width: 65.5rem; width: calc(100% - 2.5rem); }
header.open { background: var(--open-ground); border: 1px solid var(--open); }
header.open h1 { color: var(--open); }
header.waiting { background: var(--warning-ground); border: 1px solid var(--warning); }
header.waiting h1 { color: var(--warning); }
header.closed { background: var(--critical-ground); border: 1px solid var(--critical); }
header.closed h1 { color: var(--critical); }
.brand { margin: 0; font-weight: 600; letter-spacing: .02em; }
h1 { margin: .1rem 0 .25rem; font-size: 1.9rem; line-height: 1.2; }
h2 { margin: 2.25rem 0 .75rem; font-size: 1.25rem; }
h3 { margin: 0; font-size: 1rem; line-height: 1.4; }
p { margin: .35rem 0; }
a { color: var(--link); }
code, pre { font: .875em/1.55 ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code, pre, td, th, dd, h3 { unicode-bidi: isolate; }
dl { margin: .75rem 0 0; }
dl > div { display: grid; grid-template-columns: 7rem 1fr; gap: .25rem 1rem; padding: .2rem 0; }
dt { font-weight: 600; }
dd { margin: 0; }
section > dl, .wide, article, .calm, .notice { background: var(--sheet); border: 1px solid var(--edge);
  border-radius: 8px; }
section > dl { padding: .6rem 1rem; }
.calm, .notice { padding: .8rem 1rem; color: var(--soft); }
.numbers { display: grid; grid-template-columns: repeat(4, 1fr); gap: .75rem; padding: 0; margin: 1rem 0 0;
  list-style: none; }
.numbers li { display: flex; flex-direction: column; padding: .6rem 1rem; border-radius: 8px; background: var(--sheet);
  border: 1px solid var(--edge); color: var(--soft); }
.numbers b { font-size: 1.6rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.numbers .critical { background: var(--critical-ground); color: var(--critical); border-color: currentColor; }
.numbers .major { background: var(--major-ground); color: var(--major); border-color: currentColor; }
.numbers .warning { background: var(--warning-ground); color: var(--warning); border-color: currentColor; }
.numbers .info { background: var(--info-ground); color: var(--info); border-color: currentColor; }
details { margin: .5rem 0 1rem; }
summary { cursor: pointer; padding: .25rem 0; font-weight: 600; }
.badge { display: inline-block; padding: .05rem .6rem; border-radius: 1rem; font-size: .875rem; }
.badge.critical { background: var(--critical-ground); color: var(--critical); }
.badge.major { background: var(--major-ground); color: var(--major); }
.badge.warning { background: var(--warning-ground); color: var(--warning); }
.badge.info { background: var(--info-ground); color: var(--info); }
article { margin: .75rem 0; padding: .8rem 1rem; border-left-width: 4px; scroll-margin-top: 1rem; }
article.critical { border-left-color: var(--critical); }
article.major { border-left-color: var(--major); }
article.warning { border-left-color: var(--warning); }
article.info { border-left-color: var(--info); }
article:target { outline: 2px solid var(--link); }
.origin { color: var(--soft); font-size: .875rem; }
.origin code:first-child { color: var(--ink); font-weight: 600; }
.advice { margin-bottom: 0; }
pre { margin: .6rem 0; padding: .5rem 0; background: var(--code); border: 1px solid var(--edge); border-radius: 6px;
  overflow-x: auto; tab-size: 4; overflow-wrap: normal; }
.evidence { padding: .5rem .75rem; }
.source > span:not(.number), .source > mark { padding-right: .75rem; }
.number { color: var(--soft); padding: 0 .9rem 0 .25rem; user-select: none; -webkit-user-select: none; }
mark { background: var(--hit); color: var(--hit-ink); padding: .1rem .75rem .1rem .25rem; margin-left: -.25rem;
  border-radius: 3px; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .45rem .8rem; text-align: left; vertical-align: top; overflow-wrap: break-word; }
thead th { color: var(--soft); font-size: .8rem; white-space: nowrap; }
tbody th { font-weight: 600; min-width: 9rem; overflow-wrap: anywhere; }
.group th { padding-top: .7rem; color: var(--soft); font-size: .8rem; background: var(--code); }
tbody tr { border-top: 1px solid var(--edge); }
.idle { color: var(--soft); }
.good { color: var(--open); font-weight: 600; }
.bad { color: var(--critical); font-weight: 600; }
.note { display: block; color: var(--soft); }
footer { margin-top: 2.5rem; margin-bottom: 2rem; color: var(--soft); font-size: .875rem; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media (max-width: 40rem) {
  header { margin: .75rem; padding: 1rem; width: auto; }
  main, footer { padding: 0 .75rem; }
  .numbers { grid-template-columns: repeat(2, 1fr); }
  dl > div { grid-template-columns: 1fr; gap: 0; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print {
  :root { --ground: #ffffff; --sheet: #ffffff; --ink: #000000; --soft: #444444; --edge: #999999; --code: #ffffff; }
  body { font-size: 11pt; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  .wide { overflow: visible; }
  article, tr, .numbers { break-inside: avoid; }
  h2, summary { break-after: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
"""
