import { type AddressInfo, isIPv6, Server } from 'node:net';
import { ClocheError } from '../errors/cloche-error.ts';
import { errorCode } from './failures.ts';

/** The address of a listening server. */
export interface ListeningPlace {
  /** `http://127.0.0.1:4010` */
  readonly url: string;
  /** Whether it listens on more than the loopback address. */
  readonly isOpenToOthers: boolean;
}

const reasons: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  EADDRINUSE: ['another program has the port', 'Choose another with --port, or 0 for any that is free'],
  EACCES: ['the system does not allow this port', 'Choose one above 1023 with --port'],
  EADDRNOTAVAIL: ['the host is no address of this machine', 'Choose another with --host'],
  ENOTFOUND: ['the host has no address', 'Choose another with --host'],
};

/** The number of ports above a taken one that are tried. */
const mostTried = 20;

/** Returns a free port shortly above a taken one; undefined if there is none. */
async function findFreePort(taken: number, host: string): Promise<number | undefined> {
  for (let port = taken + 1; port <= Math.min(taken + mostTried, 65_535); port += 1) {
    const probe = new Server();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, host, () => resolve(true));
    });
    if (isFree) {
      await new Promise((resolve) => probe.close(resolve));
      return port;
    }
  }
  return undefined;
}

async function toError(
  error: Error,
  { port, host, option }: { readonly port: number; readonly host: string; readonly option: string },
): Promise<ClocheError> {
  const free = errorCode(error) === 'EADDRINUSE' ? await findFreePort(port, host) : undefined;
  const [reason, usual] = reasons[errorCode(error)] ?? [
    error.message,
    'Choose another place with --host and --port',
  ];
  const remedy = free === undefined ? usual : `${free} is free: choose it with --port ${free}`;
  return new ClocheError('PORT_UNAVAILABLE', {
    attempt: 'listen on',
    subject: toAuthority(host, port),
    reason,
    remedy: remedy.replace('--port', option),
    cause: error,
  });
}

/** Matches addresses that only this machine can reach (RFC 5735 §3, RFC 4291 §2.5.3). */
export const loopback: RegExp = /^(?:127\.|::1$|::ffff:127\.)/u;

/** Formats a host and port for a URL (RFC 3986 §3.2.2). */
function toAuthority(host: string, port: number): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Rejects an empty or non-string host, which Node treats as every address of the machine. */
function checkHost(host: unknown): void {
  if (typeof host !== 'string' || host === '') {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'listen on host',
      subject: typeof host === 'string' ? host : JSON.stringify(host),
      reason: 'it is neither the name of a host nor an address',
      remedy: 'Leave it out for 127.0.0.1, or write 0.0.0.0 for every address of this machine',
    });
  }
}

/**
 * Starts listening with an HTTP server.
 *
 * @param place.port - 0 for any free port
 * @param place.option - the option that sets the port, for error messages
 * @throws ClocheError PORT_UNAVAILABLE if it cannot listen there, OPTION_INVALID for an invalid port or host
 */
export async function acceptConnections(
  server: Server,
  {
    port,
    host,
    option = '--port',
  }: { readonly port: number; readonly host: string; readonly option?: string },
): Promise<ListeningPlace> {
  checkHost(host);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'listen on port',
      subject: String(port),
      reason: 'it is no number from 0 to 65535',
      remedy: 'Choose one, or 0 for any that is free',
    });
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch(async (error: Error) => {
    throw await toError(error, { port, host, option });
  });
  // `as`: a server that listens on a port has such an address; only pipes have others.
  const address = server.address() as AddressInfo;
  return {
    url: `http://${toAuthority(address.address, address.port)}`,
    isOpenToOthers: !loopback.test(address.address),
  };
}
