import type { Contract } from '../../../contract/contract.ts';
import { listServerPrefixes } from '../../../contract/router.ts';
import { describeConnectionFailure } from '../../../http/failures.ts';

/** What a service showed. */
export interface SeenService {
  /** Its base URL, with the path prefix of the document if the service has it. */
  readonly url: string;
  /** A sentence about what it answered. */
  readonly found: string;
}

/** Time limit of one response, in milliseconds. */
const patienceMs = 5_000;

/** Returns the status of a GET; the reason if there is no response. */
async function getStatus(url: string): Promise<number | string> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs) });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    // fetch wraps the actual error in another one.
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return describeConnectionFailure({ error: cause, place: new URL(url).host });
  }
}

/** Returns the path of a GET that needs no values; the first path of the document if there is none. */
function findPath({ operations }: Contract): string {
  const plain = operations.find(({ method, path }) => method === 'GET' && !path.template.includes('{'));
  return plain?.path.template ?? operations[0]?.path.template.replaceAll(/\{[^}]*\}/gu, '1') ?? '/';
}

/**
 * Sends one or two GET requests without credentials to a service, to find its path prefix and whether it needs
 * credentials. A service that does not answer is no error.
 */
export async function lookAtService(url: string, contract: Contract): Promise<SeenService> {
  const path = findPath(contract);
  const status = await getStatus(`${url}${path}`);
  if (typeof status === 'string') {
    return { url, found: `The service does not answer yet: ${status}.` };
  }
  for (const prefix of status === 404 ? listServerPrefixes(contract) : []) {
    const other = await getStatus(`${url}${prefix}${path}`);
    if (typeof other === 'number' && other !== 404) {
      return { url: `${url}${prefix}`, found: describeStatus(`${prefix}${path}`, other) };
    }
  }
  return { url, found: describeStatus(path, status) };
}

function describeStatus(path: string, status: number): string {
  if (status === 401 || status === 403) return `The service asks for credentials: GET ${path} got ${status}.`;
  if (status === 404) return `The service does not know ${path}: GET got 404. Check the path prefix of url.`;
  return `The service answers: GET ${path} got ${status}.`;
}
