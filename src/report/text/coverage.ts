import type { KeywordCoverage, OperationCoverage } from '../../events/events.ts';
import { isExercised, type Share, summarizeCoverage } from '../collect.ts';
import { type Look, plural, wrapText } from '../format.ts';

/** The maximum number of names in a line; only the table lists the others. */
const mostNever = 3;

function describeShare({ done, of }: Share, noun: string, rest = ''): readonly string[] {
  return of === 0 ? [] : [`${done} of ${plural(of, noun)}${rest}`];
}

/** Describes how many keywords of requests and of responses were tried; undefined if the schemas have none. */
export function describeKeywords(summary: ReturnType<typeof summarizeCoverage>): string | undefined {
  const parts = [
    ...describeShare(summary.requestKeywords, 'request rule'),
    ...describeShare(summary.answerKeywords, 'response rule'),
  ];
  return parts.length === 0 ? undefined : `${parts.join(' and ')} tried`;
}

/** Renders in a line what was exercised of the contract. A short line only counts what never was. */
export function renderCoverageLine(
  coverage: readonly OperationCoverage[],
  { width, isShort = false }: Look & { readonly isShort?: boolean },
): readonly string[] {
  const summary = summarizeCoverage(coverage);
  const parts = [
    ...describeShare(summary.succeeded, 'operation', ' answered with a success'),
    ...describeShare(summary.responses, 'response'),
    ...[describeKeywords(summary) ?? []].flat(),
  ];
  const never = listNever(coverage);
  const more = never.length > mostNever ? `; --coverage lists ${never.length - mostNever} more` : '';
  const named = isShort
    ? `; --coverage lists the other ${never.length}`
    : `. Not tried: ${never.slice(0, mostNever).join(', ')}${more}`;
  const rest = never.length === 0 ? '' : named;
  return parts.length === 0 ? [] : wrapText(`Coverage: ${parts.join(', ')}${rest}.`, { width, indent: 2 });
}

/** Lists what was never exercised, in few words each. */
function listNever(coverage: readonly OperationCoverage[]): readonly string[] {
  return coverage.flatMap(({ operation, requests, responses, keywords }) => {
    if (requests === 0) return [operation];
    const statuses = responses.flatMap(({ status, seen }) => (seen > 0 ? [] : [`${operation} ${status}`]));
    const lacking = keywords.filter((keyword) => keyword.of !== 'response' && !isExercised(keyword));
    return [...statuses, ...lacking.map(nameKeyword)];
  });
}

function nameKeyword({ pointer, file }: KeywordCoverage): string {
  return `${file ?? ''}#${pointer}`;
}

/** Renders what was exercised of the contract, operation by operation and keyword by keyword. */
export function renderCoverageTable(coverage: readonly OperationCoverage[], look: Look): readonly string[] {
  return [
    '',
    'What of the contract was exercised:',
    ...coverage.flatMap((one) => renderOperation(one, look)),
  ];
}

function renderOperation(covered: OperationCoverage, look: Look): readonly string[] {
  const { operation, requests, accepted, reason, responses, undeclared, keywords } = covered;
  const { paint } = look;
  const mark = (isSeen: boolean): string => (isSeen ? paint('good', '✓') : paint('faint', '–'));
  const why = reason === undefined ? '' : `; ${reason}`;
  const figures = `${plural(requests, 'request')}, ${accepted} of those without a fault accepted${why}`;
  const bodies = listBodies(covered);
  const others = undeclared.map(({ status, seen }) => `${status} ${seen}×`);
  const lines: readonly (readonly [indent: number, line: string])[] = [
    [4, `  ${paint('strong', operation)} ${paint('faint', figures)}`],
    ...(bodies.length === 0 ? [] : [[6, `    bodies: ${bodies.join(', ')}`] as const]),
    ...responses.map(({ status, seen, reason: never = '' }) => {
      const words = seen > 0 ? `seen ${seen}×` : `never: ${never}`;
      return [8, `    ${mark(seen > 0)} response ${status} ${paint('faint', words)}`] as const;
    }),
    ...(others.length === 0 ? [] : [[6, `    not declared, and seen: ${others.join(', ')}`] as const]),
    ...keywords.map((keyword) => {
      const { of, met, broken, reason: never } = keyword;
      const words = `met ${met}×, broken ${broken}×${never === undefined ? '' : `: ${never}`}`;
      const name = `${of.padEnd(9)} ${nameKeyword(keyword)}`;
      return [8, `    ${mark(isExercised(keyword))} ${name} ${paint('faint', words)}`] as const;
    }),
  ];
  return lines.flatMap(([indent, line]) => wrapText(line, { ...look, indent }));
}

/** Lists the bodies of declared media types by kind; all other media types are one kind. */
function listBodies({ bodies }: OperationCoverage): readonly string[] {
  const others = bodies.reduce((sum, { kind, sent }) => (kind === 'other-media' ? sum + sent : sum), 0);
  const declared = bodies.filter(({ kind }) => kind !== 'other-media');
  return [
    ...declared.map(({ mediaType, kind, sent }) => `${mediaType} ${kind} ${sent}×`),
    ...(others === 0 ? [] : [`in other media types ${others}×`]),
  ];
}
