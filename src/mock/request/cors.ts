import type { Contract } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { withoutFields } from '../answer/representation.ts';
import { type MockResponse, preflightMessage, type RequestHead } from '../message.ts';

/** Options for access by pages of other origins. */
export interface CorsOptions {
  /**
   * The allowed origins: `http://localhost:5173`, `null` for pages without one.
   *
   * @defaultValue any
   */
  readonly origins?: readonly string[];
  /**
   * Whether pages may send credentials, for example cookies.
   *
   * @defaultValue true
   */
  readonly credentials?: boolean;
}

/** Parses an origin as a browser sends it (RFC 6454 §6.1); a final slash is accepted. */
function toOrigin(text: string): string {
  const written = text.trim().replace(/\/$/u, '').toLowerCase();
  if (written === 'null') return written;
  if (URL.canParse(written)) {
    const { protocol, host, pathname, search, hash, username, password } = new URL(written);
    const isAlone = ['', '/'].includes(pathname) && `${search}${hash}${username}${password}` === '';
    // A star would be parsed as a host, which no page has.
    if (isAlone && host !== '' && !host.includes('*')) return `${protocol}//${host}`;
  }
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'accept the origin',
    subject: text,
    reason: 'it is no origin of a page',
    remedy: 'Write scheme, host and port, as in http://localhost:5173, or leave origins out for any',
  });
}

/** Fields of the mock that a page can read only if they are exposed (Fetch Standard §3.3.4). */
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

/** Response fields that give a page access; if one of them occurs twice, the page has none. */
const lettingIn = [
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-expose-headers',
];

/** The time for which a browser may cache a preflight, in seconds. */
const maxAge = '600';

/** The CORS protocol of the mock (Fetch Standard §3.3). */
export interface Cors {
  /**
   * Returns the fields of a response, names and values in turn, with the fields that give the origin access. They
   * replace fields of the document, whose values are samples, but not fields of a fault rule.
   */
  fieldsFor(origin: string, answer: MockResponse): readonly string[];
  /** The fields that give any page access to the response to an invalid request, whose origin is not known. */
  readonly fieldsForAny: readonly string[];
  /**
   * Answers a preflight: the page may send the methods and fields that it requests, and the methods of the path. The
   * response to the actual request then reports any problem.
   */
  answerPreflight(head: RequestHead, methods: readonly string[]): MockResponse;
}

/** Returns true if a request is a CORS preflight (Fetch Standard §3.3.2). */
export function isPreflight(head: RequestHead): boolean {
  return (
    head.method === 'OPTIONS' &&
    head.header('access-control-request-method') !== undefined &&
    head.header('origin') !== undefined
  );
}

/** Lists the names of all fields that a page may read, by their lower-case names. */
function listExposed({ operations }: Pick<Contract, 'operations'>): ReadonlyMap<string, string> {
  const declared = operations.flatMap(({ responses }) =>
    responses.flatMap(({ headers }) => headers.map(({ name }) => name)),
  );
  const names = new Map([...declared, ...ownFields].map((name) => [name.toLowerCase(), name]));
  lettingIn.forEach((name) => names.delete(name));
  return names;
}

/**
 * Creates the CORS protocol: by default, any origin has access, with credentials. The response repeats the origin, as
 * `*` does not allow credentials.
 *
 * Responses to requests without an Origin carry no `Vary`. Nothing in them allows a cache to keep them (RFC 9111
 * §4.2.2). No page therefore gets a response that was made for another client.
 *
 * @throws ClocheError OPTION_INVALID for an invalid origin
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

  /** Exposes all fields of a response. A forced one may carry fields that are not known at the start. */
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
        const message = `CORS preflight of ${origin}, which is not accepted`;
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
