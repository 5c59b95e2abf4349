import { describeWarning } from '../../contract/contract.ts';
import type { ExplainedAnswer, ExplainedOperation, ExplainedSuite, Explanation } from '../explain.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import { groupBy } from '../collect.ts';
import { type Look, plural, wrapFaint, wrapText } from '../format.ts';

/** Renders an explanation for people: what the document specifies, what it does not, and what a run checks. */
export function renderExplanation(explanation: Explanation, look: Look): readonly string[] {
  const { contract, warnings, operations, misfits, answers, run } = explanation;
  const { title, version, source, openapi } = contract;
  const { paint } = look;
  const errors = warnings.flatMap((warning) => wrapText(describeWarning(warning), { ...look, indent: 2 }));
  const aside = paint('faint', `(${source}, OpenAPI ${openapi})`);
  return [
    ...wrapText(`${paint('strong', title)} ${version} ${aside}`, { ...look, indent: 2 }),
    '',
    ...renderSection('What is wrong in it', errors, look),
    ...renderResources(operations, look),
    ...renderSamples(operations, look),
    ...renderMismatches(misfits, operations, look),
    paint('strong', 'What it says'),
    '',
    ...operations.flatMap((operation) => [...renderOperation(operation, look), '']),
    ...renderAnswers(answers, look),
    paint('strong', 'What a run will check'),
    '',
    ...renderRun(run, look),
  ];
}

/** Renders lines below a title, and an empty line after them; nothing if there are no lines. */
function renderSection(title: string, lines: readonly string[], look: Look): readonly string[] {
  return lines.length === 0
    ? []
    : [...wrapText(look.paint('strong', title), { ...look, indent: 0 }), '', ...lines, ''];
}

const labelWidth = 12;

/** Descriptions of the effect of an operation of the mock. */
const does: Readonly<Record<ExplainedOperation['kind'], (collection: string, evidence: string) => string>> = {
  create: (collection) => `creates a resource of ${collection}`,
  list: (collection) => `lists ${collection}`,
  read: (collection) => `reads one of ${collection}`,
  replace: (collection) => `replaces one of ${collection}`,
  update: (collection) => `updates one of ${collection}`,
  delete: (collection) => `deletes one of ${collection}`,
  action: (collection) => `does something with one of ${collection}, and answers with it as it is`,
  sample: (_, evidence) => `answers with a sample: ${evidence}`,
};

/** Renders a table of the resources: what each operation does, and the confidence in it. */
function renderResources(operations: readonly ExplainedOperation[], look: Look): readonly string[] {
  const resources = groupBy(
    operations.filter(({ isKept }) => isKept === true),
    ({ collection = '' }) => collection,
  );
  const byParent = groupBy([...resources.values()], ([{ parent = '' } = {}]) =>
    resources.has(parent) ? parent : '',
  );

  /** Renders the resources below a resource, or those at the top, each with the resources below it. */
  function renderBelow(above: string, depth: number): readonly string[] {
    return (byParent.get(above) ?? []).flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : [
            ...renderResource([first, ...others], depth, look),
            ...renderBelow(first.collection ?? '', depth + 1),
          ],
    );
  }

  return renderSection('What it keeps', renderBelow('', 0), look);
}

function renderResource(
  members: readonly [ExplainedOperation, ...ExplainedOperation[]],
  depth: number,
  look: Look,
): readonly string[] {
  const [{ collection = '', key, certainty, isSingleton, evidence }] = members;
  const start = ' '.repeat(2 + 2 * depth);
  const maker = key?.from === 'client' ? 'client' : 'service';
  let id = key?.property === undefined ? 'no id of its own' : `id: ${key.property}, made by the ${maker}`;
  if (isSingleton === true) id = 'one alone';
  const why = certainty === 'likely' || certainty === 'guessed' ? ` (${evidence})` : '';
  const facts = look.paint('faint', `${id}; ${certainty ?? ''}${why}`);
  const line = `${start}${look.paint('strong', collection)}  ${facts}`;
  return [
    ...wrapText(line, { ...look, indent: start.length + 4 }),
    ...members.map((member) => `${start}  ${member.kind.padEnd(9)}${renderMember(member, look)}`),
  ];
}

/** Renders an operation. Of a path that continues a long collection path, only the rest is shown. */
function renderMember(member: ExplainedOperation, { paint }: Look): string {
  const { method, path, collection = '', requestMember, responseMember } = member;
  const isLong = collection.length > 30 && path.startsWith(collection) && path !== collection;
  const inside = [
    requestMember === undefined ? '' : `sent in ${requestMember}`,
    responseMember === undefined ? '' : `shown in ${responseMember}`,
  ].filter((words) => words !== '');
  const place = isLong ? `…${path.slice(collection.length)}` : path;
  return `${method} ${place}${inside.length === 0 ? '' : `  ${paint('faint', inside.join(', '))}`}`;
}

/** Renders the operations that no stored resource answers, by reason: a wrong guess is easy to see among few. */
function renderSamples(operations: readonly ExplainedOperation[], look: Look): readonly string[] {
  const samples = operations.filter(({ isKept }) => isKept !== true);
  if (samples.length === 0) return [];
  const reasonOf = ({ kind, evidence }: ExplainedOperation): string =>
    kind === 'sample' ? evidence : 'no operation creates what it reads or changes';
  const lines = [...groupBy(samples, reasonOf)].flatMap(([reason, alike]) => [
    ...wrapFaint(`  ${reason}`, { ...look, indent: 4 }),
    ...alike.map(({ method, path }) => `    ${method} ${path}`),
  ]);
  const hint = '  Where this is wrong, "x-cloche-resource: { name, role, key }" on an operation says it.';
  return [
    ...renderSection('What it answers with samples', lines, look),
    ...wrapFaint(hint, { ...look, indent: 2 }),
    '',
  ];
}

/** Renders the operations whose samples do not match their schemas, by method and path, and the reason. */
function renderMismatches(
  misfits: Explanation['misfits'],
  operations: readonly ExplainedOperation[],
  look: Look,
): readonly string[] {
  const title = 'Samples that do not fit their schemas';
  if (misfits?.length === 0 || operations.every(({ isKept }) => isKept === true)) return [];
  if (misfits === undefined) {
    const why = `  not looked for, as there are ${operations.length} operations; --samples makes them all`;
    return renderSection(title, wrapFaint(why, { ...look, indent: 2 }), look);
  }
  const named = new Map(operations.map(({ id, method, path }) => [id, `${method} ${path}`]));
  const lines = misfits.flatMap(({ operation, mediaType, status, message }) => [
    `  ${named.get(operation) ?? operation}  ${look.paint('faint', [status, mediaType].filter((each) => each !== undefined).join(' '))}`,
    ...wrapFaint(`    ${message}`, { ...look, indent: 4 }),
  ]);
  return renderSection(title, lines, look);
}

function renderOperation(operation: ExplainedOperation, look: Look): readonly string[] {
  const { id, method, path, kind, requestBody, parameters, responses } = operation;
  const { paint } = look;
  const name = `${method} ${path}`;
  const rows = {
    does:
      operation.isKept === false
        ? `${does[kind](operation.collection ?? path, '')}: a sample, as no operation creates one`
        : does[kind](operation.collection ?? path, operation.evidence),
    key: kind === 'create' ? describeKey(operation) : '',
    takes:
      requestBody === null
        ? 'no body'
        : `${requestBody.mediaTypes.join(' or ')}, ${requestBody.required ? 'required' : 'optional'}`,
    parameters: parameters
      .map((each) => `${each.name} (${each.in}${each.required ? ', required' : ''})`)
      .join(', '),
    answers: responses
      .map(({ status, mediaTypes }) => `${status} ${mediaTypes.join(' or ') || 'without content'}`)
      .join(', '),
    auth: describeSecurity(operation),
  };
  return [
    `  ${paint('strong', name)}${id === name ? '' : ` ${paint('faint', id)}`}`,
    ...Object.entries(rows)
      .filter(([label, words]) => words !== '' || label === 'answers')
      .flatMap(([label, words]) =>
        wrapText(`    ${label.padEnd(labelWidth)}${words}`, { ...look, indent: 4 + labelWidth }),
      ),
  ];
}

function describeKey({ key }: ExplainedOperation): string {
  if (key === undefined) return 'none';
  if (key.from === 'none') return `none: ${key.evidence}`;
  const origin = key.from === 'client' ? 'the client sends' : 'the service makes';
  return `"${key.property ?? ''}", which ${origin}: ${key.evidence}`;
}

function describeSecurity({ security }: ExplainedOperation): string {
  if (security.length === 0) return 'everybody: no security applies';
  return security
    .map(
      (schemes) =>
        schemes
          .map(({ name, kind, scopes = [] }) => {
            const scoped = scopes.length === 0 ? '' : `: ${scopes.join(' ')}`;
            return `${name === kind ? name : `${name} (${kind})`}${scoped}`;
          })
          .join(' with ') || 'everybody',
    )
    .join(', or ');
}

/** Operations with the same state of a behaviour. */
interface Row {
  readonly answer: ExplainedAnswer;
  /** Empty if the row applies to all operations. */
  readonly operations: readonly string[];
}

/** Renders the behaviours: which the document decides, which it does not specify, and what would decide them. */
function renderAnswers(answers: readonly ExplainedAnswer[], look: Look): readonly string[] {
  if (answers.length === 0) return [];
  const { paint } = look;
  const questionsIn = (...states: readonly ExplainedAnswer['state'][]): ReadonlySet<BehaviourId> =>
    new Set(answers.flatMap(({ question, state }) => (states.includes(state) ? [question] : [])));
  const all = questionsIn('open', 'answered', 'not-asked');
  const asked = questionsIn('open', 'answered');
  const open = questionsIn('open');
  const rows = toRows(answers, asked);
  const idWidth = Math.max(...rows.map(({ answer }) => answer.question.length)) + 2;
  const indent = 2 + idWidth;

  function renderRow({ answer, operations }: Row, sentence: string | undefined): readonly string[] {
    const words = answer.answer?.words ?? answer.says ?? '';
    const where = operations.length === 0 ? '' : ` ${paint('faint', `(${operations.join(', ')})`)}`;
    const from = answer.from === 'policy' ? ` ${paint('good', '(policy)')}` : '';
    return [
      ...wrapText(`  ${answer.question.padEnd(idWidth)}${words}${from}${where}`, { ...look, indent }),
      ...(sentence === undefined ? [] : wrapFaint(`${' '.repeat(indent)}${sentence}.`, { ...look, indent })),
    ];
  }

  function renderState(
    title: string,
    isIn: (answer: ExplainedAnswer) => boolean,
    sentenceOf: (answer: ExplainedAnswer) => string | undefined = () => undefined,
  ): readonly string[] {
    const shown = rows.filter(({ answer }) => isIn(answer));
    const lines = shown.flatMap((row) => renderRow(row, sentenceOf(row.answer)));
    return renderSection(title, lines, look);
  }

  return [
    paint('strong', `${open.size} of ${plural(all.size, 'behaviour')} undecided`),
    '',
    ...renderState(
      'What it specifies',
      ({ state }) => state === 'answered',
      ({ answer, says = '', place }) => {
        const file = place?.file === undefined ? '' : `${place.file}, `;
        const line = place?.line === undefined ? '' : ` (${file}line ${place.line})`;
        return answer && `${says}${line}`;
      },
    ),
    ...renderState(
      'What it does not specify, and what the mock does',
      ({ state, hasWords }) => state === 'open' && hasWords === true,
      ({ says, settledBy }) => [says, settledBy].filter((each) => each !== undefined).join('; '),
    ),
    ...renderState(
      'What OpenAPI has no words for; x-cloche-policy could say it',
      ({ state, hasWords }) => state === 'open' && hasWords === false,
    ),
    ...renderState('What there is no occasion to ask', ({ state }) => state === 'not-asked'),
  ];
}

/**
 * Groups equal answers into rows. A row names its operations unless it applies to all. Operations to which a behaviour
 * does not apply have no row if it applies to others.
 */
function toRows(answers: readonly ExplainedAnswer[], asked: ReadonlySet<BehaviourId>): readonly Row[] {
  const counts = new Map<BehaviourId, number>();
  for (const { question } of answers) counts.set(question, (counts.get(question) ?? 0) + 1);
  const groups = groupBy(
    answers.filter(({ question, state }) => state !== 'not-asked' || !asked.has(question)),
    ({ question, state, answer, from, says, settledBy }) =>
      [question, state, answer?.words, from, says, settledBy].join('\0'),
  );
  return [...groups.values()].flatMap((alike) =>
    alike.slice(0, 1).map((answer) => {
      const isWhole = alike.length === counts.get(answer.question);
      return { answer, operations: isWhole ? [] : alike.flatMap(({ operation }) => operation ?? []) };
    }),
  );
}

function renderRun({ suites }: Explanation['run'], look: Look): readonly string[] {
  const tried = suites.filter(({ notApplicable }) => notApplicable === undefined);
  const properties = tried.flatMap((suite) => suite.properties);
  const sockets = properties.filter(({ viaSocket }) => viaSocket).length;
  const idWidth = Math.max(0, ...tried.map(({ id }) => id.length));
  const requests = properties.reduce((total, property) => total + property.requests, 0);
  const overSockets =
    sockets === 0
      ? ''
      : `; ${plural(sockets, 'property', 'properties')} over a raw socket, to a base URL alone`;
  const totals = `up to ${countProperties(properties)}, ${plural(requests, 'request')}${overSockets}`;
  return [
    ...tried.map((suite) => {
      const figures = look.paint('faint', countProperties(suite.properties));
      return `  ${suite.id.padEnd(idWidth)}  ${figures}`;
    }),
    ...wrapText(`  ${totals}`, { ...look, indent: 2 }),
    ...suites.flatMap(({ id, notApplicable }) =>
      notApplicable === undefined
        ? []
        : wrapFaint(`  not applicable: ${id} (${notApplicable})`, { ...look, indent: 4 }),
    ),
  ];
}

function countProperties(properties: ExplainedSuite['properties']): string {
  const cases = properties.reduce((total, property) => total + property.cases, 0);
  return `${plural(properties.length, 'property', 'properties')}, ${plural(cases, 'case')}`;
}
