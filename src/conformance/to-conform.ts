import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { createTextStyle, toConsoleLine } from '../errors/console-text.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { redacted } from '../http/redact.ts';
import { failsRun } from '../report/report.ts';
import { renderView } from '../report/text/finding.ts';
import { viewFindings } from '../report/view/finding-view.ts';
import { judgeAlone, type JudgeOptions } from './judge-exchange.ts';

/** Options of the matcher `toConform()`. */
export interface ConformOptions extends Pick<JudgeOptions, 'policy' | 'tokens' | 'extensions'> {
  /** The document: a path, a URL, or a contract. @defaultValue the one that ships with Cloche */
  readonly document?: string | URL | Contract;
  /**
   * The request of the response: the `Request`, or its method, URL, headers and body. The method is GET if it is not
   * given, and the URL that of the response. A URL may be a path: `/orders/7`.
   *
   * @defaultValue a GET of the URL of the response
   */
  readonly request?: Request | (RequestInit & { readonly url?: string | URL });
  /** The path that precedes the paths of the document in the URL: `/api/v1`. @defaultValue that of its servers */
  readonly prefix?: string;
  /** Whether warnings fail too. @defaultValue false */
  readonly strict?: boolean;
}

/** The result of a matcher, as `expect.extend` of vitest and Jest takes it. */
interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The contracts of documents, so that several expectations read a document once. */
const contracts = new Map<string | undefined, Promise<Contract>>();

async function openContract(document: ConformOptions['document']): Promise<Contract> {
  if (typeof document === 'object' && 'operations' in document) return document;
  const source = document === undefined ? undefined : String(document);
  const contract = contracts.get(source) ?? loadContract(source, { followReferences: false });
  contracts.set(source, contract);
  return contract;
}

function refuse(subject: string, reason: string, remedy: string): ClocheError {
  return new ClocheError('OPTION_INVALID', { attempt: 'judge', subject, reason, remedy });
}

/** The base of relative URLs. */
const anyOrigin = 'http://localhost';

async function readRequest(
  given: NonNullable<ConformOptions['request']>,
  { response, prefix }: { readonly response: Response; readonly prefix: string },
): Promise<HttpRequest> {
  const isRequest = 'clone' in given;
  const url = given.url ?? response.url;
  if (url === '') {
    const remedy = 'Give the request, as in toConform({ document, request: { url: "/orders/7" } })';
    throw refuse('a Response', 'it has no URL, so that its operation is unknown', remedy);
  }
  if (isRequest && given.bodyUsed) {
    const remedy = 'Give a clone that was made before: request.clone()';
    throw refuse(`${given.method} ${given.url}`, 'the body of the request was read already', remedy);
  }
  const request = isRequest ? given.clone() : new Request(new URL(url, anyOrigin), given);
  const { pathname, search } = new URL(request.url);
  const path = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
  return {
    method: request.method,
    target: path + search,
    headers: [...request.headers],
    body: request.body === null ? undefined : new Uint8Array(await request.arrayBuffer()),
  };
}

async function readResponse(response: Response): Promise<HttpResponse> {
  if (response.bodyUsed) {
    const remedy = 'Judge the response before its body is read, or give a clone: response.clone()';
    throw refuse('a Response', 'its body was read already', remedy);
  }
  // A clone leaves the body to the test.
  const body = new Uint8Array(await response.clone().arrayBuffer());
  return { status: response.status, headers: [...response.headers], body };
}

/**
 * Judges a response of fetch by the document, as far as one exchange shows it: the matcher `toConform()`.
 *
 * @throws ClocheError OPTION_INVALID for a value that is no Response, or a request that cannot be read
 * @throws ClocheError CANNOT_JUDGE if the document says nothing about the request
 */
export async function toConform(received: unknown, options: ConformOptions = {}): Promise<MatcherResult> {
  const isResponse = typeof received === 'object' && received !== null && 'arrayBuffer' in received;
  if (!isResponse || !('status' in received)) {
    throw refuse(
      String(received),
      'it is no Response of fetch',
      'Await the response: expect(await fetch(url))',
    );
  }
  // `as`: it has the members of a Response, which may be that of another implementation of fetch.
  const response = received as Response;
  const { document, prefix = '', strict = false, ...judging } = options;
  const contract = await openContract(document);
  const request = await readRequest(options.request ?? {}, { response, prefix });
  const answer = { kind: 'response', response: await readResponse(response) } as const;
  const outcome = judgeAlone({ request, answer }, { ...judging, contract });
  const name = toConsoleLine(`${request.method} ${request.target}`, false);
  if (outcome.judged === undefined) {
    throw new ClocheError('CANNOT_JUDGE', {
      attempt: 'judge the response to',
      subject: name,
      reason: outcome.reason,
      remedy: `Give the document that describes it instead of ${contract.source}, or a prefix`,
    });
  }
  const failing = outcome.findings.filter((found) => failsRun(found, { strict }));
  const views = viewFindings(failing, {
    baseUrl: new URL(response.url === '' ? anyOrigin : response.url).origin + prefix,
    command: '',
    source: contract.source,
    // Credentials are hidden in the exchange already.
    secrets: [redacted, ...(options.tokens ?? [])],
    insecure: false,
    headers: [],
    contract,
    strict,
  });
  const texts = views.map((view) =>
    renderView({ ...view, places: undefined }, { paint: createTextStyle(false) })
      .map((line) => toConsoleLine(line, false))
      .join('\n'),
  );
  const verdict = failing.length === 0 ? 'conforms' : 'does not conform';
  const title = `The response to ${name} ${verdict} to ${toConsoleLine(contract.source, false)}`;
  return { pass: failing.length === 0, message: () => [title, ...texts].join('\n\n') };
}
