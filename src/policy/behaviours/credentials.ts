import type { DeclaredResponse, Operation } from '../../contract/contract.ts';
import {
  findDeclaredResponse,
  findExactResponse,
  isOfAnyKind,
  listErrorResponses,
} from '../../contract/responses.ts';
import { isJsonMediaType, matchesMediaRange } from '../../http/media-type.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { notAsked, unsettled } from '../probing.ts';
import type {
  ProbeSession,
  HiddenBy,
  ProbeExchange,
  ProbeResult,
  Behaviour,
  RefusedCredentials,
} from '../behaviour.ts';

/** The behaviour `missing-credentials`: status and body for a request without credentials, or with another scheme. */
export const missingCredentials: Behaviour<'missing-credentials'> = {
  id: 'missing-credentials',
  question: 'Which status and body does a request get without credentials, or with another scheme?',
  ...refusalTo('without credentials', 400),
  probe: { mostRequests: 2, needsTaken: false, ask: askMissing },
};

/** The behaviour `invalid-credentials`: status and body for a request with an unknown token. */
export const invalidCredentials: Behaviour<'invalid-credentials'> = {
  id: 'invalid-credentials',
  question: 'Which status and body does a request with an unknown token get?',
  ...refusalTo('with credentials that are not known', 404),
  probe: { mostRequests: 1, needsTaken: true, ask: askInvalid },
  hiddenBy: (answers) => (answers['accepted-tokens'] === 'any' ? noneRefused : undefined),
};

const noneRefused: HiddenBy = { by: 'accepted-tokens', why: 'every token is accepted' };

/** Describes a response to bad credentials as a phrase: `401 with an error body`. */
export function describeRefusedCredentials({ status, body }: RefusedCredentials): string {
  const bodies = {
    error: 'an error body',
    problem: 'a problem body (RFC 9457)',
    empty: 'no body',
    other: 'a body of its own',
  } as const;
  return `${status} with ${bodies[body]}`;
}

/**
 * Creates the common parts of the behaviours for rejected credentials. A document specifies them with a declared 401 or
 * 403. If it declares both, it does not specify which of them applies. `unusual` is another status to try.
 */
function refusalTo(
  whose: string,
  unusual: number,
): Omit<Behaviour<'missing-credentials'>, 'id' | 'question' | 'probe'> {
  return {
    default: { status: 401, body: 'error' },
    representatives: [
      { status: 401, body: 'error' },
      { status: 403, body: 'empty' },
      { status: 401, body: 'problem' },
      { status: unusual, body: 'error' },
    ],
    schema: {
      type: 'object',
      required: ['status', 'body'],
      additionalProperties: false,
      properties: {
        status: { type: 'integer', minimum: 300, maximum: 499, description: 'The status.' },
        body: {
          description: 'The body of the response.',
          oneOf: [
            { const: 'error', description: 'The error body that the document declares.' },
            { const: 'problem', description: 'application/problem+json (RFC 9457).' },
            { const: 'empty', description: 'Nothing.' },
            { const: 'other', description: 'Another body.' },
          ],
        },
      },
    },
    describe: describeRefusedCredentials,
    statuses: [401, 403],
    isDecidedByOpenApi: true,
    documentValue(operation) {
      const why = whyNoCredentials(operation);
      if (why !== undefined) return notAsked(why);
      const unauthorized = findExactResponse(operation, 401);
      const forbidden = findExactResponse(operation, 403);
      if (unauthorized !== undefined && forbidden !== undefined) {
        return {
          kind: 'open',
          says: 'It declares 401 and 403',
          settledBy: `x-cloche-policy would have to say which of the two comes to a request ${whose}`,
        };
      }
      const declared = unauthorized ?? forbidden;
      if (declared === undefined) {
        return {
          kind: 'open',
          settledBy: `The operation would have to declare 401 (or 403), for a request ${whose}`,
        };
      }
      const status = declared === unauthorized ? 401 : 403;
      return {
        kind: 'answered',
        pointer: declared.pointer,
        says: `It declares ${status}`,
        answer: { status, body: bodyOf(declared) },
      };
    },
    declare({ answer }) {
      const { status, body } = answer;
      const challenge: JsonObject = {
        'WWW-Authenticate': {
          description: 'Which credentials are wanted (RFC 9110 §11.6.1).',
          schema: { type: 'string' },
        },
      };
      const headers = status === 401 ? { headers: challenge } : {};
      const description = `A request ${whose}.`;
      return { additions: [{ kind: 'response', status, description, body, ...headers }], answer };
    },
  };
}

function bodyOf({ media }: DeclaredResponse): RefusedCredentials['body'] {
  if (media.length === 0) return 'empty';
  if (media.every(isOfAnyKind)) return 'other';
  return media.every(({ range }) => range.toLowerCase().startsWith('application/problem+json'))
    ? 'problem'
    : 'error';
}

/** Returns why an operation is not probed for credentials; undefined if it requires some (OpenAPI 3.1 §4.8.30). */
export function whyNoCredentials({ security }: Operation): string | undefined {
  if (security.length === 0) return 'no security applies';
  return security.some((alternative) => alternative.length === 0)
    ? 'its security lets anonymous requests in'
    : undefined;
}

/** Returns whether an operation requires credentials of kinds that the tool supports. */
export function asksCredentials({ security }: Operation): boolean {
  return (
    security.some((schemes) => schemes.length > 0 && schemes.every(({ kind }) => kind !== 'unjudged')) &&
    security.every((schemes) => schemes.length > 0)
  );
}

/** Sends no credentials, and those of another scheme. */
async function askMissing(probeSession: ProbeSession): Promise<ProbeResult<RefusedCredentials>> {
  if (!asksCredentials(probeSession.operation)) return notAsked('it asks for no credentials');
  const missing = readRefusal(probeSession, await probeSession.send({ credentials: 'missing' }));
  const other = readRefusal(probeSession, await probeSession.send({ credentials: 'other-scheme' }));
  if (missing.kind !== 'answer') return missing;
  if (other.kind !== 'answer') return other;
  const isOne = missing.answer.status === other.answer.status && missing.answer.body === other.answer.body;
  return isOne
    ? missing
    : unsettled(
        `no credentials get ${missing.answer.status} (${missing.answer.body}), and another scheme ${other.answer.status} (${other.answer.body})`,
      );
}

/** Sends a token that was never issued. */
async function askInvalid(probeSession: ProbeSession): Promise<ProbeResult<RefusedCredentials>> {
  if (!asksCredentials(probeSession.operation)) return notAsked('it asks for no credentials');
  const exchange = await probeSession.send({ credentials: 'unknown-token' });
  return exchange.isAccepted ? { kind: 'masked', ...noneRefused } : readRefusal(probeSession, exchange);
}

function readRefusal(
  { operation, contract }: ProbeSession,
  { status, receivedBytes, mediaType, received }: ProbeExchange,
): ProbeResult<RefusedCredentials> {
  if (status < 300 || status > 499) return unsettled(`it answers ${status}, which is no refusal`);
  if (status === 429) {
    return unsettled('it answers 429: a guard against guessing hides what it answers otherwise');
  }
  const content = { bytes: receivedBytes, mediaType, value: received };
  const [body, ...also] = listRefusalBodies(content, [operation, ...contract.operations]);
  // If the status is declared, the body is declared too.
  const isDeclared = findDeclaredResponse(operation.responses, status) !== undefined;
  const kinds = ['error', 'problem', 'empty', 'other'] as const;
  const others = isDeclared ? kinds.filter((kind) => kind !== body) : also;
  return {
    kind: 'answer',
    answer: { status, body },
    alike: others.map((kind) => ({ status, body: kind })),
  };
}

/** The content of a rejection: its media type without parameters, in lower case, and its value if it is JSON. */
interface RefusalContent {
  readonly bytes: number;
  readonly mediaType: string | undefined;
  readonly value: JsonValue | undefined;
}

/**
 * Returns the bodies of {@link RefusedCredentials} that match the content of a rejection, the most specific first. If
 * no operation declares an error, any JSON object is one.
 *
 * @param operations - the requested one first, undefined if a request reached none, then all of the contract
 */
export function listRefusalBodies(
  content: RefusalContent,
  operations: Iterable<Operation | undefined>,
): readonly [RefusedCredentials['body'], ...RefusedCredentials['body'][]] {
  if (content.bytes === 0) return ['empty'];
  const isOfDocument = isError(content, operations);
  if (isProblem(content)) return isOfDocument ? ['problem', 'error'] : ['problem'];
  return [isOfDocument ? 'error' : 'other'];
}

/** The members of a problem have the types of RFC 9457 §3.1, which an overlay declares too. */
function isProblem({ mediaType, value }: RefusalContent): boolean {
  if (mediaType !== 'application/problem+json' || value === undefined || !isJsonObject(value)) return false;
  const { title = '', status = 0, detail = '' } = value;
  return typeof title === 'string' && typeof detail === 'string' && Number.isInteger(status);
}

/** Returns whether the content matches the errors of the document: the response that a mock and an overlay use. */
function isError(
  { mediaType = '', value }: RefusalContent,
  operations: Iterable<Operation | undefined>,
): boolean {
  const isJson = isJsonMediaType(mediaType);
  for (const operation of operations) {
    const [error] = operation === undefined ? [] : listErrorResponses(operation);
    if (error === undefined) continue;
    const media = error.media.find(({ range }) => matchesMediaRange(mediaType, range));
    if (media === undefined || !isJson) return media !== undefined;
    const validate = media.schema?.validator({ formats: 'ignore', integers: 'by-value' });
    if (value === undefined) return false;
    const problems = validate?.(value, holdsExactNumber(value)) ?? [];
    // A value that matches two errors of the document, because nothing distinguishes them, still counts as one.
    return problems.every(({ keyword, params }) => keyword === 'oneOf' && params.matching > 1);
  }
  return isJson && isJsonObject(value);
}
