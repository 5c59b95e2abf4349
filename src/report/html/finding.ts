import { checks } from '../../check/checks/all-checks.ts';
import type { Finding } from '../../check/finding.ts';
import type { FoundCause } from '../../runner/events.ts';
import { describeOthers, type Fault, groupFaults } from '../collect.ts';
import type { ReportedFinding } from '../report.ts';
import { renderBoundary } from '../text/boundary.ts';
import {
  describePlaces,
  describeVerdict,
  titleOf,
  renderConfirmation,
  renderExport,
  renderReplay,
  renderRequests,
} from '../text/finding.ts';
import { plural } from '../text/format.ts';
import { renderExchanges } from './exchange.ts';
import { markup, type Markup, renderClause, renderCommand } from './markup.ts';
import type { Page } from './model.ts';

const levelWords = { violation: 'Violation', warning: 'Warning', note: 'Note' } as const;

function renderKnown({ known }: FoundCause, { redactor }: Page): Markup | undefined {
  if (known === undefined) return undefined;
  const why = known.reason === undefined ? '' : `: ${redactor.text(known.reason)}`;
  const until = known.expires === undefined ? '' : ` It may pass until ${known.expires}.`;
  return markup`<p class="known">Known${why}.${until}</p>`;
}

function renderFields({ finding }: FoundCause, page: Page): Markup {
  const { expected, received, trigger, boundary, clause } = finding;
  // The words of some checks hold it already.
  const isSaid = trigger === undefined || expected.includes(trigger);
  const texts = [
    ['Expected', expected],
    ['Received', received],
    ...(boundary === undefined ? [] : [['Boundary', renderBoundary(boundary)] as const]),
    ...(isSaid ? [] : [['Shown by', trigger] as const]),
    ...(finding.parity === undefined ? [] : [['Verdict', describeVerdict(finding.parity)] as const]),
  ] as const;
  const fields = [
    ...texts.map(([name, text]) => [name, markup`${page.redactor.text(text)}`] as const),
    ['Rule', renderClause(clause, page)] as const,
  ];
  return markup`<dl class="fields">
    ${fields.map(([name, content]) => markup`<div class="${name === 'Rule' ? 'wide' : ''}"><dt>${name}</dt><dd>${content}</dd></div>\n`)}
  </dl>`;
}

function renderCommands(found: ReportedFinding, { options }: Page): Markup {
  const curls = renderRequests(found, options);
  const replay = renderReplay(found, options.command);
  // Where the key itself is what is refused, no other would do.
  const isFresh =
    replay !== undefined &&
    found.exchange.request.key === 'allocated' &&
    found.finding.boundary === undefined;
  const one = isFresh ? 'The request, with an id that the run has not used' : 'The request';
  const label = curls.length === 1 ? one : 'The requests in order, with ids that the run has not used';
  return markup`<div class="commands">
    ${renderCommand(label, curls.join('\n'))}${replay === undefined ? undefined : renderCommand('Replay', replay)}
  </div>`;
}

/** Says how many requests the finding takes, of which the last exchange is one. */
function describeSequence({ requests, sideBySide, outcomes }: FoundCause): string {
  const count = plural(requests.length, 'request');
  const place = sideBySide === true ? `one of ${count} sent side by side` : `last of ${count}`;
  return outcomes === undefined ? place : `${place}: ${outcomes.join(', ')}`;
}

/** What the check is, for who never heard of it. */
function renderCheck({ check }: Finding): Markup {
  const { finds, example } = checks[check].docs;
  return markup`<details class="about">
      <summary>What ${check} finds</summary>
      <p>${finds}</p>
      <p class="aside">For example:</p>
      <div class="exchange"><pre>${example.request}</pre><pre>${example.answer}</pre></div>
    </details>`;
}

/** Lays out one finding: what is wrong, by which clause, the exchange that shows it, and how to see it again. */
export function renderFindingArticle(found: ReportedFinding, page: Page): Markup {
  const { finding, count, id, requests } = found;
  const origin =
    'suite' in found
      ? `Found by ${found.suite}/${found.property}.`
      : `Seen at ${describePlaces(found) ?? ''}.`;
  const { redactor } = page;
  const sequence = requests.length > 1 ? markup` · ${redactor.text(describeSequence(found))}` : undefined;
  return markup`<article class="finding ${finding.level}" id="${id}" aria-labelledby="${id}-title">
    <header>
      <h3 id="${id}-title"><code>${redactor.text(finding.operation)}</code> ${titleOf(finding)}</h3>
      <p class="aside">
        <span class="badge">${levelWords[finding.level]}</span> seen
        ${plural(count, 'time')}${redactor.text(renderConfirmation(found))}${sequence} · <a href="#${id}"><code>${id}</code></a>
      </p>
    </header>
    ${renderKnown(found, page)}${renderFields(found, page)}${renderExchanges(found, page)}
    <div class="more">
      <details>
        <summary>Replay</summary>
        ${renderCommands(found, page)}
        <p class="aside">${redactor.text(origin)}</p>
      </details>
      ${renderCheck(finding)}
    </div>
  </article>\n`;
}

/** What shows a fault first, and, folded, what shows it too. */
function renderFault(fault: Fault<ReportedFinding>, page: Page): Markup {
  const { first, others } = fault;
  if (others.length === 0) return renderFindingArticle(first, page);
  const words = describeOthers(fault).map((each) => markup`<li>${page.redactor.text(each)}</li>`);
  return markup`${renderFindingArticle(first, page)}
    <details class="same ${first.finding.level}">
      <summary>${plural(others.length, 'more finding')} of the same fault</summary>
      <ul>
        ${words}
      </ul>
      ${others.map((found) => renderFindingArticle(found, page))}
    </details>\n`;
}

function renderIndex(findings: readonly ReportedFinding[], { redactor }: Page): Markup {
  const entries = groupFaults(findings).map(({ first: { finding, id, count }, others }) => {
    const { level, operation, boundary, trigger, received } = finding;
    // What tells it from others of its check.
    const words = boundary === undefined ? (trigger ?? received) : renderBoundary(boundary);
    return markup`<li class="${level}">
        <a href="#${id}"><code>${redactor.text(operation)}</code> ${titleOf(finding)}</a>
        <span class="aside"
          >${redactor.text(words)}, ${count.toLocaleString('en-US')}×${others.length === 0 ? '' : `, and ${plural(others.length, 'more finding')}`}</span
        >
      </li>`;
  });
  return markup`<ol class="index">
    ${entries}
  </ol>`;
}

/** What the reader picks levels with; it takes no script. */
function renderFilter(findings: readonly ReportedFinding[]): Markup | undefined {
  const faults = groupFaults(findings);
  const count = (level: string): number =>
    faults.filter(({ first: { finding } }) => finding.level === level).length;
  const violations = count('violation');
  const warning = count('warning');
  if (violations === 0 || warning === 0) return undefined;
  return markup`<fieldset class="filter">
    <legend>Show</legend>
    <label><input type="radio" name="level" id="show-all" checked /> All ${faults.length}</label
    ><label><input type="radio" name="level" id="show-violations" /> Violations ${violations}</label
    ><label><input type="radio" name="level" id="show-warning" /> Warning ${warning}</label>
  </fieldset>`;
}

/** The findings of a run one by one, with an index of them. */
export function renderFindings(findings: readonly ReportedFinding[], page: Page): Markup | undefined {
  if (findings.length === 0) return undefined;
  const { options } = page;
  const lines = findings.flatMap((found) => [...renderRequests(found, options), options.command]);
  const command = renderExport(lines, options.secretMeanings);
  return markup`${renderFilter(findings)}${findings.length > 1 ? renderIndex(findings, page) : undefined}
    ${command === undefined ? undefined : renderCommand('To paste a request, set this first', command)}${groupFaults(findings).map((fault) => renderFault(fault, page))}`;
}
