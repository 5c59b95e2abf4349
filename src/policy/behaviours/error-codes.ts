import type { DeclaredResponse } from '../../contract/contract.ts';
import { statusOf } from '../../contract/responses.ts';
import { isStructured } from '../../http/codecs/registry.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { type JsonSchema, schemasInPlace, schemaTypes } from '../../schema/walk.ts';
import { findErrorCode } from '../error-code.ts';
import {
  invalidBody,
  isRefused,
  notAsked,
  unspecified,
  readTexts,
  unknownMethod,
  unknownPath,
  withMember,
  writeBody,
} from '../probing.ts';
import type { ProbeSession, Condition, ProbeRequest, Behaviour, BehaviourId, Probed } from '../behaviour.ts';
import { asksCredentials } from './credentials.ts';

/** The meaning of each condition. */
const conditions: Readonly<Record<Condition, string>> = {
  'missing-credentials': 'No credentials, or credentials of another scheme.',
  'invalid-credentials': 'An unknown token.',
  'insufficient-scope': 'A token without a required scope.',
  'malformed-body': 'A body that is not JSON.',
  'missing-body': 'A required body is missing.',
  'invalid-body': 'A body that its schema does not accept.',
  'invalid-parameter': 'A parameter that its schema does not accept.',
  'unsupported-media-type': 'A body in another media type.',
  'body-too-large': 'A body past the limit.',
  'duplicate-key': 'An id that exists already.',
  'duplicate-value': 'A value that exists already, of a property that must be unique.',
  'not-acceptable': 'An Accept that cannot be satisfied.',
  'not-found': 'An item that is not there.',
  forbidden: 'An item of another user.',
  'precondition-failed': 'An If-Match or If-None-Match that the item does not meet.',
  'precondition-required': 'A change without the If-Match that the service asks for.',
  'idempotency-key-reused': 'An Idempotency-Key of another request.',
  'idempotency-key-in-flight': 'An Idempotency-Key of a request that is still in progress.',
  'not-empty': 'An item that others are below.',
  'unknown-path': 'An unknown path.',
  'unknown-method': 'An undeclared method.',
  'too-many-requests': 'Too many requests.',
};

/** The behaviour `error-codes`: the code in an error body. */
export const errorCodes: Behaviour<'error-codes'> = {
  id: 'error-codes',
  question: 'What is the code in an error body?',
  default: 'status',
  representatives: ['status', { 'malformed-body': 1001, 'invalid-body': 1002, 'duplicate-key': 1003 }],
  schema: {
    oneOf: [
      { const: 'status', description: 'The HTTP status.' },
      {
        type: 'object',
        description: 'A number for each condition; the HTTP status for those not named.',
        minProperties: 1,
        additionalProperties: false,
        properties: Object.fromEntries(
          Object.entries(conditions).map(([condition, description]) => [
            condition,
            { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1, description },
          ]),
        ),
      },
    ],
  },
  describe: (answer) =>
    answer === 'status'
      ? 'the HTTP status'
      : `${Object.entries(answer)
          .map(([condition, code]) => `${code} for ${condition}`)
          .join(', ')}, else the HTTP status`,
  documentValue(operation) {
    const errors = operation.responses.filter((response) => isError(response) && response.media.length > 0);
    const [first] = errors;
    if (first === undefined) return unspecified;
    const schemas = errors.flatMap(({ media }) =>
      media.filter(isStructured).flatMap(({ schema }) => (schema === undefined ? [] : [schema.schema])),
    );
    const codes = schemas.flatMap(listCodes);
    if (schemas.length > 0 && codes.length === 0) {
      return notAsked('no error body that it declares holds a number');
    }
    return codes.length > 0 && codes.every(({ isListed }) => isListed)
      ? { kind: 'answered', pointer: first.pointer, says: 'The schema of its error body lists the codes' }
      : unspecified;
  },
  probe: { mostRequests: 14, needsTaken: true, ask },
  // The number of a condition shows only if the condition occurs, with an error body.
  hiddenBy(answers) {
    const codes = answers['error-codes'];
    if (!isJsonObject(codes)) return undefined;
    const found = hidden.find(
      ([condition, by, isHidden]) => Object.hasOwn(codes, condition) && isHidden(answers[by]),
    );
    return found && { by: found[1], why: `no error body shows the number of ${found[0]}` };
  },
};

const refusals: readonly unknown[] = ['refuse', 'conflict', 'unprocessable', undefined];
const isBodyless = (answer: JsonValue | undefined): boolean =>
  isJsonObject(answer) && answer['body'] !== 'error';

/** Conditions that show no number with some values of other behaviours. */
const hidden: readonly (readonly [Condition, BehaviourId, (answer: JsonValue | undefined) => boolean])[] = [
  ['duplicate-key', 'duplicate-key', (answer) => !refusals.includes(answer)],
  ['duplicate-value', 'unique-properties', (answer) => !Array.isArray(answer) || answer.length === 0],
  ['unsupported-media-type', 'unsupported-media-type', (answer) => answer === 'read'],
  ['not-acceptable', 'accept', (answer) => answer !== 406],
  ['invalid-credentials', 'accepted-tokens', (answer) => answer === 'any'],
  ['invalid-credentials', 'invalid-credentials', isBodyless],
  ['missing-credentials', 'missing-credentials', isBodyless],
  ['too-many-requests', 'rate-limit', () => true],
];

function isError(response: DeclaredResponse): boolean {
  return response.status.kind === 'default' || statusOf(response) >= 400;
}

/** Returns the numbers in an error body, and whether the document lists their values. */
function listCodes(schema: JsonSchema): readonly { readonly isListed: boolean }[] {
  return [...schemaProperties(schema).values()]
    .filter((property) => {
      const types = schemaTypes(property.schema, schema);
      return types.has('integer') || types.has('number');
    })
    .map((property) => ({
      isListed: schemasInPlace(schema, property.schema).some(
        (part) => Object.hasOwn(part, 'enum') || Object.hasOwn(part, 'const'),
      ),
    }));
}

/** Sends requests that are wrong in one way each, and reads the number in the error body. */
async function ask(probeSession: ProbeSession): Probed<'error-codes'> {
  const codes: Partial<Record<Condition, number>> = {};
  let seen = 0;
  const provocations = [ofCredentials, ofBody, ofResources, ofOthers].flatMap((list) => list(probeSession));
  for (const [condition, ...requests] of provocations) {
    for (const [index, request] of requests.entries()) {
      const exchange = await probeSession.send(request);
      const code =
        isRefused(exchange) && index === requests.length - 1
          ? findErrorCode(exchange.received, exchange.status, probeSession.operation)
          : undefined;
      seen += code === undefined ? 0 : 1;
      if (code !== undefined && code !== exchange.status) {
        codes[condition] = code;
      }
    }
  }
  if (seen === 0) return notAsked('its error bodies hold no number');
  return { kind: 'answer', answer: Object.keys(codes).length === 0 ? 'status' : codes };
}

/** The requests that cause a condition. The last one shows it. */
type Provocation = readonly [Condition, ...(readonly ProbeRequest[])];

function ofCredentials({ operation }: ProbeSession): readonly Provocation[] {
  if (!asksCredentials(operation)) return [];
  return [
    ['missing-credentials', { credentials: 'missing' }],
    ['invalid-credentials', { credentials: 'unknown-token' }],
  ];
}

function ofBody(probeSession: ProbeSession): readonly Provocation[] {
  const { requestBody } = probeSession.operation;
  if (requestBody === undefined || probeSession.sample() === undefined) return [];
  const invalid = invalidBody(probeSession);
  const missing: Provocation = ['missing-body', { body: undefined }];
  return [
    ['malformed-body', { body: ['{'] }],
    ...(requestBody.required ? [missing] : []),
    ...(invalid === undefined ? [] : [['invalid-body', { body: [invalid] }] as const]),
    ...(probeSession.settled('unsupported-media-type') === 'read'
      ? []
      : [['unsupported-media-type', { contentType: 'application/x-cloche' }] as const]),
    ...ofLimit(probeSession),
  ];
}

function ofLimit(probeSession: ProbeSession): readonly Provocation[] {
  const limit = probeSession.settled('body-limit');
  const bytes = isJsonObject(limit) ? limit['bytes'] : undefined;
  const members = probeSession.sample();
  return typeof bytes === 'number' && members !== undefined
    ? [['body-too-large', { body: [...writeBody(members), ' '.repeat(bytes)] }]]
    : [];
}

/** Returns creates that conflict with each other; each slot is a new id. */
function ofResources(probeSession: ProbeSession): readonly Provocation[] {
  const one = probeSession.sample(1) ?? [];
  const other = probeSession.sample(1) ?? [];
  const third = probeSession.sample(2) ?? [];
  const unique = probeSession.settled('unique-properties');
  const [name] = Array.isArray(unique) ? unique : [];
  const text = typeof name === 'string' ? readTexts(one).get(name) : undefined;
  const ofKey: Provocation = ['duplicate-key', { body: writeBody(one) }, { body: writeBody(other) }];
  if (probeSession.key === undefined) return [];
  if (typeof name !== 'string' || text === undefined) return [ofKey];
  return [ofKey, ['duplicate-value', { body: writeBody(withMember(third, name, [JSON.stringify(text)])) }]];
}

function ofOthers(probeSession: ProbeSession): readonly Provocation[] {
  const method = unknownMethod(probeSession);
  return [
    ...(probeSession.settled('accept') === 406
      ? [['not-acceptable', { accept: 'application/x-cloche' }] as const]
      : []),
    ...(method === undefined ? [] : [['unknown-method', method] as const]),
    ['unknown-path', unknownPath],
  ];
}
