import type { Operation } from '../../contract/contract.ts';
import { findSuccessResponse } from '../../contract/responses.ts';
import { toHeaderList } from '../../http/message.ts';
import { isSecretName } from '../../http/redact.ts';
import { parseJsonValue } from '../../json/parse.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { type MockResponse, whenThere } from '../message.ts';
import { replaceFields } from '../answer/representation.ts';
import type { IssuedTokens } from '../request/issued-tokens.ts';
import type { HandlerStep } from './handler-step.ts';

/** The maximum depth of a token in a response: `data.session.token`. */
const deepest = 3;

function declaresToken(schema: JsonSchema, depth = 0): boolean {
  if (depth > deepest || !isJsonObject(schema)) return false;
  const { $defs = {} } = schema;
  return [...schemaProperties(schema)].some(
    ([name, property]) =>
      isSecretName(name) ||
      (isJsonObject(property.schema) && declaresToken({ $defs, ...property.schema }, depth + 1)),
  );
}

/** A token in a response, and the seconds for which it is valid, if the response says so. */
interface FoundToken {
  readonly token: string;
  readonly seconds: number | undefined;
}

/** Returns a positive number of seconds. An expired token in a response is a sample. */
function toSeconds(value: JsonValue | undefined): number | undefined {
  const seconds = Number(value);
  return seconds > 0 && Number.isFinite(seconds) ? seconds : undefined;
}

function* tokensIn(value: JsonValue, depth = 0): Generator<FoundToken> {
  if (depth > deepest || !isJsonObject(value)) return;
  const { expires_in: lifetime = value['expiresIn'] } = value;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string' && member !== '' && isSecretName(name)) {
      // `expires_in` is about the access token (RFC 6749 §5.1).
      const isRefreshToken = /^refresh/iu.test(name);
      yield { token: member, seconds: isRefreshToken ? undefined : toSeconds(lifetime) };
    } else yield* tokensIn(member, depth + 1);
  }
}

/** Returns the tokens in the members of a response and in its cookies. */
function* listTokens({ headers, body }: MockResponse): Generator<FoundToken> {
  for (const [name, value] of toHeaderList(headers)) {
    const cookie = name.toLowerCase() === 'set-cookie' ? value : '';
    const [, token = ''] = /^[^=;]+=([^;]+)/u.exec(cookie) ?? [];
    const [, seconds] = /; *max-age=(\d+)/iu.exec(cookie) ?? [];
    if (token !== '') yield { token, seconds: toSeconds(seconds) };
  }
  const value = typeof body === 'string' ? parseJsonValue(body) : undefined;
  if (value !== undefined) yield* tokensIn(value);
}

/** The last word of a path at which clients log in. */
const loginPath = /\/(?:auth|authenticate|log-?in|log_in|sessions?|sign-?in|sign_in)$/iu;

/** Returns the name of the cookie that operations require, and that a login must set; undefined if there is none. */
function findSessionCookie(operation: Operation, operations: readonly Operation[]): string | undefined {
  const isLogin = operation.method === 'POST' && loginPath.test(operation.path.template);
  if (!isLogin && !setsCookie(operation)) return undefined;
  const [cookie] = operations.flatMap(({ security }) =>
    security
      .flat()
      .flatMap((scheme) => (scheme.kind === 'api-key' && scheme.in === 'cookie' ? scheme.parameter : [])),
  );
  return cookie;
}

function setsCookie(operation: Operation): boolean {
  const success = findSuccessResponse(operation);
  return success?.headers.some(({ name }) => name.toLowerCase() === 'set-cookie') === true;
}

/** Returns a response that sets a cookie. A value of the document for another cookie is only a generated text. */
function withCookie(answer: MockResponse, cookie: string): MockResponse {
  const isSet = toHeaderList(answer.headers).some(
    ([name, value]) => name.toLowerCase() === 'set-cookie' && value.startsWith(`${cookie}=`),
  );
  if (isSet) return answer;
  const value = crypto.randomUUID().replaceAll('-', '');
  const set = ['Set-Cookie', `${cookie}=${value}; Path=/; HttpOnly; SameSite=Lax`];
  return { ...answer, headers: replaceFields(answer.headers, set) };
}

/** Returns whether clients call an operation to get credentials: it requires none, or a user and a password. */
function mayBeLogin({ security }: Operation): boolean {
  return (
    security.length === 0 || security.some((alternative) => alternative.every(({ kind }) => kind === 'basic'))
  );
}

/**
 * Makes a mock accept the tokens and cookies that an operation returns, for example a login, until they expire. If
 * operations require a cookie, a login sets it. Returns undefined for any other operation.
 *
 * @param operations - all operations of the document
 * @param issued - the accepted tokens
 */
export function acceptIssuedTokens(
  operation: Operation,
  operations: readonly Operation[],
  issued: IssuedTokens,
): HandlerStep | undefined {
  if (!mayBeLogin(operation)) return undefined;
  const success = findSuccessResponse(operation);
  const cookie = findSessionCookie(operation, operations);
  const returnsToken = success?.media.some(({ schema }) => declaresToken(schema?.schema ?? true)) === true;
  if (cookie === undefined && !setsCookie(operation) && !returnsToken) return undefined;
  return (request, next) =>
    whenThere(next(request), (made) => {
      if (made.status >= 400 || made.note.forced === true) return made;
      const answer = cookie === undefined ? made : withCookie(made, cookie);
      // A generated number of seconds means nothing.
      const isGenerated = answer.note.sample === 'generated';
      for (const { token, seconds } of listTokens(answer)) {
        const expires = seconds !== undefined && !isGenerated;
        issued.add(token, { expiresAt: expires ? issued.now() + seconds * 1_000 : undefined });
      }
      return answer;
    });
}
