import type { FoundCause } from '../../runner/run-event.ts';
import type { CollectedSuites, CollectedTraffic } from '../collect-run.ts';
import { describeTraffic } from '../describe-traffic.ts';
import { createPaint } from '../../errors/console-text.ts';
import { plural } from '../plural.ts';
import { describeBrokenOff } from '../render-broken-off.ts';
import { renderCurl } from '../render-curl.ts';
import { renderExport } from '../render-hint.ts';
import { renderVerdict } from '../render-verdict.ts';
import { markup, type Markup } from './markup.ts';
import type { Page } from './page.ts';
import { renderCommand } from './render-command.ts';
import { renderDuration } from './render-duration.ts';

/** What a run came to, as a colour and a mark say it. */
function toneOf({ run }: Page): readonly [tone: string, mark: string] {
  const { findings, interrupted } = run.result;
  const all: readonly FoundCause[] = findings;
  const open = all.filter(({ known }) => known === undefined);
  if (open.some(({ finding }) => finding.level === 'violation')) {
    return ['violation', '✗'];
  }
  if (!run.end.isWhole || interrupted) {
    return ['unjudged', '–'];
  }
  return open.length > 0 ? ['advice', '!'] : ['good', '✓'];
}

function renderFact(name: string, value: Markup): Markup {
  return markup`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div> `;
}

function listSuiteFacts(
  { started, result }: CollectedSuites,
  replayed: string | undefined,
): readonly Markup[] {
  const cases = result.properties.reduce((sum, property) => sum + property.cases, 0);
  const held = result.properties.filter(({ verdict }) => verdict === 'held').length;
  return [
    renderFact('Took', markup`${renderDuration(result.durationMs)}`),
    renderFact(
      'Sent',
      markup`${plural(result.requests, 'request')} in
        ${plural(cases, 'case')}${result.waits === 0 ? '' : `, asked to wait ${plural(result.waits, 'time')}`}`,
    ),
    renderFact('Properties', markup`${held} of ${result.properties.length} held`),
    renderFact('Seed', markup`${started.seed}`),
    renderFact('Keys', markup`${result.keys[0]} to ${result.keys[1]}`),
    ...(replayed === undefined ? [] : [renderFact('Replayed', markup`one case of ${replayed}`)]),
  ];
}

function listTrafficFacts({ started, result }: CollectedTraffic, { redactor }: Page): readonly Markup[] {
  return [
    renderFact('From', markup`${redactor.text(started.from)}`),
    renderFact('Lasted', markup`${renderDuration(result.durationMs)}`),
    renderFact('Exchanges', markup`${describeTraffic(result)}`),
  ];
}

function renderFacts(page: Page): Markup {
  const { run, options, redactor } = page;
  const { started, startedAt } = run;
  const when = new Date(startedAt).toISOString();
  return markup`<dl class="facts">
    ${[
      renderFact('Target', markup`${redactor.text(started.target)}`),
      renderFact(
        'Document',
        markup`${redactor.text(`${started.contract.title} ${started.contract.version}`)}
          <span class="aside">${redactor.text(options.source)}</span>`,
      ),
      renderFact(
        run.kind === 'traffic' ? 'Judged' : 'Started',
        markup`<time datetime="${when}">${when.replace('T', ' ').replace(/\.\d+Z$/u, ' UTC')}</time>`,
      ),
      ...(run.kind === 'traffic' ? listTrafficFacts(run, page) : listSuiteFacts(run, options.replayed)),
    ]}
  </dl>`;
}

function renderBrokenOff(page: Page): Markup | undefined {
  const { redactor, options, run } = page;
  const words = run.kind === 'traffic' ? undefined : describeBrokenOff(run.result);
  if (words === undefined) {
    return undefined;
  }
  const lines = words.shown.map(({ exchange, request }) =>
    renderCurl(exchange.request, options, { framing: request.framing }),
  );
  // Where there are findings, what comes before a line is said above them.
  const before = run.result.findings.length > 0 ? undefined : renderExport(lines, options.secretMeanings);
  return markup`<p>${words.sentence}${words.others}</p>
    ${before === undefined ? undefined : renderCommand('Before you paste a line', before)}${lines.map((line) => renderCommand('The request', redactor.text(line)))}`;
}

/** What was checked against what, and what it came to. */
export function renderSummary(page: Page): Markup {
  const { result, end, started } = page.run;
  const [tone, mark] = toneOf(page);
  const verdict = renderVerdict(result, { paint: createPaint(false), isWhole: end.isWhole });
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
