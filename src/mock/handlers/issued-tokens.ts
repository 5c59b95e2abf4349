import type { Operation } from '../../contract/contract.ts';
import { findSuccessResponse } from '../../contract/responses.ts';
import { isSecretName } from '../../http/redact.ts';
import { parseJsonValue } from '../../json/parse.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { type MockResponse, whenThere } from '../message.ts';
import type { HandlerStep } from './handler-step.ts';

/** The maximum number of issued tokens that a mock remembers. */
const mostIssued = 10_000;
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

function* tokensIn(value: JsonValue, depth = 0): Generator<string> {
  if (depth > deepest || !isJsonObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string' && member !== '' && isSecretName(name)) yield member;
    else yield* tokensIn(member, depth + 1);
  }
}

/** Returns the tokens in the members of a response and in its cookies. */
function* listTokens({ headers, body }: MockResponse): Generator<string> {
  for (const [index, name] of headers.entries()) {
    const isCookie = index % 2 === 0 && name.toLowerCase() === 'set-cookie';
    const [, value = ''] = isCookie ? (/^[^=;]+=([^;]+)/u.exec(headers[index + 1] ?? '') ?? []) : [];
    if (value !== '') yield value;
  }
  const value = typeof body === 'string' ? parseJsonValue(body) : undefined;
  if (value !== undefined) yield* tokensIn(value);
}

/**
 * Makes a mock accept the tokens and cookies that an operation returns without requiring credentials, for example a
 * login. Returns undefined for any other operation.
 *
 * @param tokens - the accepted tokens; issued ones are added
 */
export function acceptIssuedTokens(operation: Operation, tokens: Set<string>): HandlerStep | undefined {
  const { security } = operation;
  const isOpen = security.length === 0 || security.some((alternative) => alternative.length === 0);
  const success = findSuccessResponse(operation);
  const setsCookie = success?.headers.some(({ name }) => name.toLowerCase() === 'set-cookie') === true;
  const returnsToken = success?.media.some(({ schema }) => declaresToken(schema?.schema ?? true)) === true;
  if (!isOpen || !(setsCookie || returnsToken)) return undefined;
  return (request, next) =>
    whenThere(next(request), (answer) => {
      for (const token of answer.status < 300 && tokens.size < mostIssued ? listTokens(answer) : [])
        tokens.add(token);
      return answer;
    });
}
