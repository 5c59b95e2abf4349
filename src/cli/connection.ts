import type { Picked } from '../config/command-options.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import type { CurlConnection } from '../http/curl.ts';
import type { SendTarget } from '../http/message.ts';
import { chooseProxy } from '../http/outgoing-proxy.ts';
import { waitForService } from '../session/wait-for-service.ts';
import { readAuthority, readNamed } from './arguments.ts';
import { printLines } from './terminal.ts';

type ConnectionInput = Picked<'insecure' | 'ca' | 'client-cert' | 'client-key' | 'proxy'>;

/** The options of the connections to a service, as its clients take them. */
interface Connection {
  readonly insecure: boolean;
  readonly ca: string | undefined;
  readonly clientCert: string | undefined;
  readonly clientKey: string | undefined;
  readonly proxy: URL | undefined;
}

/**
 * Reads the options of the connections to a service, the files that they name, and the proxy in the environment.
 *
 * @throws ClocheError OPTION_INVALID for a file or a proxy that cannot be used, or a certificate without its key
 */
export async function readConnection(input: ConnectionInput, baseUrl: string): Promise<Connection> {
  return {
    insecure: input.insecure,
    ca: await readAuthority(input.ca),
    clientCert: await readClientFile(input, 'client-cert'),
    clientKey: await readClientFile(input, 'client-key'),
    proxy: URL.canParse(baseUrl) ? chooseProxy(new URL(baseUrl), input.proxy, process.env) : undefined,
  };
}

async function readClientFile(
  input: ConnectionInput,
  name: 'client-cert' | 'client-key',
): Promise<string | undefined> {
  const file = input[name];
  const other = name === 'client-key' ? 'client-cert' : 'client-key';
  const what = name === 'client-key' ? 'key' : 'certificate';
  if (file !== undefined) {
    return readNamed(file, `read the client ${what}`, `Name a PEM file with --${name}`);
  }
  if (input[other] === undefined) return undefined;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'use',
    subject: `--${other}`,
    reason: `the ${what} that belongs to it is missing`,
    remedy: `Give --${name} too`,
  });
}

/** Waits for a service as long as `--wait-for-service` says. @throws ClocheError CANNOT_JUDGE if it is not ready then */
export async function awaitService(
  input: Picked<'wait-for-service'>,
  service: Connection & Pick<SendTarget, 'timeoutMs' | 'headers'> & { readonly baseUrl: string },
): Promise<void> {
  const seconds = input['wait-for-service'];
  if (seconds === undefined || !URL.canParse(service.baseUrl)) return;
  const { ca, ...others } = service;
  const baseUrl = new URL(service.baseUrl);
  const target = { ...others, ...(ca === undefined ? {} : { ca }), baseUrl };
  await waitForService(target, seconds * 1_000, () => {
    printLines(process.stderr, [`Waiting up to ${seconds} s for ${baseUrl.href}`]);
  });
}

/** Returns how curl reaches the service as the given options do. */
export function toCurlConnection(input: ConnectionInput, proxy: URL | undefined): CurlConnection {
  return {
    insecure: input.insecure,
    ca: input.ca,
    clientCert: input['client-cert'],
    clientKey: input['client-key'],
    proxy: proxy?.href.replace(/\/$/u, ''),
  };
}
