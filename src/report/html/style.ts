/** The style sheet of the page, for light and dark schemes, phones and paper. */
export const pageStyle: string = `
:root{color-scheme:light dark;--paper:#f7f6f1;--card:#fff;--ink:#1c2320;--soft:#55605a;--line:#dfdcd2;--code:#f3f2ec;--link:#0a5a86;--good:#17663a;--violation:#a8201a;--warning:#7d4c00;--good-wash:#e4f1e7;--violation-wash:#fbe7e5;--warning-wash:#fbf0da;--unjudged-wash:#ebebe6;--mark:#ffe27a;--mark-ink:#231b00}
@media (prefers-color-scheme:dark){:root{--paper:#121617;--card:#1a1f21;--ink:#e4e8e5;--soft:#a2ada7;--line:#2d3436;--code:#121718;--link:#8cc8f2;--good:#7fd8a0;--violation:#ff9a91;--warning:#f3bd68;--good-wash:#16291d;--violation-wash:#331a18;--warning-wash:#2d2413;--unjudged-wash:#23292a;--mark:#6a5300;--mark-ink:#fff4c9}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
main,.top,nav,footer{max-width:76rem;margin:0 auto;padding:0 1.5rem}
h1,h2,h3{line-height:1.2;text-wrap:balance}
h1{font-size:2rem;letter-spacing:-.02em;margin:.15rem 0 .75rem}
h2{font-size:1.35rem;letter-spacing:-.01em;margin:1.75rem 0 .5rem}
h3{font-size:1.1rem;margin:0}
p{margin:.25rem 0}
a{color:var(--link);text-underline-offset:.18em}
code,pre{font:.86em/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
pre code{font-size:1em}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:4px}
.top{padding-top:1.5rem}
.brand{color:var(--good);font-weight:650;margin:0}
.version{color:var(--soft);font-weight:400}
.aside,caption,footer{color:var(--soft);font-size:.875rem}
.outcome{border-radius:.75rem;padding:1rem 1.25rem;background:var(--unjudged-wash)}
.outcome .sentence{font-size:1.35rem;font-weight:650;margin:0}
.outcome.good{background:var(--good-wash)}.outcome.good .sentence{color:var(--good)}
.outcome.violation{background:var(--violation-wash)}.outcome.violation .sentence{color:var(--violation)}
.outcome.warning{background:var(--warning-wash)}.outcome.warning .sentence{color:var(--warning)}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.6rem 2rem;margin:1rem 0}
dt{color:var(--soft);font-size:.875rem}
dd{margin:0}
.facts dd{font-weight:550}.facts dd .aside{font-weight:400}
nav{margin-top:1rem}
nav ul{display:flex;flex-wrap:wrap;gap:.4rem 1.25rem;list-style:none;margin:0;padding:.75rem 0;border-block:1px solid var(--line)}
.index{margin:.5rem 0 1rem;padding:0;list-style:none;columns:30rem 2;column-gap:2rem}
.index li{break-inside:avoid;padding:.1rem 0 .1rem .9rem;border-left:4px solid var(--violation);margin:.2rem 0}
.index a{display:inline-block;min-height:1.5rem}
.index li.warning{border-color:var(--warning)}
.filter{border:0;padding:0;margin:0 0 1rem;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
.filter legend{float:left;color:var(--soft);margin-right:1.25rem}
.filter label{display:inline-flex;align-items:center;gap:.4rem;min-height:1.75rem;cursor:pointer}
main:has(#show-violations:checked) .warning:is(article,li,details),main:has(#show-warning:checked) .violation:is(article,li,details){display:none}
.finding{background:var(--card);border:1px solid var(--line);border-top:4px solid var(--violation);border-radius:.75rem;padding:.5rem 1.25rem;margin:.6rem 0;scroll-margin-top:1rem}
.finding header{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:0 1rem}
.finding header p{margin:0}
.finding.warning{border-top-color:var(--warning)}
.finding:target{box-shadow:0 0 0 3px var(--link)}
.badge{display:inline-block;font-size:.8rem;font-weight:650;padding:.1rem .6rem;border-radius:1rem;background:var(--violation-wash);color:var(--violation)}
.warning .badge{background:var(--warning-wash);color:var(--warning)}
.known{background:var(--unjudged-wash);padding:.5rem .75rem;border-radius:.5rem}
.fields{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.1rem 1rem;margin:.2rem 0}
.fields>.wide{grid-column:1/-1}
.fields blockquote,.fields blockquote+.aside{display:inline}
.fields blockquote+.aside{margin-left:.75rem}
.fields>div{display:grid;grid-template-columns:6rem minmax(0,1fr);gap:.25rem 1rem}
.fields dt{padding-top:.1rem}
.fields .aside{margin:0}
.steps{margin:.5rem 0;padding-left:1.4rem}
.steps details{margin:0}
.steps summary{overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
blockquote{margin:0}
blockquote::before{content:'“'}
blockquote::after{content:'”'}
.exchange{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1rem;margin:.35rem 0}
.label{margin:0 0 .2rem;font-size:.875rem;font-weight:600}
pre{margin:0;padding:.2rem .6rem;background:var(--code);border:1px solid var(--line);border-radius:.5rem;white-space:pre-wrap;overflow-wrap:anywhere;overflow:auto;max-height:9rem;tab-size:2}
.message pre{unicode-bidi:bidi-override;direction:ltr}
.message pre+pre{border-top-left-radius:0;border-top-right-radius:0;border-top:0}
.message pre:has(+pre){border-bottom-left-radius:0;border-bottom-right-radius:0}
.message+.message{margin-top:.5rem}
.message details{margin:.2rem 0 0}
.more{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 1rem}
.more details{margin:0}
.more details[open]{grid-column:1/-1}
.name{color:var(--soft)}
mark{background:var(--mark);color:var(--mark-ink);border-radius:.2rem;padding:.05em 0;box-decoration-break:clone;-webkit-box-decoration-break:clone}
mark .name{color:inherit}
mark.missing{background:none;color:var(--violation);outline:1px dashed currentColor;padding:0 .25rem}
.warning mark.missing{color:var(--warning)}
mark.gap{font-weight:700}
.esc{color:var(--violation);font-weight:600}
mark .esc{color:inherit;text-decoration:underline dotted}
.cut{display:inline-block;color:var(--soft);font-style:italic;padding:0 .35rem}
.commands{display:grid;gap:.5rem;margin:.5rem 0}
.command{display:grid;grid-template-columns:minmax(0,1fr) auto;align-items:end;gap:.35rem 1rem}
.command .label{margin:0}
.command pre{grid-column:1/-1;grid-row:2;max-height:12rem}
section>.command{margin:1rem 0}
.copy{font:inherit;font-size:.8rem;font-weight:600;line-height:1.2;padding:.25rem .7rem;min-height:1.6rem;border:1px solid var(--line);border-radius:.4rem;background:var(--card);color:var(--ink);cursor:pointer}
.copy:hover{border-color:var(--soft)}
.scroll{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;width:100%;font-size:.93rem}
caption{text-align:left;padding-bottom:.35rem}
th,td{text-align:left;vertical-align:top;padding:.45rem .9rem .45rem 0;border-bottom:1px solid var(--line);font-weight:400}
thead th{color:var(--soft);font-size:.85rem;overflow-wrap:normal}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td{overflow-wrap:normal}
.never{color:var(--warning)}
.verdict{white-space:nowrap;color:var(--soft)}
.verdict.held{color:var(--good)}.verdict.broken{color:var(--violation)}.verdict.warned{color:var(--warning)}
.questions{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(26rem,100%),1fr));gap:1.25rem 3rem}
.questions dt{color:var(--ink);font-size:1rem}
.questions dt code{color:var(--soft)}
.questions dd{padding-left:1rem;border-left:3px solid var(--line);margin-top:.2rem}
.plain{padding-left:1.1rem}
details{margin:.25rem 0}
summary{cursor:pointer;min-height:1.5rem}
summary .verdict{margin-left:.75rem}
.one{border-left:4px solid var(--violation);padding-left:.9rem;margin:.4rem 0}
.one.warning{border-color:var(--warning)}
.one .one,.same .one{margin-left:1rem}
footer{padding-top:1.5rem;padding-bottom:1.5rem}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@media (max-width:52rem){.exchange,.fields{grid-template-columns:minmax(0,1fr)}}
@media (max-width:34rem){main,.top,nav,footer{padding-left:1rem;padding-right:1rem}h1{font-size:1.75rem}.finding{padding:1rem;margin-left:-.25rem;margin-right:-.25rem}.fields>div{grid-template-columns:minmax(0,1fr)}.facts{grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:.75rem 1rem}}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
@media print{:root{color-scheme:light;--paper:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--code:#fff;--link:#000}body{font-size:11pt}pre{max-height:none;overflow:visible}nav,.copy,.filter{display:none}.steps summary{white-space:normal}.finding{break-inside:auto}.command,.message,tr{break-inside:avoid}h2,h3{break-after:avoid}}
`;
