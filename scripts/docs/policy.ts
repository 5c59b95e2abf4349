import type { Contract } from '../../src/contract/contract.ts';
import { stringifyJson } from '../../src/json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts';
import { documentValueOf } from '../../src/policy/document-answers.ts';
import { defaultPolicy, describeValue } from '../../src/policy/policy.ts';
import type { BehaviourId } from '../../src/policy/behaviour.ts';
import { behaviourIds, behaviours } from '../../src/policy/behaviours/index.ts';

function answersSchema(ids: readonly BehaviourId[]): JsonObject {
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
    'The behaviour that a document does not specify, for `--policy FILE`: the mock follows it, and runs enforce it on a service.',
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
      ...answersSchema(behaviourIds),
      description: 'Values by the id of the behaviour. Runs do not enforce a behaviour that is left out.',
      examples: [{ 'duplicate-key': 'conflict' }],
    },
    operations: {
      type: 'object',
      description: 'Values for single operations, by operationId; they take precedence over `answers`.',
      // What is about requests that reach no operation is answered for the whole service alone.
      additionalProperties: answersSchema(behaviourIds.filter((id) => behaviours[id].scope !== 'service')),
    },
    evidence: {
      type: 'object',
      description: 'The origin of the values, for readers of the file. Cloche does not use it.',
    },
  },
  $defs: Object.fromEntries(
    Object.values(behaviours).map(({ id, question, schema, default: usual }) => [
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

An OpenAPI document leaves many decisions to the service. Cloche gives each of these behaviours an id and a set of values. A policy
file sets them; \`cloche/policy.schema.json\` is its JSON Schema:

\`\`\`yaml
contract: openapi.yaml # relative to this file
answers:
  duplicate-key: conflict
operations:
  createOrder: # takes precedence over the answers above
    missing-credentials: { status: 403, body: empty }
\`\`\`

\`--policy FILE\` reads the file. \`--answer duplicate-key=conflict\` sets one behaviour, and
\`--answer createOrder:duplicate-key=conflict\` sets it for one operation.

- \`mock\` follows these values, and the defaults for the rest.
- \`test\`, \`proxy\` and \`check\` report a violation, [drift](checks.md#drift), if the service differs from a value that the policy
  sets. If the policy sets none, they note what the service does.
- \`learn\` determines the values of a running service and writes a policy file.
- Without \`--policy\`, a run reads a policy file next to the document (\`openapi.policy.yaml\` next to \`openapi.yaml\`), but uses only its
  \`echo\` and \`accepted-tokens\`.

For most behaviours of resources, a run creates its own items and follows them through several requests. \`proxy\` and \`check\`
enforce only what one request shows: \`read-only-sent\`, \`unknown-query-parameter\`, \`limit-above-maximum\`, the number of
\`list-default-limit\` and the order by id. A run does not detect a default limit above seven items, unless a list shows more than the
limit, nor \`creation\` instead of \`key\` if ids grow. A service that accepts a limit above its maximum breaks the document, whatever the
policy says: [invalid-parameter-accepted](checks.md#invalid-parameter-accepted).

A policy cannot override the document. A document decides a behaviour by OpenAPI's own means, listed below, or by
\`x-cloche-policy: { "<id>": <value> }\` at its root or on an operation; \`explain --overlay\` writes both for a policy. In the
examples, "id" and other names are those of the document that ships with Cloche.
`;

/** Why a service may not show the value of a behaviour; behaviours without an entry always show. */
export const hiddenBy: { readonly [Id in BehaviourId]?: string } = {
  'invalid-credentials': 'Under `accepted-tokens: any`, no token is rejected.',
  'error-codes':
    'The code of a condition does not show under a value with which the condition does not arise, or has no error body.',
  constraints: 'A `body-limit` that is smaller than the constrained strings rejects them first.',
  'undeclared-properties':
    'Under `echo: none` no response shows what is stored, unless the body is rejected.',
  'int64-range': '`constraints` with narrower bounds reject the integer first.',
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

/** Renders a value that is an object: a line for the value and one for each member. */
function renderForm(form: JsonObject, example: JsonValue): readonly string[] {
  const members = Object.entries(isJsonObject(form['properties']) ? form['properties'] : {});
  const lines = members.map(([name, member]) =>
    isJsonObject(member) ? `  - \`${name}\`${renderRange(member)}. ${renderWords(member)}` : '',
  );
  return [`- As in ${asCode(example)}. ${renderWords(form)}`.trimEnd(), ...lines];
}

function renderAnswers(id: BehaviourId): readonly string[] {
  const { schema } = behaviours[id];
  // `as`: answers are JSON, but for being read only.
  const representatives = behaviours[id].representatives as unknown as readonly JsonValue[];
  const given = Array.isArray(schema['examples']) ? schema['examples'] : representatives;
  const example = given.find((answer) => typeof answer === 'object') ?? given.at(-1) ?? null;
  const branches = Array.isArray(schema['oneOf']) ? schema['oneOf'].filter(isJsonObject) : [schema];
  return branches.flatMap((branch) =>
    branch['const'] === undefined
      ? renderForm(branch, example)
      : [`- ${asCode(branch['const'])}: ${renderWords(branch)}`],
  );
}

/** Renders the ways in which a document can decide a behaviour, each once. */
function renderSettledBy(id: BehaviourId, contract: Contract): string {
  const ways = contract.operations.flatMap((operation) => {
    const documentValue = documentValueOf({ id, operation, contract });
    return documentValue.kind === 'open' ? [documentValue.settledBy] : [];
  });
  return [...new Set(ways)].join('. ');
}

function renderQuestion(id: BehaviourId, contract: Contract): string {
  const { question, scope, isOfResources } = behaviours[id];
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
    `**${question}** Decided for ${whom}.`,
    '',
    ...renderAnswers(id),
    '',
    // `as`: the default of a question is an answer to it.
    `Default: ${describeValue(id, defaultPolicy[id] as never)}.`,
    '',
    `In the document: ${renderSettledBy(id, contract)}.`,
    ...(hidden === undefined ? [] : ['', `May not show: ${hidden}`]),
    '',
  ].join('\n');
}

/**
 * Renders the page on unspecified behaviour: a section for each setting, with its values, its default and how a document decides it.
 *
 * @param contract - a contract that decides none of the settings; the page takes its names from there
 * @param resources - the same for the settings of resources
 */
export function renderPolicyDocs(contract: Contract, resources: Contract): string {
  return [
    head,
    ...behaviourIds.map((id) =>
      renderQuestion(id, behaviours[id].isOfResources === true ? resources : contract),
    ),
  ].join('\n');
}
