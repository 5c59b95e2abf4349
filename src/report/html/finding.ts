import type { Finding } from '../../check/finding.ts';
import { renderExport } from '../view/curl-lines.ts';
import { docsOf, type FaultView, type FindingView, viewFaults } from '../view/finding-view.ts';
import type { ReportedFinding } from '../report.ts';
import { groupBy } from '../collect.ts';
import { plural } from '../format.ts';
import { renderExchanges } from './exchange.ts';
import { markup, type Markup, type Page, renderClause, renderCommand } from './markup.ts';

const levelWords = { violation: 'Violation', warning: 'Warning', note: 'Note' } as const;

function renderKnown({ known }: FindingView): Markup | undefined {
  if (known === undefined) return undefined;
  const until = known.expires === undefined ? '' : ` It may pass until ${known.expires}.`;
  return markup`<p class="known">Known: ${known.reason}.${until}</p>`;
}

function renderFields(view: FindingView, page: Page): Markup {
  const { expected, received, trigger, boundary, verdict, although } = view;
  // The texts of some checks already contain it.
  const isSaid = trigger === undefined || expected.includes(trigger);
  const fields = [
    ['Expected', expected],
    ['Received', received],
    ['Boundary', boundary],
    ['Although', although],
    ['Shown by', isSaid ? undefined : trigger],
    ['Verdict', verdict],
    ['Rule', renderClause(view, page)],
  ] as const;
  return markup`<dl class="fields">
    ${fields.map(([name, content]) => (content === undefined ? undefined : markup`<div class="${name === 'Rule' ? 'wide' : ''}"><dt>${name}</dt><dd>${content}</dd></div>\n`))}
  </dl>`;
}

function renderCommands({ found, requests, replay }: FindingView): Markup {
  // If the service rejects the id itself, another id would not show the fault.
  const isFresh =
    replay !== undefined &&
    found.exchange.request.key === 'allocated' &&
    found.finding.boundary === undefined;
  const one = isFresh ? 'The request, with an id that the run has not used' : 'The request';
  const label = requests.length === 1 ? one : 'The requests in order, with ids that the run has not used';
  return markup`<div class="commands">
    ${renderCommand(label, requests.join('\n'))}${replay === undefined ? undefined : renderCommand('Replay', replay)}
  </div>`;
}

/** Describes how many requests the finding needs; the shown exchange is one of them. */
function describeSequence({ found, requests, outcomes }: FindingView): string {
  const count = plural(requests.length, 'request');
  const place = found.sideBySide === true ? `one of ${count} sent side by side` : `last of ${count}`;
  return outcomes === undefined ? place : `${place}: ${outcomes.join(', ')}`;
}

/** Explains the check to a reader who does not know it. */
function renderCheck(finding: Finding): Markup {
  const { check } = finding;
  const { finds, example } = docsOf(finding);
  return markup`<details class="about">
      <summary>What ${check} finds</summary>
      <p>${finds}</p>
      <p class="aside">For example:</p>
      <div class="exchange"><pre>${example.request}</pre><pre>${example.answer}</pre></div>
    </details>`;
}

/**
 * Renders one finding: the fault, the clause, the exchange that shows it, and the commands to replay it. The first finding
 * of a check also explains the check.
 */
function renderFindingArticle(view: FindingView, page: Page, isFirst: boolean): Markup {
  const { found, id, level } = view;
  const origin =
    'suite' in found ? `Found by ${found.suite}/${found.property}.` : `Seen at ${view.places ?? ''}.`;
  const sequence = view.requests.length > 1 ? ` · ${describeSequence(view)}` : '';
  return markup`<article class="finding ${level}" id="${id}" aria-labelledby="${id}-title">
    <header>
      <h3 id="${id}-title"><code>${view.operation}</code> ${view.title}</h3>
      <p class="aside">
        <span class="badge">${levelWords[level]}</span> seen
        ${plural(view.count, 'time')}${view.confirmation}${sequence} · <a href="#${id}"><code>${id}</code></a>
      </p>
    </header>
    ${renderKnown(view)}${renderFields(view, page)}${renderExchanges(found, page)}
    <div class="more">
      <details>
        <summary>Replay</summary>
        ${renderCommands(view)}
        <p class="aside">${page.redactor.text(origin)}</p>
      </details>
      ${isFirst ? renderCheck(found.finding) : undefined}
    </div>
  </article>\n`;
}

/** Returns the words that distinguish a finding from others of its check. */
function describeShort({ boundary, trigger, received }: FindingView): string {
  return boundary ?? trigger ?? received;
}

/** Renders a line that unfolds: the operation of a finding, and words about it. */
function foldFinding(view: FindingView, words: string, content: Markup): Markup {
  const { level, operation, count } = view;
  return markup`<details class="one ${level}">
    <summary>
      <code>${operation}</code> ${words} <span class="aside">${count.toLocaleString('en-US')}×</span>
    </summary>
    ${content}
  </details>\n`;
}

/** Renders findings that the baseline accepts, each as a line that unfolds. */
export function renderKnownFindings(views: readonly FindingView[], page: Page): Markup {
  const seen = new Set<string>();
  const lines = views.map((view) => {
    const { check } = view.found.finding;
    const isFirst = !seen.has(check);
    seen.add(check);
    return foldFinding(view, view.title, renderFindingArticle(view, page, isFirst));
  });
  return markup`${lines}`;
}

/** The maximum number of operations that the title of a fold names. */
const mostNamed = 8;

/** Renders the other findings of a fault in a fold, as lines that unfold, by operation. */
function renderOthers({ first, others }: FaultView, page: Page): Markup | undefined {
  if (others.length === 0) return undefined;
  const operations = [...groupBy(others, ({ operation }) => operation)];
  const names = operations.map(([operation]) => operation);
  const more = names.length > mostNamed ? `, and ${names.length - mostNamed} more operations` : '';
  const groups = operations.map(([operation, views]) => {
    const lines = views.map((view) =>
      foldFinding(view, describeShort(view), renderFindingArticle(view, page, false)),
    );
    return lines.length === 1
      ? markup`${lines}`
      : markup`<details class="one ${first.level}">
          <summary><code>${operation}</code> ${plural(lines.length, 'finding')}</summary>
          ${lines}
        </details>\n`;
  });
  return markup`<details class="same ${first.level}">
    <summary>
      ${plural(others.length, 'more finding')} of the same fault: ${names.slice(0, mostNamed).join(', ')}${more}
    </summary>
    ${groups}
  </details>\n`;
}

/** Renders the faults that a check found: the first one in full, and each other one as a line that unfolds. */
function renderKind([first, ...faults]: readonly FaultView[], page: Page): Markup | undefined {
  if (first === undefined) return undefined;
  const lines = faults.map((fault) => {
    const { first: view, others } = fault;
    const more = others.length === 0 ? '' : `, and ${plural(others.length, 'more finding')}`;
    const article = renderFindingArticle(view, page, false);
    return foldFinding(view, `${describeShort(view)}${more}`, markup`${article}${renderOthers(fault, page)}`);
  });
  return markup`${renderFindingArticle(first.first, page, true)}${renderOthers(first, page)}${lines}`;
}

function renderIndex(faults: readonly FaultView[]): Markup {
  const entries = faults.map(({ first, others }) => {
    const { id, level, operation, title, count } = first;
    const words = describeShort(first);
    const more = others.length === 0 ? '' : `, and ${plural(others.length, 'more finding')}`;
    return markup`<li class="${level}">
        <a href="#${id}"><code>${operation}</code> ${title}</a>
        <span class="aside"
          >${words}, ${count.toLocaleString('en-US')}×${more}</span
        >
      </li>`;
  });
  return markup`<ol class="index">
    ${entries}
  </ol>`;
}

/** Renders the filter by level. It needs no script. */
function renderFilter(faults: readonly FaultView[]): Markup | undefined {
  const count = (level: string): number => faults.filter(({ first }) => first.level === level).length;
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

/** Renders the findings of a run by check, with an index. */
export function renderFindings(findings: readonly ReportedFinding[], page: Page): Markup | undefined {
  if (findings.length === 0) return undefined;
  const { options } = page;
  const faults = viewFaults(findings, options);
  const views = faults.flatMap(({ first, others }) => [first, ...others]);
  const lines = views.flatMap(({ requests }) => [...requests, options.command]);
  const command = renderExport(lines, options.secretMeanings, options.shell);
  const kinds = [...groupBy(faults, ({ first: { level, title } }) => `${level} ${title}`).values()];
  return markup`${renderFilter(faults)}${findings.length > 1 ? renderIndex(faults) : undefined}
    ${command === undefined ? undefined : renderCommand('To paste a request, set this first', command)}${kinds.map((kind) => renderKind(kind, page))}`;
}
