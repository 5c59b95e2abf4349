import type { Contract } from '../../src/contract/contract.ts';
import { stringifyJson } from '../../src/json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts';
import { documentAnswerOf } from '../../src/policy/document-answers.ts';
import { defaultPolicy, describeAnswer } from '../../src/policy/policy.ts';
import type { QuestionId } from '../../src/policy/question.ts';
import { questionIds, questions } from '../../src/policy/questions/index.ts';

function answersSchema(ids: readonly QuestionId[]): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(ids.map((id) => [id, { $ref: `#/$defs/${id}` }])),
  };
}

/** The JSON Schema (2020-12) of a policy file, which is published as `cloche/policy.schema.json`. */
export const policySchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Policy of Cloche',
  description:
    'Answers to what a document does not specify, for `--policy FILE`: how the mock behaves, and what a service is tested against.',
  type: 'object',
  required: ['answers'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string', minLength: 1, description: 'Where this schema is, for editors.' },
    contract: {
      type: 'string',
      minLength: 1,
      description: 'The OpenAPI document that it belongs to: a path relative to this file, or a URL.',
    },
    answers: {
      ...answersSchema(questionIds),
      description: 'The answers, by question. What is left out is not tested.',
      examples: [{ 'duplicate-key': 'conflict' }],
    },
    operations: {
      type: 'object',
      description:
        'The answers of single operations, by operationId; they take precedence over those of the service.',
      // What is about requests that reach no operation is answered for the whole service alone.
      additionalProperties: answersSchema(questionIds.filter((id) => questions[id].scope !== 'service')),
    },
    evidence: {
      type: 'object',
      description: 'Where the answers come from, for readers of the file. Cloche does not use it.',
    },
  },
  $defs: Object.fromEntries(
    Object.values(questions).map(({ id, question, schema, default: usual }) => [
      id,
      {
        title: question,
        ...schema,
        // `as`: an answer is JSON, but for being read only.
        default: usual as unknown as JsonObject,
      },
    ]),
  ),
};

const head = `# Unspecified behaviour

An OpenAPI document leaves many decisions to the service. Cloche knows each of them as a question with an id; a policy
is a set of answers, in a file that \`cloche/policy.schema.json\` describes:

\`\`\`yaml
contract: openapi.yaml # relative to this file
answers:
  duplicate-key: conflict
operations:
  createOrder: # takes precedence over the answers above
    missing-credentials: { status: 403, body: empty }
\`\`\`

\`--policy FILE\` reads it, and \`--answer duplicate-key=conflict\` (or \`--answer createOrder:duplicate-key=conflict\`)
answers one question. \`mock\` follows these answers, and the defaults for the rest. \`test\`, \`proxy\` and \`check\`
report a violation, [drift](checks.md#drift), where a service differs from an answer that was given. Where none
was given, they only note what the service does. \`learn\` finds out the answers of a running service and
writes such a file. For most answers about resources a run makes items of its own and follows them through several requests;
\`proxy\` and \`check\` hold a service to those that one request shows: \`read-only-sent\`, \`unknown-query-parameter\`, \`limit-above-maximum\`, the
number of \`list-default-limit\` and the order of ids. Not seen are a limit of lists above the seven items that a run makes, unless a list shows
more than it should, and \`creation\` where ids grow and \`key\` was said. A limit that is taken though \`refuse\` was said breaks the document: it is
[invalid-parameter-accepted](checks.md#invalid-parameter-accepted). Without \`--policy\`, a run still reads a policy file next to the document (\`openapi.policy.yaml\` next to \`openapi.yaml\`),
but uses only its \`echo\` and \`accepted-tokens\`.

A policy cannot override what the document specifies. A document specifies an answer by OpenAPI's own means, listed below with each question,
or by \`x-cloche-policy: { "<question>": <answer> }\` on an operation or at its root; \`explain --overlay\`
writes both for a policy. In the examples, "id" and other names are those of the document that ships with Cloche.
`;

/** What keeps an answer from showing, as a sentence; what has none always shows. */
export const hiddenBy: { readonly [Id in QuestionId]?: string } = {
  'invalid-credentials': 'By `accepted-tokens: any`: no token is refused.',
  'error-codes':
    'The code of a condition is hidden by any answer under which that condition does not arise, or has no error body.',
  constraints: 'By a `body-limit` that is smaller than the strings it constrains.',
  'undeclared-properties': 'By `echo: none`, unless they are refused: no response shows what is stored.',
  'int64-range': 'By `constraints` with narrower bounds, which refuse the integer first.',
};

function asCode(value: JsonValue): string {
  return `\`${stringifyJson(value)}\``;
}

function renderRange({ minimum, maximum }: JsonObject): string {
  if (minimum === -(2 ** 31) && maximum === 2 ** 31 - 1) return ', an int32';
  return typeof minimum === 'number' && typeof maximum === 'number'
    ? `, ${minimum.toLocaleString('en-US')} to ${maximum.toLocaleString('en-US')}`
    : '';
}

function renderWords({ description, oneOf }: JsonObject): string {
  const words = typeof description === 'string' ? [description] : [];
  const choices = (Array.isArray(oneOf) ? oneOf.filter(isJsonObject) : []).map(
    (choice) => `${asCode(choice['const'] ?? null)}: ${renderWords(choice)}`,
  );
  return [...words, ...choices].join(' ');
}

/** An answer that is written with members, a line for what it is and one for each of them. */
function renderForm(form: JsonObject, example: JsonValue): readonly string[] {
  const members = Object.entries(isJsonObject(form['properties']) ? form['properties'] : {});
  const lines = members.map(([name, member]) =>
    isJsonObject(member) ? `  - \`${name}\`${renderRange(member)}. ${renderWords(member)}` : '',
  );
  return [`- As in ${asCode(example)}. ${renderWords(form)}`.trimEnd(), ...lines];
}

function renderAnswers(id: QuestionId): readonly string[] {
  const { schema } = questions[id];
  // `as`: answers are JSON, but for being read only.
  const representatives = questions[id].representatives as unknown as readonly JsonValue[];
  const given = Array.isArray(schema['examples']) ? schema['examples'] : representatives;
  const example = given.find((answer) => typeof answer === 'object') ?? given.at(-1) ?? null;
  const branches = Array.isArray(schema['oneOf']) ? schema['oneOf'].filter(isJsonObject) : [schema];
  return branches.flatMap((branch) =>
    branch['const'] === undefined
      ? renderForm(branch, example)
      : [`- ${asCode(branch['const'])}: ${renderWords(branch)}`],
  );
}

/** What a document would have to say, each way once. */
function renderSettledBy(id: QuestionId, contract: Contract): string {
  const ways = contract.operations.flatMap((operation) => {
    const documentAnswer = documentAnswerOf({ id, operation, contract });
    return documentAnswer.kind === 'open' ? [documentAnswer.settledBy] : [];
  });
  return [...new Set(ways)].join('. ');
}

function renderQuestion(id: QuestionId, contract: Contract): string {
  const { question, scope, isOfResources } = questions[id];
  const whom =
    scope === 'service'
      ? 'the whole service'
      : isOfResources === true
        ? 'operations on resources'
        : 'each operation';
  const hidden = hiddenBy[id];
  return [
    `## ${id}`,
    '',
    `**${question}** Asked of ${whom}.`,
    '',
    ...renderAnswers(id),
    '',
    // `as`: the default of a question is an answer to it.
    `The mock, by default: ${describeAnswer(id, defaultPolicy[id] as never)}.`,
    '',
    `To specify it in the document: ${renderSettledBy(id, contract)}.`,
    ...(hidden === undefined ? [] : ['', `Hidden from an observer: ${hidden}`]),
    '',
  ].join('\n');
}

/**
 * The page that says of each question what it asks, which answers it takes, and what would settle it; `#duplicate-key`
 * leads to that one.
 *
 * @param contract - one that leaves every question open, from which the names in the page come
 * @param resources - the same for the questions about resources
 */
export function renderPolicyDocs(contract: Contract, resources: Contract): string {
  return [
    head,
    ...questionIds.map((id) =>
      renderQuestion(id, questions[id].isOfResources === true ? resources : contract),
    ),
  ].join('\n');
}
