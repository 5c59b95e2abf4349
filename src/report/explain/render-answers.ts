import { plural } from '../plural.ts';
import type { Paint } from '../../errors/console-text.ts';
import { wrapText } from '../wrap-text.ts';
import type { ExplainedAnswer, Explanation } from './explanation.ts';

interface Look {
  readonly paint: Paint;
  readonly width: number | undefined;
}

/** Operations for which a question stands alike. */
interface Row {
  readonly answer: ExplainedAnswer;
  /** Empty where it stands so for all. */
  readonly operations: readonly string[];
}

function likeness({ question, state, answer, from, says, settledBy }: ExplainedAnswer): string {
  return [question, state, answer?.words, from, says, settledBy].join('\0');
}

/** Rows for what is alike, the operations named where a question does not stand so for all. */
function toRows(answers: readonly ExplainedAnswer[]): readonly Row[] {
  const byLikeness = new Map<string, readonly ExplainedAnswer[]>();
  for (const answer of answers) {
    byLikeness.set(likeness(answer), [...(byLikeness.get(likeness(answer)) ?? []), answer]);
  }
  return [...byLikeness.values()].flatMap((alike): Row[] => {
    const [answer] = alike;
    if (answer === undefined) {
      return [];
    }
    const all = answers.filter(({ question }) => question === answer.question).length;
    const operations = alike.flatMap(({ operation }) => operation ?? []);
    return [{ answer, operations: alike.length === all ? [] : operations }];
  });
}

function renderSections(rows: readonly Row[], look: Look): readonly string[] {
  const { paint, width } = look;
  const idWidth = Math.max(0, ...rows.map(({ answer }) => answer.question.length)) + 2;
  const indent = 2 + idWidth;

  function renderRow({ answer, operations }: Row, sentence: string | undefined): readonly string[] {
    const words = answer.answer?.words ?? answer.says ?? '';
    const where = operations.length === 0 ? '' : ` ${paint('faint', `(${operations.join(', ')})`)}`;
    const from = answer.from === 'policy' ? ` ${paint('good', '(policy)')}` : '';
    return [
      ...wrapText(`  ${answer.question.padEnd(idWidth)}${words}${from}${where}`, { width, indent }),
      ...(sentence === undefined
        ? []
        : wrapText(`${' '.repeat(indent)}${sentence}.`, { width, indent }).map((line) =>
            paint('faint', line),
          )),
    ];
  }

  function renderSection(
    title: string,
    section: readonly Row[],
    sentenceOf: (answer: ExplainedAnswer) => string | undefined,
  ): readonly string[] {
    return section.length === 0
      ? []
      : [
          ...wrapText(paint('strong', title), { width, indent: 0 }),
          '',
          ...section.flatMap((row) => renderRow(row, sentenceOf(row.answer))),
          '',
        ];
  }

  const of = (state: ExplainedAnswer['state']): readonly Row[] =>
    rows.filter(({ answer }) => answer.state === state);
  const open = of('open');
  const asked = new Set(
    rows.flatMap(({ answer }) => (answer.state === 'not-asked' ? [] : [answer.question])),
  );
  const neverAsked = of('not-asked').filter(({ answer }) => !asked.has(answer.question));
  return [
    ...renderSection('What it answers itself', of('answered'), ({ answer, says, place }) => {
      const file = place?.file === undefined ? '' : `${place.file}, `;
      const line = place?.line === undefined ? '' : ` (${file}line ${place.line})`;
      return answer === undefined ? undefined : `${says ?? ''}${line}`;
    }),
    ...renderSection(
      'What it leaves open, with the answer of the mock',
      open.filter(({ answer }) => answer.hasWords === true),
      ({ says, settledBy }) => [says, settledBy].filter((each) => each !== undefined).join('; '),
    ),
    ...renderSection(
      'What OpenAPI has no words for; x-cloche-policy could say it',
      open.filter(({ answer }) => answer.hasWords === false),
      () => undefined,
    ),
    ...renderSection('What there is no occasion to ask', neverAsked, () => undefined),
  ];
}

/** How the questions stand, for people: what the document answers, what it leaves open, and where it would have to speak. */
export function renderAnswers({ answers }: Explanation, look: Look): readonly string[] {
  const rows = toRows(answers);
  const open = new Set(answers.filter(({ state }) => state === 'open').map(({ question }) => question)).size;
  const all = new Set(answers.map(({ question }) => question)).size;
  return rows.length === 0
    ? []
    : [look.paint('strong', `${open} of ${plural(all, 'question')} open`), '', ...renderSections(rows, look)];
}
