/** The page's style sheet. Text has a contrast of 4.5 or more on its background, light and dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #fff; --text: #1b1f24; --quiet: #57606a; --line: #d0d7de; --track: #eaeef2; --link: #0550ae;
  --running: #1a7f37; --starting: #9a6700; --waiting: #8250df; --others: #8c959f; --mark: #1b1f24; --bad: #b3261e;
  --borrowed: #7cc78d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1117; --text: #e6edf3; --quiet: #9ba5b0; --line: #30363d; --track: #21262d; --link: #79b8ff;
    --running: #3fb950; --starting: #d29922; --waiting: #bc8cff; --others: #6e7681; --mark: #e6edf3; --bad: #ff8a80;
    --borrowed: #1f6f30;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 90rem; padding: 0 1rem 2rem; background: var(--ground); color: var(--text);
  font: 1rem/1.45 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 0 1.5rem; align-items: baseline; border-bottom: 1px solid var(--line); }
header nav { display: flex; gap: 1rem; }
.sign-out { margin-left: auto; }
h1 { font-size: 1.4rem; margin: 0.8rem 0; }
h2 { font-size: 1.1rem; margin: 1.6rem 0 0.6rem; }
a { color: var(--link); }
a[aria-current="true"] { font-weight: bold; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.quiet { color: var(--quiet); }
.fault { color: var(--bad); overflow-wrap: anywhere; }
.stale { color: var(--bad); font-weight: bold; }
.capacity { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 0.8rem 1.5rem; margin: 0; }
.capacity dt { font-weight: bold; }
.capacity dd { margin: 0; }
.bar { display: block; width: 100%; height: 0.7rem; background: var(--track); border-radius: 3px; }
rect.used { fill: var(--running); }
rect.borrowed { fill: var(--borrowed); }
rect.others { fill: var(--others); }
rect.guarantee { fill: var(--mark); }
rect.closed { fill: var(--ground); }
rect.ceiling { fill: var(--bad); }
.use { display: grid; grid-template-columns: 4.5rem minmax(6rem, 12rem) minmax(8rem, 1fr); gap: 0.6rem; align-items: center; }
.full { color: var(--bad); font-weight: bold; }
figure { margin: 0; }
.axes { display: grid; grid-template-columns: auto 1fr; gap: 0.2rem 0.5rem; font-size: 0.85rem; color: var(--quiet); }
.plot { height: 9rem; background: var(--track); border-bottom: 1px solid var(--mark); }
.scale { display: flex; flex-direction: column; justify-content: space-between; text-align: right; line-height: 1; }
.times { grid-column: 2; display: flex; justify-content: space-between; }
line.grid { stroke: var(--ground); vector-effect: non-scaling-stroke; }
.chart { display: block; width: 100%; height: 100%; }
polygon.running { fill: var(--running); }
polygon.starting { fill: var(--starting); }
polygon.waiting { fill: var(--waiting); }
line.lost { stroke: var(--bad); stroke-width: 2; vector-effect: non-scaling-stroke; }
figcaption, .legend { margin: 0.4rem 0 0; display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; }
.legend { font-size: 0.85rem; }
.key::before { content: ""; display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.4em; border-radius: 2px; }
.key.running::before { background: var(--running); }
.key.starting::before { background: var(--starting); }
.key.waiting::before { background: var(--waiting); }
.key.lost::before { width: 2px; border-radius: 0; background: var(--bad); }
.key.used::before { background: var(--running); }
.key.borrowed::before { background: var(--borrowed); }
.key.others::before { background: var(--others); }
.key.free::before { background: var(--track); border: 1px solid var(--line); }
.key.guarantee::before, .key.ceiling::before { width: 3px; border-radius: 0; background: var(--mark); }
.key.ceiling::before { background: var(--bad); }
table { width: 100%; border-collapse: collapse; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.8rem 0.4rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; min-width: 5rem; }
thead th { font-size: 0.85rem; color: var(--quiet); overflow-wrap: normal; }
tbody th { font-weight: normal; }
td span.quiet, th span.quiet { display: block; font-size: 0.85rem; }
.state, time { white-space: nowrap; }
td ul { margin: 0; padding-left: 1.1rem; }
.depth-1 { margin-left: 1rem; } .depth-2 { margin-left: 2rem; } .depth-3 { margin-left: 3rem; } .depth-4 { margin-left: 4rem; }
.state.Running { color: var(--running); } .state.Pending { color: var(--starting); } .state.SchedulingGated { color: var(--waiting); }
.state.succeeded { color: var(--running); } .state.failed { color: var(--bad); } .state.lost { color: var(--starting); }
.commands summary { color: var(--link); cursor: pointer; font-size: 0.85rem; }
.commands p { margin: 0.3rem 0; }
.commands code { overflow-wrap: anywhere; user-select: all; }
.copy { display: none; font-size: 0.8rem; padding: 0 0.4rem; }
.scripted .copy { display: inline; }
form { display: flex; flex-wrap: wrap; gap: 0.5rem 1.2rem; align-items: center; margin-bottom: 0.6rem; }
select, button { font: inherit; padding: 0.3rem 0.6rem; max-width: 100%; }
input { font: inherit; max-width: 100%; padding: 0.3rem 0.5rem; }
input[type="checkbox"] { width: 1.1rem; height: 1.1rem; vertical-align: text-bottom; }
.pages, .parts { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; margin: 0.8rem 0; }
.verdict { font-size: 1.1rem; margin: 0.4rem 0; overflow-wrap: anywhere; }
.findings { padding-left: 1.2rem; overflow-wrap: anywhere; }
.findings p { margin: 0.2rem 0 0.6rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: 0.6rem 1.5rem; margin: 0; }
.facts dt { color: var(--quiet); font-size: 0.85rem; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.log { max-height: 32rem; overflow: auto; margin: 0.4rem 0; padding: 0.6rem 0.8rem; background: var(--track); border-radius: 3px;
  font: 0.85rem/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.log pre { margin: 0; font: inherit; white-space: inherit; }
.log.end { display: flex; flex-direction: column-reverse; } /* so that its end is seen first */
.log span { display: block; min-height: 1.4em; }
section > details > summary { color: var(--link); cursor: pointer; }
::placeholder { color: var(--quiet); opacity: 1; }
h2 { overflow-wrap: anywhere; }
footer { margin-top: 2rem; }
@media (max-width: 48rem) {
  table, tbody, tr, th, td { display: block; }
  thead { display: none; }
  tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  th, td { border: 0; padding: 0.1rem 0; }
  td { display: grid; grid-template-columns: 7.5rem 1fr; gap: 0 0.6rem; }
  td::before { content: attr(data-column); color: var(--quiet); font-size: 0.85rem; }
  td > * { grid-column: 2; min-width: 0; }
  .facts { display: block; }
  .facts div { display: grid; grid-template-columns: 7.5rem 1fr; gap: 0 0.6rem; }
  form.filter label { flex: 1 1 100%; display: grid; grid-template-columns: 7.5rem 1fr; gap: 0.6rem; align-items: center; }
  .use { grid-template: "name words" auto "bar bar" auto / auto 1fr; gap: 0.1rem 0.6rem;
    align-items: baseline; margin-bottom: 0.4rem; }
  .use .bar { grid-area: bar; }
  td:empty { display: none; }
}
@media (forced-colors: active) { rect, polygon { forced-color-adjust: none; } }
`;
