import { plural } from '../plural.ts';
import type { Paint } from '../../errors/console-text.ts';
import { wrapText } from '../wrap-text.ts';
import type { ExplainedOperation, ExplainedSuite, Explanation } from './explanation.ts';
import { renderAnswers } from './render-answers.ts';

/** How an explanation is shown. */
export interface ExplanationLook {
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
  if (security.length === 0) {
    return 'everybody: no security applies';
  }
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
