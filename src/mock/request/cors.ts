import type { Contract } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { withoutFields } from '../answer/representation.ts';
import { type MockResponse, preflightMessage, type RequestHead } from '../message.ts';

/** Which pages of other origins may use a mock. */
export interface CorsOptions {
  /**
   * The origins that may: `http://localhost:5173`, `null` for pages without one.
   *
   * @defaultValue any
   */
  readonly origins?: readonly string[];
  /**
   * Whether they may send cookies and the like.
   *
   * @defaultValue true
   */
  readonly credentials?: boolean;
}

/** An origin as a browser sends it (RFC 6454 §6.1); a slash at its end is let pass. */
function toOrigin(text: string): string {
  const written = text.trim().replace(/\/$/u, '').toLowerCase();
  if (written === 'null') return written;
  if (URL.canParse(written)) {
    const { protocol, host, pathname, search, hash, username, password } = new URL(written);
    const isAlone = ['', '/'].includes(pathname) && `${search}${hash}${username}${password}` === '';
    // A star would be a host like any other, which no page has.
    if (isAlone && host !== '' && !host.includes('*')) return `${protocol}//${host}`;
  }
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'let in the origin',
    subject: text,
    reason: 'it is no origin of a page',
    remedy: 'Write scheme, host and port, as in http://localhost:5173, or leave origins out for any',
  });
}

/** Fields that the mock may send and that a page sees only if it is told so (Fetch Standard §3.3.4). */
const ownFields = [
  'WWW-Authenticate',
  'Allow',
  'Location',
  'Retry-After',
  'Preference-Applied',
  'Cloche-Undeclared',
  'Cloche-Sample',
  'Cloche-Ignored',
];

/** Fields of an answer that let a page read it: two of one name would keep it from that. */
const lettingIn = [
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-expose-headers',
];

/** How long a browser may go without asking again, in seconds. */
const maxAge = '600';

/** Lets pages of other origins use the mock (Fetch Standard §3.3). */
export interface Cors {
  /**
   * The fields of an answer, names and values in turn, with those that let the page of an origin read it. Of these the
   * document's own give way, whose values are samples, but not those of a rule.
   */
  fieldsFor(origin: string, answer: MockResponse): readonly string[];
  /** What lets any page read an answer to what is no request, so that its origin is not known. */
  readonly fieldsForAny: readonly string[];
  /**
   * The answer to the question of a browser whether a page may send a request: it may send what it asks for, besides the
   * methods of the path. Whether that is any good, the answer to the request itself says.
   */
  answerPreflight(head: RequestHead, methods: readonly string[]): MockResponse;
}

/** Whether a request is the question of a browser whether it may send another (Fetch Standard §3.3.2). */
export function isPreflight(head: RequestHead): boolean {
  return (
    head.method === 'OPTIONS' &&
    head.header('access-control-request-method') !== undefined &&
    head.header('origin') !== undefined
  );
}

/** The names of all fields that a page may read, by their names in lower case. */
function listExposed({ operations }: Pick<Contract, 'operations'>): ReadonlyMap<string, string> {
  const declared = operations.flatMap(({ responses }) =>
    responses.flatMap(({ headers }) => headers.map(({ name }) => name)),
  );
  const names = new Map([...declared, ...ownFields].map((name) => [name.toLowerCase(), name]));
  lettingIn.forEach((name) => names.delete(name));
  return names;
}

/**
 * Prepares what lets pages of other origins use the mock: any origin, with credentials, unless the options say less. An
 * origin is answered by its name, as `*` lets no page send credentials.
 *
 * Answers without an Origin carry no `Vary`: nothing in them lets a cache keep them (RFC 9111 §4.2.2), so that none is
 * given to a page that it was not made for.
 *
 * @throws ClocheError OPTION_INVALID for an origin that is none
 */
export function createCors(contract: Pick<Contract, 'operations'>, options: CorsOptions): Cors {
  const { credentials = true } = options;
  const origins = options.origins && new Set(options.origins.map(toOrigin));
  const exposed = listExposed(contract);
  const isDeclared = contract.operations.some(({ responses }) =>
    responses.some(({ headers }) => headers.some(({ name }) => lettingIn.includes(name.toLowerCase()))),
  );
  const expose = ['Access-Control-Expose-Headers', [...exposed.values()].join(', ')];
  const isSame = origins === undefined && !credentials;
  const vary = isSame ? [] : ['Vary', 'Origin'];
  const shared = [...(credentials ? ['Access-Control-Allow-Credentials', 'true'] : []), ...vary];

  function allowOrigin(origin: string): readonly string[] {
    return origins === undefined || origins.has(origin.toLowerCase())
      ? ['Access-Control-Allow-Origin', isSame ? '*' : origin, ...shared]
      : vary;
  }

  /** A forced answer may carry fields that nobody knew of at load. */
  function exposeAll({ headers, note }: MockResponse): readonly string[] {
    const further =
      note.forced === true
        ? withoutFields(headers, [...exposed.keys(), ...lettingIn]).filter((_, index) => index % 2 === 0)
        : [];
    return further.length === 0
      ? expose
      : ['Access-Control-Expose-Headers', [...exposed.values(), ...further].join(', ')];
  }

  return {
    fieldsForAny: origins === undefined ? ['Access-Control-Allow-Origin', '*', ...expose] : [],
    fieldsFor(origin, answer) {
      const allowed = allowOrigin(origin);
      const own = allowed === vary ? vary : [...allowed, ...exposeAll(answer)];
      const { givenFields = [], forced } = answer.note;
      if (!isDeclared && forced !== true) return [...answer.headers, ...own];
      const decided = lettingIn.filter((name) => !givenFields.includes(name));
      return [...withoutFields(answer.headers, decided), ...withoutFields(own, givenFields)];
    },
    answerPreflight(head, methods) {
      const origin = head.header('origin') ?? '';
      if (allowOrigin(origin) === vary) {
        const message = `CORS preflight of ${origin}, which is not let in`;
        return { status: 204, headers: [], body: undefined, note: { message } };
      }
      const asked = head.header('access-control-request-method') ?? '';
      const fields = head.header('access-control-request-headers');
      const isPrivate = head.header('access-control-request-private-network') === 'true';
      const headers = [
        'Access-Control-Allow-Methods',
        [...new Set([...methods, asked])].join(', '),
        ...(fields === undefined ? [] : ['Access-Control-Allow-Headers', fields]),
        'Access-Control-Max-Age',
        maxAge,
        ...(isPrivate ? ['Access-Control-Allow-Private-Network', 'true'] : []),
        'Vary',
        'Access-Control-Request-Method, Access-Control-Request-Headers',
      ];
      return { status: 204, headers, body: undefined, note: { message: preflightMessage } };
    },
  };
}
