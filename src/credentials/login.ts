import { buildRequest, renderRequest } from '../arbitrary/request.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { evaluateLink } from '../contract/path-links.ts';
import { parseCookies } from '../contract/read-parameters.ts';
import { decodeUtf8 } from '../http/bytes.ts';
import type { HeaderList } from '../http/message.ts';
import { isSuccessStatus } from '../http/status.ts';
import { parseJsonValue } from '../json/parse.ts';
import { stringifyJson } from '../json/print.ts';
import { cannotJudge } from '../session/throttle.ts';
import { type Connection, requestOnce } from './http-endpoint.ts';
import { findCredentialFault, type LoginSettings } from './settings.ts';

/** The context of a login. */
interface LoginInput {
  /** The name of the security scheme. */
  readonly scheme: string;
  readonly settings: LoginSettings;
  readonly contract: Contract;
  readonly baseUrl: URL;
  readonly connection: Connection;
  /** Header fields of every request. */
  readonly headers: HeaderList;
  /** The credentials of other schemes, which the login may require. */
  readonly tokens: ReadonlyMap<string, string>;
}

/** Returns the cookie that a response sets (RFC 6265 §4.1). The last one counts. */
function readCookie(headers: HeaderList, name: string): string | undefined {
  const set = headers.filter(([field]) => field.toLowerCase() === 'set-cookie');
  return set
    .flatMap(([, value]) => parseCookies(value.split(';', 1)[0]))
    .findLast(([cookie]) => cookie === name)?.[1];
}

function render(operation: Operation, { settings, tokens }: LoginInput): ReturnType<typeof renderRequest> {
  const { body } = settings;
  return renderRequest({
    request: buildRequest(operation, body === undefined ? {} : { body: [stringifyJson(body)] }),
    keys: ({ slot }) => String(slot + 1),
    operation,
    given: { tokens },
  });
}

/**
 * Sends the login operation, and returns the credential in its response.
 *
 * @throws ClocheError CANNOT_JUDGE if there is no success, or no credential in it
 */
export async function logIn(operation: Operation, input: LoginInput): Promise<string> {
  const { scheme, settings, baseUrl, connection, headers: defaults } = input;
  const request = render(operation, input);
  const { status, headers, body } = await requestOnce(baseUrl, request, { connection, headers: defaults });
  const fail = (reason: string): Error =>
    cannotJudge(
      baseUrl.href,
      `the login for "${scheme}", ${request.method} ${operation.path.template}, ${reason}`,
      'Correct its settings in "credentials" of the configuration',
    );
  if (!isSuccessStatus(status)) throw fail(`returns ${status}`);
  const [, cookie] = /^\$response\.cookie\.(.+)$/su.exec(settings.token) ?? [];
  const received = parseJsonValue(decodeUtf8(body));
  const found =
    cookie === undefined
      ? evaluateLink(settings.token, { sent: undefined, received, headers, path: {} })
      : readCookie(headers, cookie);
  if (found === undefined) throw fail(`returns nothing at ${settings.token}`);
  const fault = findCredentialFault(found);
  if (fault !== undefined) throw fail(`returns no credential at ${settings.token}: ${fault}`);
  return found;
}
