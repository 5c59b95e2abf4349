import type { Finding } from '../../check/finding.ts';
import { findingTitles } from '../finding-words.ts';
import { renderBoundary } from '../render-boundary.ts';
import { renderExport } from '../render-hint.ts';
import { renderRequests } from '../render-requests.ts';
import type { ReportedFinding } from '../reported-finding.ts';
import { renderFindingArticle } from './finding-article.ts';
import { markup, type Markup } from './markup.ts';
import type { Page } from './page.ts';
import { renderCommand } from './render-command.ts';

/** What tells a finding from others of its check. */
function describe({ boundary, trigger, received }: Finding): string {
  return boundary === undefined ? (trigger ?? received) : renderBoundary(boundary);
}

function renderIndex(findings: readonly ReportedFinding[], { redactor }: Page): Markup {
  const entries = findings.map(
    ({ finding, id, count }) =>
      markup`<li class="${finding.level}">
        <a href="#${id}">${findingTitles[finding.check]}</a>
        <span class="aside">${redactor.text(describe(finding))}, ${count.toLocaleString('en-US')}×</span>
      </li>`,
  );
  return markup`<ol class="index">
    ${entries}
  </ol>`;
}

/** What the reader picks levels with; it takes no script. */
function renderFilter(findings: readonly ReportedFinding[]): Markup | undefined {
  const count = (level: string): number => findings.filter(({ finding }) => finding.level === level).length;
  const violations = count('violation');
  const advice = count('advice');
  if (violations === 0 || advice === 0) {
    return undefined;
  }
  return markup`<fieldset class="filter">
    <legend>Show</legend>
    <label><input type="radio" name="level" id="show-all" checked /> All ${findings.length}</label
    ><label><input type="radio" name="level" id="show-violations" /> Violations ${violations}</label
    ><label><input type="radio" name="level" id="show-advice" /> Advice ${advice}</label>
  </fieldset>`;
}

/** The findings of a run one by one, with an index of them. */
export function renderFindings(findings: readonly ReportedFinding[], page: Page): Markup {
  const { options } = page;
  const lines = findings.flatMap((found) => [...renderRequests(found, options), options.command]);
  const command = renderExport(lines, options.secretMeanings);
  return markup`${renderFilter(findings)}${findings.length > 1 ? renderIndex(findings, page) : undefined}
    <p class="aside">What a finding is about is <mark>marked</mark> in its exchange.</p>
    ${command === undefined ? undefined : renderCommand('Before you paste a line', command)}${findings.map((found) => renderFindingArticle(found, page))}`;
}
