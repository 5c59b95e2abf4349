import type { Paint } from '../../errors/console-text.ts';
import type { ExplainedAnswer, ExplainedOperation, ExplainedSuite, Explanation } from '../explain.ts';
import { plural, wrapText } from './format.ts';

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
    if (answer === undefined) return [];
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
function renderAnswers({ answers }: Explanation, look: Look): readonly string[] {
  const rows = toRows(answers);
  const open = new Set(answers.filter(({ state }) => state === 'open').map(({ question }) => question)).size;
  const all = new Set(answers.map(({ question }) => question)).size;
  return rows.length === 0
    ? []
    : [look.paint('strong', `${open} of ${plural(all, 'question')} open`), '', ...renderSections(rows, look)];
}

/** How an explanation is shown. */
interface ExplanationLook {
  readonly paint: Paint;
  /** Undefined where there are no columns to fit. */
  readonly width: number | undefined;
}

const labelWidth = 12;

function describeKey({ key, evidence }: ExplainedOperation): string {
  switch (key?.from) {
    case 'client':
      return `"${key.property ?? ''}", which the client sends: ${evidence}`;
    case 'server':
      return `"${key.property ?? ''}", which the service makes: ${evidence}`;
    default:
      return `none: ${evidence}`;
  }
}

function describeSecurity({ security }: ExplainedOperation): string {
  if (security.length === 0) return 'everybody: no security applies';
  return security
    .map(
      (schemes) =>
        schemes.map(({ name, kind }) => (name === kind ? name : `${name} (${kind})`)).join(' with ') ||
        'everybody',
    )
    .join(', or ');
}

function describeResponse({ status, mediaTypes }: ExplainedOperation['responses'][number]): string {
  return mediaTypes.length === 0 ? `${status} without content` : `${status} ${mediaTypes.join(' or ')}`;
}

function renderOperation(
  operation: ExplainedOperation,
  { paint, width }: ExplanationLook,
): readonly string[] {
  const { id, method, path, requestBody, parameters, responses } = operation;
  const name = `${method} ${path}`;
  const body =
    requestBody === null
      ? 'no body'
      : `${requestBody.mediaTypes.join(' or ')}${requestBody.required ? ', required' : ', optional'}`;
  const rows: readonly (readonly [string, string | undefined])[] = [
    [
      'does',
      operation.kind === 'create'
        ? `creates a resource of ${operation.collection ?? path}`
        : `answers with a sample: ${operation.evidence}`,
    ],
    ['key', operation.kind === 'create' ? describeKey(operation) : undefined],
    ['takes', body],
    [
      'parameters',
      parameters.map((each) => `${each.name} (${each.in}${each.required ? ', required' : ''})`).join(', ') ||
        undefined,
    ],
    ['answers', responses.map(describeResponse).join(', ')],
    ['lets in', describeSecurity(operation)],
  ];
  return [
    `  ${paint('strong', name)}${id === name ? '' : ` ${paint('faint', id)}`}`,
    ...rows.flatMap(([label, words]) =>
      words === undefined
        ? []
        : wrapText(`    ${label.padEnd(labelWidth)}${words}`, { width, indent: 4 + labelWidth }),
    ),
    '',
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function renderSuite({ id, properties }: ExplainedSuite, look: ExplanationLook, idWidth: number): string {
  const cases = sum(properties.map((property) => property.cases));
  const figures = `${plural(properties.length, 'property', 'properties')}, ${plural(cases, 'case')}`;
  return `  ${id.padEnd(idWidth)}  ${look.paint('faint', figures)}`;
}

function renderRun({ run }: Explanation, look: ExplanationLook): readonly string[] {
  const { paint, width } = look;
  const tried = run.suites.filter(({ notApplicable }) => notApplicable === undefined);
  const properties = tried.flatMap((suite) => suite.properties);
  const sockets = properties.filter(({ viaSocket }) => viaSocket).length;
  const idWidth = Math.max(0, ...tried.map(({ id }) => id.length));
  const totals = [
    plural(properties.length, 'property', 'properties'),
    plural(sum(properties.map(({ cases }) => cases)), 'case'),
    `at most ${plural(sum(properties.map(({ requests }) => requests)), 'request')}`,
  ].join(', ');
  const overSockets =
    sockets === 0
      ? ''
      : `; ${plural(sockets, 'property', 'properties')} over a raw socket, to a base URL alone`;
  return [
    paint('strong', 'What a run will check'),
    '',
    ...tried.map((suite) => renderSuite(suite, look, idWidth)),
    ...wrapText(`  ${totals}${overSockets}`, { width, indent: 2 }),
    ...run.suites.flatMap(({ id, notApplicable }) =>
      notApplicable === undefined
        ? []
        : wrapText(`  not applicable: ${id} (${notApplicable})`, { width, indent: 4 }).map((line) =>
            paint('faint', line),
          ),
    ),
  ];
}

/** An explanation for people: what the document says, what it leaves open, and what a run will check. */
export function renderExplanation(explanation: Explanation, look: ExplanationLook): readonly string[] {
  const { contract, operations } = explanation;
  const { paint, width } = look;
  return [
    ...wrapText(
      `${paint('strong', contract.title)} ${contract.version} ${paint('faint', `(${contract.source}, OpenAPI ${contract.openapi})`)}`,
      { width, indent: 2 },
    ),
    '',
    paint('strong', 'What it says'),
    '',
    ...operations.flatMap((operation) => renderOperation(operation, look)),
    ...renderAnswers(explanation, look),
    ...renderRun(explanation, look),
  ];
}
