import type { DeclaredResponse, Operation } from '../../contract/contract.ts';
import { findDeclaredResponse, findExactResponse, isOfAnyKind } from '../../contract/responses.ts';
import { jsonEqual, type JsonObject } from '../../json/value.ts';
import { findErrorCode } from '../error-code.ts';
import { isRefused, notAsked, noWords, unsettled } from '../probing.ts';
import type {
  Asker,
  FindMask,
  Probe,
  ProbeExchange,
  ProbeReading,
  ProbeRequest,
  Question,
  QuestionSilence,
  RefusedCredentials,
} from '../question.ts';
import { listRefusalBodies } from '../refusal-bodies.ts';

/** Which credentials are let in. */
type AcceptedTokensAnswer =
  /** Any that is not empty. */
  | 'any'
  /** Those of a list. The list is never part of a policy: a policy holds no token. */
  | 'listed';

const acceptedTokensPhrases = {
  any: 'any token that is not empty',
  listed: 'only those of a list, which no policy holds',
} as const;

/** The question `accepted-tokens`: which tokens are good? */
export const acceptedTokens: Question<'accepted-tokens', AcceptedTokensAnswer> = {
  id: 'accepted-tokens',
  question: 'Which tokens are good?',
  scope: 'operation',
  default: 'any',
  representatives: ['any', 'listed'],
  schema: {
    oneOf: [
      { const: 'any', description: 'Any token that is not empty.' },
      {
        const: 'listed',
        description:
          'Those that --token, --token-file or the options of createMock give. A policy holds no token.',
      },
    ],
  },
  describe: (answer) => acceptedTokensPhrases[answer],
};

/** Whether a request is authenticated before its body is read or after. */
type AuthOrderAnswer = 'before' | 'after';

const authOrderPhrases = {
  before: 'credentials are checked before the body',
  after: 'credentials are checked after the body',
} as const;

/** The question `auth-order`: are credentials checked before the body? */
export const authOrder: Question<'auth-order', AuthOrderAnswer> = {
  id: 'auth-order',
  question: 'Are credentials checked before the body?',
  scope: 'operation',
  default: 'before',
  representatives: ['before', 'after'],
  schema: {
    oneOf: [
      { const: 'before', description: 'Credentials first: a body is not looked at without them.' },
      { const: 'after', description: 'The body first: what is wrong with it is told without credentials.' },
    ],
  },
  describe: (answer) => authOrderPhrases[answer],
};

const bodies = {
  error: 'an error body',
  problem: 'a problem body (RFC 9457)',
  empty: 'no body',
  other: 'a body of its own',
} as const;

/** An answer to bad credentials as a phrase: `401 with an error body`. */
export function describeRefusedCredentials({ status, body }: RefusedCredentials): string {
  return `${status} with ${bodies[body]}`;
}

/** The JSON Schema of {@link RefusedCredentials}. */
const refusedCredentialsSchema: JsonObject = {
  type: 'object',
  required: ['status', 'body'],
  additionalProperties: false,
  properties: {
    status: { type: 'integer', minimum: 300, maximum: 499, description: 'The status.' },
    body: {
      description: 'What the answer holds.',
      oneOf: [
        { const: 'error', description: 'The error body that the document declares.' },
        { const: 'problem', description: 'application/problem+json (RFC 9457).' },
        { const: 'empty', description: 'Nothing.' },
        { const: 'other', description: 'A body of its own that is neither.' },
      ],
    },
  },
};

/** The question `invalid-credentials`: which status and body does a token get that is not known? */
export const invalidCredentials: Question<'invalid-credentials', RefusedCredentials> = {
  id: 'invalid-credentials',
  question: 'Which status and body does a token get that is not known?',
  scope: 'operation',
  default: { status: 401, body: 'error' },
  representatives: [
    { status: 401, body: 'error' },
    { status: 403, body: 'empty' },
    { status: 401, body: 'problem' },
    { status: 404, body: 'error' },
  ],
  schema: refusedCredentialsSchema,
  describe: describeRefusedCredentials,
};

/** The question `missing-credentials`: which status and body does a request without credentials get, or with another scheme? */
export const missingCredentials: Question<'missing-credentials', RefusedCredentials> = {
  id: 'missing-credentials',
  question: 'Which status and body does a request without credentials get, or with another scheme?',
  scope: 'operation',
  default: { status: 401, body: 'error' },
  representatives: [
    { status: 401, body: 'error' },
    { status: 403, body: 'empty' },
    { status: 401, body: 'problem' },
    { status: 400, body: 'error' },
  ],
  schema: refusedCredentialsSchema,
  describe: describeRefusedCredentials,
};

/** Where every token is let in, none is refused. */
export const invalidCredentialsMask: FindMask = (answers) =>
  answers['accepted-tokens'] === 'any' ? { by: 'accepted-tokens', why: 'every token is let in' } : undefined;

/** Whether an operation lets nobody in without credentials that can be shown. */
export function asksCredentials({ security }: Operation): boolean {
  return (
    security.some((schemes) => schemes.length > 0 && schemes.every(({ kind }) => kind !== 'unjudged')) &&
    security.every((schemes) => schemes.length > 0)
  );
}

async function askAcceptedTokens(asker: Asker): Promise<ProbeReading<AcceptedTokensAnswer>> {
  if (!asksCredentials(asker.operation)) return notAsked('it asks for no credentials');
  const { isAccepted } = await asker.send({ credentials: 'unknown-token' });
  return { kind: 'answer', answer: isAccepted ? 'any' : 'listed' };
}

/** Asks with a token that nobody issued. */
export const acceptedTokensProbe: Probe<AcceptedTokensAnswer> = {
  mostRequests: 1,
  needsTaken: true,
  ask: askAcceptedTokens,
};

/**
 * A body that breaks its schema. One that is no JSON is the last resort: it may be read before anything else is looked
 * at, and shows nothing of the order of checks then.
 */
function invalidBody(asker: Asker): ProbeRequest {
  return { body: [['{}', '[]', 'null'].find((text) => !asker.isValid([text])) ?? '{'] };
}

function isAlike(left: ProbeExchange, right: ProbeExchange): boolean {
  return (
    left.status === right.status &&
    left.mediaType === right.mediaType &&
    findErrorCode(left.received, left.status) === findErrorCode(right.received, right.status)
  );
}

/** Bodies that say the same, word for word. */
function isEqual(left: ProbeExchange, right: ProbeExchange): boolean {
  const { received: one } = left;
  const { received: other } = right;
  return (
    isAlike(left, right) && (one === undefined || other === undefined ? one === other : jsonEqual(one, other))
  );
}

/** Which of two answers a third one is, where it is one of them and they differ. */
function pick(
  both: ProbeExchange,
  unauthenticated: ProbeExchange,
  refused: ProbeExchange,
): AuthOrderAnswer | undefined {
  const isSame = isAlike(unauthenticated, refused) ? isEqual : isAlike;
  const isFirst = isSame(both, unauthenticated);
  return isFirst === isSame(both, refused) ? undefined : isFirst ? 'before' : 'after';
}

async function askAuthOrder(asker: Asker): Promise<ProbeReading<AuthOrderAnswer>> {
  if (!asksCredentials(asker.operation) || asker.operation.requestBody === undefined) {
    return notAsked('it does not take both credentials and a body');
  }
  const invalid = invalidBody(asker);
  const refused = await asker.send(invalid);
  if (!isRefused(refused)) return unsettled(`it answers ${refused.status} to an invalid body`);
  for (const credentials of ['missing', 'unknown-token'] as const) {
    const unauthenticated = await asker.send({ credentials });
    const both = await asker.send({ ...invalid, credentials });
    const answer = unauthenticated.isAccepted ? undefined : pick(both, unauthenticated, refused);
    if (answer !== undefined) return { kind: 'answer', answer };
  }
  return unsettled('an invalid body and bad credentials are answered alike');
}

/** Asks with an invalid body and without credentials at once, and holds the answer against that to each alone. */
export const authOrderProbe: Probe<AuthOrderAnswer> = {
  mostRequests: 5,
  needsTaken: true,
  ask: askAuthOrder,
};

const kinds = ['error', 'problem', 'empty', 'other'] as const;

/** What the answer to a request says whose credentials were not let in. */
function readRefusedCredentials(
  { operation, contract }: Asker,
  { status, receivedBytes, mediaType, received }: ProbeExchange,
): ProbeReading<RefusedCredentials> {
  if (status < 300 || status > 499) return unsettled(`it answers ${status}, which is no refusal`);
  if (status === 429) {
    return unsettled('it answers 429: a guard against guessing hides what it answers otherwise');
  }
  const [body, ...also] = listRefusalBodies({ bytes: receivedBytes, mediaType, value: received }, [
    operation,
    ...contract.operations,
  ]);
  // Where the status is declared, so is the body.
  const isDeclared = findDeclaredResponse(operation.responses, status) !== undefined;
  const others = isDeclared ? kinds.filter((kind) => kind !== body) : also;
  return {
    kind: 'answer',
    answer: { status, body },
    alike: others.map((kind) => ({ status, body: kind })),
  };
}

async function askInvalidCredentials(asker: Asker): Promise<ProbeReading<RefusedCredentials>> {
  if (!asksCredentials(asker.operation)) return notAsked('it asks for no credentials');
  const exchange = await asker.send({ credentials: 'unknown-token' });
  return exchange.isAccepted
    ? { kind: 'masked', by: 'accepted-tokens', why: 'every token is let in' }
    : readRefusedCredentials(asker, exchange);
}

/** Asks with a token that nobody issued. */
export const invalidCredentialsProbe: Probe<RefusedCredentials> = {
  mostRequests: 1,
  needsTaken: true,
  ask: askInvalidCredentials,
};

async function askMissingCredentials(asker: Asker): Promise<ProbeReading<RefusedCredentials>> {
  if (!asksCredentials(asker.operation)) return notAsked('it asks for no credentials');
  const missing = readRefusedCredentials(asker, await asker.send({ credentials: 'missing' }));
  const other = readRefusedCredentials(asker, await asker.send({ credentials: 'other-scheme' }));
  if (missing.kind !== 'answer' || other.kind !== 'answer') {
    return missing.kind === 'answer' ? other : missing;
  }
  const isOne = missing.answer.status === other.answer.status && missing.answer.body === other.answer.body;
  return isOne
    ? missing
    : unsettled(
        `no credentials get ${missing.answer.status} (${missing.answer.body}), and another scheme ${other.answer.status} (${other.answer.body})`,
      );
}

/** Asks without credentials, and with those of another scheme. */
export const missingCredentialsProbe: Probe<RefusedCredentials> = {
  mostRequests: 2,
  needsTaken: false,
  ask: askMissingCredentials,
};

/** Why an operation is asked nothing about credentials; undefined where it wants some (OpenAPI 3.1 §4.8.30). */
function whyNoCredentials({ security }: Operation): string | undefined {
  if (security.length === 0) return 'no security applies';
  return security.some((alternative) => alternative.length === 0)
    ? 'its security lets anonymous requests in'
    : undefined;
}

/** What a document says of which tokens are good: nothing, OpenAPI has no words for it. */
export const acceptedTokensSilence: QuestionSilence<AcceptedTokensAnswer> = {
  silence(operation) {
    const why = whyNoCredentials(operation);
    return why === undefined ? { kind: 'open', settledBy: noWords } : { kind: 'not-asked', why };
  },
};

/** What a document says of the order of checks: nothing, OpenAPI has no words for it. */
export const authOrderSilence: QuestionSilence<AuthOrderAnswer> = {
  silence(operation) {
    const nothing =
      operation.requestBody === undefined && operation.parameters.length === 0
        ? 'there is nothing to be checked but credentials'
        : undefined;
    const why = whyNoCredentials(operation) ?? nothing;
    return why === undefined ? { kind: 'open', settledBy: noWords } : { kind: 'not-asked', why };
  },
};

function bodyOf({ media }: DeclaredResponse): RefusedCredentials['body'] {
  if (media.length === 0) return 'empty';
  if (media.every(isOfAnyKind)) return 'other';
  return media.every(({ range }) => range.toLowerCase().startsWith('application/problem+json'))
    ? 'problem'
    : 'error';
}

const challenge: JsonObject = {
  'WWW-Authenticate': {
    description: 'Which credentials are wanted (RFC 9110 §11.6.1).',
    schema: { type: 'string' },
  },
};

/**
 * What a document says of credentials that are not let in: 401 or 403, whichever it declares. Where it declares both, it
 * does not say which is for whom.
 *
 * @param whose - whose credentials: `without credentials`
 */
function credentialsSilence(whose: string): QuestionSilence<RefusedCredentials> {
  return {
    silence(operation) {
      const why = whyNoCredentials(operation);
      if (why !== undefined) return { kind: 'not-asked', why };
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
      const description = `A request ${whose}.`;
      const headers = status === 401 ? { headers: challenge } : {};
      return { additions: [{ kind: 'response', status, description, body, ...headers }], answer };
    },
  };
}

/** What a document says of credentials that are not known. */
export const invalidCredentialsSilence: QuestionSilence<RefusedCredentials> = credentialsSilence(
  'with credentials that are not known',
);

/** What a document says of requests without credentials. */
export const missingCredentialsSilence: QuestionSilence<RefusedCredentials> =
  credentialsSilence('without credentials');
