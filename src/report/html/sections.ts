import type {
  BodyCoverage,
  FoundCause,
  NotChecked,
  OperationCoverage,
  ResponseCoverage,
  Verdict,
} from '../../events/events.ts';
import type { OperationLatency } from '../../events/latency.ts';
import type { Redactor } from '../../http/redact.ts';
import { behaviours } from '../../policy/behaviours/index.ts';
import {
  collectAnswers,
  type CollectedSuites,
  type CollectedTraffic,
  groupBy,
  summarizeCoverage,
} from '../collect.ts';
import { renderCurl, renderExport } from '../view/curl-lines.ts';
import { viewFindings } from '../view/finding-view.ts';
import type { ReportedFinding } from '../report.ts';
import { describeKeywords } from '../text/coverage.ts';
import { plural } from '../format.ts';
import { describeBrokenOff, isApplicable, renderVerdict } from '../text/summary.ts';
import { renderKnownFindings } from './finding.ts';
import { describeItems, describeRunVerdict, describeTraffic } from '../text/verdict.ts';
import {
  markup,
  type Markup,
  type MarkupValue,
  type Page,
  renderCommand,
  renderDuration,
  renderTable,
} from './markup.ts';

/** Renders the findings that the baseline accepts, and its entries that were not found. */
export function renderBaseline(known: readonly ReportedFinding[], page: Page): Markup | undefined {
  const { gone } = page.run.result;
  if (known.length === 0 && gone.length === 0) return undefined;
  const entries = gone.map(
    ({ id, reason }) =>
      markup`<li>
        <code>${id}</code>${reason === undefined ? undefined : markup` ${page.redactor.text(reason)}`}
      </li>`,
  );
  return markup`${
    known.length === 0
      ? undefined
      : markup`<details>
          <summary>${plural(known.length, 'known finding')}</summary>
          ${renderKnownFindings(viewFindings(known, page.options), page)}
        </details>`
  }${
    entries.length === 0
      ? undefined
      : markup`<h3>No longer seen</h3>
          <p>These entries can be removed from the baseline.</p>
          <ul class="plain">
            ${entries}
          </ul>`
  }`;
}

function showCount(count: number): MarkupValue {
  return count === 0 ? markup`<span class="never">never</span>` : count.toLocaleString('en-US');
}

function renderResponses(responses: readonly ResponseCoverage[], page: Page): Markup {
  return renderTable({
    caption: 'Declared responses',
    columns: { Response: 'text', Seen: 'number', 'Why not': 'text' },
    rows: responses.map(({ status, seen, reason = '' }) => [
      status,
      showCount(seen),
      page.redactor.text(reason),
    ]),
  });
}

function renderBodies(bodies: readonly BodyCoverage[], { redactor }: Page): Markup | undefined {
  if (bodies.length === 0) return undefined;
  const table = renderTable({
    caption: 'Bodies sent',
    columns: { 'Media type': 'text', Kind: 'text', Sent: 'number' },
    rows: bodies.map(({ mediaType, kind, sent }) => [
      redactor.text(mediaType),
      redactor.text(kind),
      showCount(sent),
    ]),
  });
  return markup`<details><summary>${plural(bodies.length, 'kind')} of body sent</summary>${table}</details>`;
}

function renderKeywords(coverage: OperationCoverage, { options, redactor }: Page): Markup | undefined {
  const { keywords } = coverage;
  if (keywords.length === 0) return undefined;
  const table = renderTable({
    caption: 'Keywords of the schemas',
    columns: { Keyword: 'text', 'Of a': 'text', Met: 'number', Broken: 'number', 'Why not': 'text' },
    rows: keywords.map(({ keyword, file, pointer, of, met, broken, reason }) => [
      markup`<code>${keyword}</code><br /><span class="aside">${redactor.text(`${file ?? options.source}#${pointer}`)}</span>`,
      of,
      showCount(met),
      // It is no gap if no response broke a keyword.
      of === 'response' ? broken.toLocaleString('en-US') : showCount(broken),
      redactor.text(reason ?? ''),
    ]),
  });
  return markup`<details>
    <summary>${describeKeywords(summarizeCoverage([coverage]))}</summary>
    ${table}
  </details>`;
}

function renderOperation(coverage: OperationCoverage, page: Page): Markup {
  const { operation, requests, accepted, bodies, responses, undeclared, reason } = coverage;
  const seen = responses.filter((response) => response.seen > 0).length;
  const others = undeclared.map(({ status, seen: times }) => `${status} (${times.toLocaleString('en-US')}×)`);
  return markup`<details class="operation">
    <summary>
      <code>${operation}</code> ${plural(requests, 'request')}, ${accepted.toLocaleString('en-US')} accepted; ${seen} of
      ${plural(responses.length, 'declared response')}
      seen.${reason === undefined ? undefined : markup` ${page.redactor.text(reason)}`}
    </summary>
    ${others.length === 0 ? undefined : markup`<p>Not declared, and seen: ${others.join(', ')}.</p>`}
    ${responses.length === 0 ? undefined : renderResponses(responses, page)}
    ${renderBodies(bodies, page)}${renderKeywords(coverage, page)}
  </details> `;
}

/** Renders what was exercised of the contract, operation by operation, and what never was. */
export function renderCoverage(page: Page): Markup | undefined {
  const { coverage } = page.run.result;
  if (coverage.length === 0) return undefined;
  const { succeeded, responses } = summarizeCoverage(coverage);
  return markup`<details>
    <summary>
      ${succeeded.done} of ${plural(succeeded.of, 'operation')} answered with a success, ${responses.done} of
      ${plural(responses.of, 'declared response')} seen
    </summary>
    ${coverage.map((one) => renderOperation(one, page))}
  </details>`;
}

/** Renders what was not checked and what would enable it, then what does not apply to the document. */
export function renderNotChecked({ run, redactor }: Page): Markup | undefined {
  const { notChecked } = run.result;
  if (notChecked.length === 0) return undefined;
  const list = (entries: readonly NotChecked[]): Markup =>
    markup`<ul class="plain">
      ${entries.map(({ what, reason }) => markup`<li><code>${redactor.text(what)}</code> ${redactor.text(reason)}</li> `)}
    </ul>`;
  const wanting = notChecked.filter(isApplicable);
  const idle = notChecked.filter((entry) => !isApplicable(entry));
  return markup`${wanting.length === 0 ? undefined : list(wanting)}${
    idle.length === 0
      ? undefined
      : markup`<details>
          <summary>Not applicable to this document: ${idle.length}</summary>
          ${list(idle)}
        </details>`
  }`;
}

function describeLatency(latency: Page['latency']): string {
  if (latency.count === 0) return 'No answer came.';
  const within = [0.5, 0.9, 0.99].map(
    (share) => `p${share * 100} ${renderDuration(latency.quantile(share))}`,
  );
  const longest = `the longest ${renderDuration(latency.longest)}`;
  return `Times of ${plural(latency.count, 'response')}: ${[...within, longest].join(', ')}. Of 100 responses, 90 took no longer than p90.`;
}

/** Renders the response times of each operation, the slowest first. */
function renderOperationTimes(
  operations: readonly OperationLatency[],
  redactor: Redactor,
): Markup | undefined {
  if (operations.length === 0) return undefined;
  const table = renderTable({
    caption: 'By operation',
    columns: {
      Operation: 'text',
      Count: 'number',
      p50: 'number',
      p95: 'number',
      p99: 'number',
      Longest: 'number',
    },
    rows: operations.map(({ operation, responses, p50, p95, p99, max }) => [
      redactor.text(operation),
      responses.toLocaleString('en-US'),
      ...[p50, p95, p99, max].map(renderDuration),
    ]),
  });
  return markup`<details><summary>Times by operation</summary>${table}</details>`;
}

/** Renders the times and the statuses of the responses. */
export function renderAnswers({ latency, answers, run, redactor }: Page): Markup {
  if (answers.length === 0) return markup`<p>No request was sent.</p>`;
  const total = answers.reduce((sum, { count }) => sum + count, 0);
  const table = renderTable({
    caption: 'By status',
    columns: { Response: 'text', Count: 'number', Share: 'number' },
    rows: answers.map(({ answer, count }) => [
      answer,
      count.toLocaleString('en-US'),
      `${((count / total) * 100).toFixed(1)} %`,
    ]),
  });
  return markup`<p>${describeLatency(latency)}</p>
    <details><summary>By status</summary>${table}</details>
    ${renderOperationTimes(run.result.latency?.operations ?? [], redactor)}`;
}

/** Renders each behaviour that the document does not specify, and what the service did. */
export function renderNotes({ run, redactor }: Page): Markup | undefined {
  if (run.result.notes.length === 0) return undefined;
  const groups = collectAnswers(run.result.notes).map(({ question, answers }) => {
    const given = answers.map(
      ({ answer, count }) =>
        markup`<dd>${redactor.text(answer)} <span class="aside">${count.toLocaleString('en-US')}×</span></dd>`,
    );
    return markup`<div>
      <dt>${behaviours[question].question} <code>${question}</code></dt>
      ${given}
    </div> `;
  });
  return markup`<details>
    <summary>${plural(groups.length, 'behaviour')} that the document does not specify</summary>
    <dl class="questions">${groups}</dl>
  </details>`;
}

const verdictWords: Readonly<Record<Verdict, readonly [mark: string, words: string]>> = {
  held: ['✓', 'held'],
  broken: ['✗', 'broken'],
  warned: ['!', 'warned'],
  'given-up': ['–', 'given up'],
  'cut-off': ['–', 'cut off'],
  unjudged: ['–', 'not judged'],
};

/** Renders the properties by suite, in folds. The row of a suite counts them by verdict. */
export function renderProperties({ run, redactor }: Page): Markup | undefined {
  if (run.kind === 'traffic' || run.result.properties.length === 0) return undefined;
  const suites = [...groupBy(run.result.properties, ({ suite }) => suite)].map(([suite, properties]) => {
    const verdicts = [...new Set(properties.map(({ verdict }) => verdict))];
    const counts = verdicts.map((verdict) => {
      const count = properties.filter((one) => one.verdict === verdict).length;
      return renderPropertyVerdict(verdict, `${count} `);
    });
    const table = renderTable({
      caption: `Properties of ${suite}`,
      columns: { Property: 'text', Verdict: 'text', Cases: 'number', Requests: 'number' },
      rows: properties.map(({ property, title, cases, requests, verdict }) => [
        markup`<code>${property}</code> ${redactor.text(title)}`,
        renderPropertyVerdict(verdict, ''),
        cases.toLocaleString('en-US'),
        requests.toLocaleString('en-US'),
      ]),
    });
    return markup`<details><summary><code>${suite}</code> ${counts}</summary>${table}</details>`;
  });
  return markup`${suites}`;
}

function renderPropertyVerdict(verdict: Verdict, count: string): Markup {
  const [mark, words] = verdictWords[verdict];
  return markup`<span class="verdict ${verdict}"><span aria-hidden="true">${mark}</span> ${count}${words}</span> `;
}

/** Returns the colour and the mark of a run's result. */
function toneOf({ run, options }: Page): readonly [tone: string, mark: string] {
  const all: readonly FoundCause[] = run.result.findings;
  const open = all.filter(({ known }) => known === undefined);
  if (open.some(({ finding }) => finding.level === 'violation')) return ['violation', '✗'];
  if (!run.end.isWhole || run.result.interrupted) return ['unjudged', '–'];
  const isThinNews = run.kind === 'suites' && options.replayed === undefined;
  const { tone } = describeRunVerdict(run.result, { ...options, isWhole: true, isThinNews });
  if (tone === 'violation') return ['violation', '✗'];
  return open.length > 0 || tone === 'warning' ? ['warning', '!'] : ['good', '✓'];
}

type Fact = readonly [name: string, value: MarkupValue];

function listSuiteFacts({ started, result }: CollectedSuites, replayed: string | undefined): readonly Fact[] {
  const cases = result.properties.reduce((sum, property) => sum + property.cases, 0);
  const held = result.properties.filter(({ verdict }) => verdict === 'held').length;
  const items = result.items && describeItems(result.items);
  const waits = result.waits === 0 ? '' : `, asked to wait ${plural(result.waits, 'time')}`;
  return [
    ['Took', renderDuration(result.durationMs)],
    ['Sent', `${plural(result.requests, 'request')} in ${plural(cases, 'case')}${waits}`],
    ['Properties', `${held} of ${result.properties.length} held`],
    ...(items === undefined ? [] : [['Items', items] as const]),
    ['Seed', started.seed],
    ['Ids', result.keys.join(' to ')],
    ...(replayed === undefined ? [] : [['Replayed', `one case of ${replayed}`] as const]),
  ];
}

function listTrafficFacts({ started, result }: CollectedTraffic, { redactor }: Page): readonly Fact[] {
  return [
    ['From', redactor.text(started.from)],
    ['Lasted', renderDuration(result.durationMs)],
    ['Exchanges', describeTraffic(result)],
  ];
}

function renderFacts(page: Page): Markup {
  const { run, options, redactor } = page;
  const { target, contract } = run.started;
  const when = new Date(run.startedAt).toISOString();
  const shown = when.replace('T', ' ').replace(/\.\d+Z$/u, ' UTC');
  const facts: readonly Fact[] = [
    ['Target', redactor.text(target)],
    [
      'Document',
      markup`${redactor.text(`${contract.title} ${contract.version}`)}
        <span class="aside">${redactor.text(options.source)}</span>`,
    ],
    [run.kind === 'traffic' ? 'Judged' : 'Started', markup`<time datetime="${when}">${shown}</time>`],
    ...(run.kind === 'traffic' ? listTrafficFacts(run, page) : listSuiteFacts(run, options.replayed)),
  ];
  return markup`<dl class="facts">
    ${facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div> `)}
  </dl>`;
}

function renderBrokenOff(page: Page): Markup | undefined {
  const { options, run } = page;
  const words = run.kind === 'traffic' ? undefined : describeBrokenOff(run.result);
  if (words === undefined) return undefined;
  const lines = words.shown.map(({ exchange, request }) =>
    renderCurl(exchange.request, options, { framing: request.framing }),
  );
  // If there are findings, the hint about secrets is already above them.
  const before =
    run.result.findings.length > 0 ? undefined : renderExport(lines, options.secretMeanings, options.shell);
  return markup`<p>${words.sentence}${words.others}</p>
    ${before === undefined ? undefined : renderCommand('To paste a request, set this first', before)}${lines.map((line) => renderCommand('The request', line))}`;
}

/** Renders the head of the page: the service, the document, and the result. */
export function renderSummary(page: Page): Markup {
  const { end, started } = page.run;
  const [tone, mark] = toneOf(page);
  const verdict = renderVerdict(page.run, { ...page.options, isWhole: end.isWhole });
  return markup`<header class="top">
    <p class="brand">Cloche · ${page.run.kind === 'traffic' ? 'judged traffic' : 'contract test'}</p>
    <h1>${page.redactor.text(started.contract.title)} <span class="version">${started.contract.version}</span></h1>
    <div class="outcome ${tone}">
      <p class="sentence"><span aria-hidden="true">${mark}</span> ${verdict}</p>
      ${end.why === undefined ? undefined : markup`<p>${page.redactor.text(end.why)}</p>`}${renderBrokenOff(page)}
    </div>
    ${renderFacts(page)}
  </header>`;
}

/** Renders the exchanges that could not be judged, by reason. */
export function renderUnchecked({ run, redactor }: Page): Markup | undefined {
  if (run.kind === 'suites' || run.result.unjudged.length === 0) return undefined;
  return renderTable({
    caption: 'Exchanges that could not be judged',
    columns: { Why: 'text', Exchanges: 'number', 'The first': 'text' },
    rows: run.result.unjudged.map(({ reason, count, first }) => [
      redactor.text(reason),
      count.toLocaleString('en-US'),
      redactor.text(first),
    ]),
  });
}
