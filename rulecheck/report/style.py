"""The look of the pages: light and dark, on a phone and on paper; nothing is said by colour alone."""

from __future__ import annotations

CSS = """
:root {
  color-scheme: light dark;
  --page: #faf9f6; --card: #ffffff; --ink: #1d1f23; --soft: #5a5f69; --line: #d9d6cf; --link: #1b4f91;
  --good: #1f6b3a; --bad: #a3231b; --open: #7a5200; --tint: #f1eee6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #16181c; --card: #1f2228; --ink: #e8e6e1; --soft: #a9adb6; --line: #3a3e47; --link: #9cc3ff;
    --good: #7fd19b; --bad: #ff9b92; --open: #f0c674; --tint: #292d35;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body {
  margin: 0; background: var(--page); color: var(--ink); line-height: 1.55;
  font: 1rem/1.55 Georgia, "Times New Roman", serif; overflow-wrap: break-word;
}
main, header.top, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.1rem; }
header.top { padding-top: 2.2rem; }
h1, h2, h3, nav, .badge, table, .meta, figcaption, .label, dt {
  font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif;
}
h1 { font-size: 2.1rem; line-height: 1.15; margin: 0 0 .3rem; }
h2 { font-size: 1.45rem; margin: 3rem 0 .6rem; padding-top: .8rem; border-top: 3px solid var(--ink); line-height: 1.2; }
h3 { font-size: 1.08rem; margin: 0 0 .45rem; line-height: 1.3; }
p { margin: .4rem 0 .7rem; }
p.small { margin: .2rem 0 .4rem; }
a { color: var(--link); white-space: nowrap; }
code {
  font: .86em/1.4 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; background: var(--tint);
  padding: .08em .3em; border-radius: 3px; overflow-wrap: anywhere;
}
.meta, figcaption, .small { color: var(--soft); font-size: .88rem; }
nav ul {
  list-style: none; display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; padding: 0; margin: .8rem 0;
  font-size: .92rem;
}
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.1rem;
  margin: 1rem 0; break-inside: avoid;
}
.split { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 24rem); gap: .6rem 1.4rem; align-items: start; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 25rem), 1fr)); gap: 1rem; }
.grid .card { margin: 0; }
.card h2 { margin: 0 0 .4rem; padding: 0; border: 0; }
.thumb { grid-template-columns: minmax(0, 1fr) minmax(0, 17rem); }
.questions > li { padding: .5rem 0; border-bottom: 1px solid var(--line); break-inside: avoid; }
.questions > li:last-child { border: 0; }
figure { margin: .2rem 0; max-width: 32rem; }
figure svg {
  display: block; max-width: 100%; height: auto; background: #ffffff; border: 1px solid var(--line);
  border-radius: 6px;
}
figcaption { margin-top: .3rem; line-height: 1.4; }
.badge {
  display: inline-block; font-size: .74rem; font-weight: 700; letter-spacing: .03em;
  border: 1.5px solid currentColor; border-radius: 4px; padding: 0 .4em; white-space: nowrap;
}
.PROVED { color: var(--good);}
.REFUTED { color: var(--bad); border-style: double; border-width: 3px;}
.UNKNOWN { color: var(--open); border-style: dashed;}
.label {
  font-size: .78rem; font-weight: 700; color: var(--soft); text-transform: uppercase; letter-spacing: .05em;
  margin: 0 0 .2rem;
}
.wide { overflow-x: auto; margin: .6rem 0 1rem; }
table { border-collapse: collapse; font-size: .88rem; line-height: 1.4; width: 100%; }
caption { text-align: left; color: var(--soft); padding-bottom: .4rem; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .55rem; text-align: left; vertical-align: top; }
thead th { border-bottom: 2px solid var(--ink); vertical-align: bottom; }
tbody th { font-weight: 600; }
th code, td code { overflow-wrap: normal; white-space: nowrap; }
td ul { margin: 0; }
.card table { margin: 0; }
.matrix td { text-align: center; min-width: 2.1rem; padding: .35rem .2rem; font-size: 1rem; }
.matrix thead th + th { padding: .4rem .1rem; text-align: left; height: 13.5rem; min-width: 2.1rem; font-weight: 500; }
.matrix thead th span {
  writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; display: inline-block;
}
.matrix tbody th { min-width: 12rem; font-weight: 400; background: var(--page); position: sticky; left: 0; }
.matrix .fails { background: var(--tint); color: var(--bad); font-weight: 700; }
.matrix .holds { color: var(--good); }
.matrix .turned { outline: 2px solid currentColor; outline-offset: -4px; }
sup { font-size: .68em; line-height: 0; }
dl { margin: .4rem 0; } dt { font-weight: 600; font-size: .92rem; } dd { margin: 0 0 .5rem 1.1rem; }
ul, ol { padding-left: 1.3rem; margin: .3rem 0 .7rem; } li { margin: .2rem 0; }
blockquote { margin: .3rem 0 .6rem; padding-left: .8rem; border-left: 3px solid var(--line); }
.figures { display: flex; flex-wrap: wrap; gap: .4rem 1.6rem; margin: .6rem 0; padding: 0; list-style: none; }
.figures b { font: 700 1.35rem/1.2 system-ui, Helvetica, Arial, sans-serif; display: block; }
.skip { position: absolute; left: -99rem;}
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .4rem;}
footer { margin-top: 3rem; padding-bottom: 2rem; color: var(--soft); font-size: .88rem; }
@media (max-width: 46rem) {
  .split, .thumb { grid-template-columns: minmax(0, 1fr); }
  h1 { font-size: 1.7rem; }
  .matrix tbody th { min-width: 9.5rem; max-width: 9.5rem; font-size: .8rem; }
}
@media print {
  :root {
    --page: #fff; --card: #fff; --ink: #000; --soft: #333; --line: #aaa; --link: #000; --good: #000;
    --bad: #000; --open: #000; --tint: #eee;
  }
  body { font-size: 10pt; } nav, .skip { display: none; } main, header.top { max-width: none; }
  .wide { overflow: visible;}
  h2, h3 { break-after: avoid;}
  tr, figure { break-inside: avoid;}
  a { text-decoration: none;}
  .split { grid-template-columns: minmax(0, 1fr) minmax(0, 7.5cm); }
}
""".strip()
