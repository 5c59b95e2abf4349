import type { BodyCoverage, KeywordCoverage, OperationCoverage } from '../../runner/events.ts';
import { isExercised, type Share, summarizeCoverage } from '../collect.ts';
import type { FindingSurroundings } from '../report.ts';
import { plural, wrapText } from './format.ts';

type Surroundings = Pick<FindingSurroundings, 'paint' | 'width'>;

/** More of them than this are told of in the whole table only. */
const mostNever = 3;

function say({ done, of }: Share, noun: string): readonly string[] {
  return of === 0 ? [] : [`${done} of ${plural(of, noun)}`];
}

function nameKeyword({ pointer, file }: KeywordCoverage): string {
  return `${file ?? ''}#${pointer}`;
}

/** What was never exercised, in few words each. */
function listNever(coverage: readonly OperationCoverage[]): readonly string[] {
  return coverage.flatMap(({ operation, requests, responses, keywords }) => {
    if (requests === 0) return [operation];
    const statuses = responses.flatMap(({ status, seen }) => (seen > 0 ? [] : [`${operation} ${status}`]));
    const lacking = keywords.filter((keyword) => keyword.of !== 'response' && !isExercised(keyword));
    return [...statuses, ...lacking.map(nameKeyword)];
  });
}

/** What of the contract was exercised, in a line. */
export function renderCoverageLine(
  coverage: readonly OperationCoverage[],
  { width }: Surroundings,
): readonly string[] {
  const { operations, responses, requestKeywords, answerKeywords } = summarizeCoverage(coverage);
  const parts = [
    ...say(operations, 'operation'),
    ...say(responses, 'response'),
    ...say(requestKeywords, 'keyword').map((words) => `${words} of requests met and broken`),
    ...say(answerKeywords, 'keyword').map((words) => `${words} of answers met`),
  ];
  const never = listNever(coverage);
  const more =
    never.length > mostNever ? `, and ${never.length - mostNever} more, which --coverage names` : '';
  const rest = never.length === 0 ? '' : ` Never: ${never.slice(0, mostNever).join(', ')}${more}.`;
  return parts.length === 0 ? [] : wrapText(`Coverage: ${parts.join(', ')}.${rest}`, { width, indent: 2 });
}

function renderKeyword(keyword: KeywordCoverage, { paint, width }: Surroundings): readonly string[] {
  const { of, met, broken, reason } = keyword;
  const mark = isExercised(keyword) ? paint('good', '✓') : paint('faint', '–');
  const figures = `met ${met}×, broken ${broken}×`;
  const why = reason === undefined ? '' : `: ${reason}`;
  return wrapText(
    `    ${mark} ${of.padEnd(9)} ${nameKeyword(keyword)} ${paint('faint', `${figures}${why}`)}`,
    {
      width,
      indent: 8,
    },
  );
}

/** Bodies of declared media types by kind; what came in others is one kind. */
function listBodies(bodies: OperationCoverage['bodies']): readonly string[] {
  const isOther = ({ kind }: BodyCoverage): boolean => kind === 'other-media';
  const others = bodies.filter(isOther).reduce((sum, { sent }) => sum + sent, 0);
  return [
    ...bodies
      .filter((body) => !isOther(body))
      .map(({ mediaType, kind, sent }) => `${mediaType} ${kind} ${sent}×`),
    ...(others === 0 ? [] : [`in other media types ${others}×`]),
  ];
}

function renderOperation(covered: OperationCoverage, surroundings: Surroundings): readonly string[] {
  const { operation, requests, accepted, reason, bodies, responses, undeclared, keywords } = covered;
  const { paint, width } = surroundings;
  const why = reason === undefined ? '' : `; ${reason}`;
  const sent = listBodies(bodies);
  const others = undeclared.map(({ status, seen }) => `${status} ${seen}×`);
  return [
    ...wrapText(
      `  ${paint('strong', operation)} ${paint('faint', `${plural(requests, 'request')}, ${accepted} of those without a fault taken${why}`)}`,
      { width, indent: 4 },
    ),
    ...(sent.length === 0 ? [] : wrapText(`    bodies: ${sent.join(', ')}`, { width, indent: 6 })),
    ...responses.flatMap(({ status, seen, reason: never }) => {
      const mark = seen > 0 ? paint('good', '✓') : paint('faint', '–');
      const words = seen > 0 ? `seen ${seen}×` : `never: ${never ?? ''}`;
      return wrapText(`    ${mark} response ${status} ${paint('faint', words)}`, { width, indent: 8 });
    }),
    ...(others.length === 0
      ? []
      : wrapText(`    not declared, and seen: ${others.join(', ')}`, { width, indent: 6 })),
    ...keywords.flatMap((keyword) => renderKeyword(keyword, surroundings)),
  ];
}

/** What of the contract was exercised, operation by operation and keyword by keyword. */
export function renderCoverageTable(
  coverage: readonly OperationCoverage[],
  surroundings: Surroundings,
): readonly string[] {
  return [
    '',
    'What of the contract was exercised:',
    ...coverage.flatMap((one) => renderOperation(one, surroundings)),
  ];
}
