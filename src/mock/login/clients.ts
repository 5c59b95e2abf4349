import { decodeBasic } from '../../http/bytes.ts';
import { decodeQueryText } from '../../http/query.ts';
import type { MockResponse } from '../message.ts';
import {
  invalid,
  isProblem,
  type LoginProblem,
  type LoginRequest,
  refuseLogin,
  valueOf,
} from './login-answer.ts';

/** A client, as it authenticates itself (RFC 6749 §2.3). */
export interface Client {
  readonly id: string | undefined;
  readonly secret: string | undefined;
}

/** Reads the client from the Authorization field or from the form (RFC 6749 §2.3.1). */
function readIdentity({ head, parameters }: LoginRequest): Client | LoginProblem {
  const id = valueOf(parameters, 'client_id');
  const secret = valueOf(parameters, 'client_secret');
  const [, encoded] = /^basic +(.+)$/iu.exec(head.header('authorization') ?? '') ?? [];
  if (encoded === undefined) return { id, secret };
  if (secret !== undefined)
    return invalid('Send the client secret once: in the Authorization header or in the form.');
  const pair = decodeBasic(encoded) ?? '';
  const colon = pair.indexOf(':');
  if (colon < 1)
    return { error: 'invalid_client', message: 'The Authorization header has no client and secret.' };
  return { id: decodeQueryText(pair.slice(0, colon)), secret: decodeQueryText(pair.slice(colon + 1)) };
}

/** Reads the form and the client of a request to an endpoint that clients call, and authenticates the client. */
export function readClient(request: LoginRequest): Client | LoginProblem {
  const { parameters, accounts, isForm } = request;
  if (!isForm) return invalid('Send the request as application/x-www-form-urlencoded.');
  const names = [...parameters.keys()].filter((name) => name !== 'resource' && name !== 'audience');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return invalid(`The parameter ${twice.slice(0, 60)} occurs twice.`);
  const client = readIdentity(request);
  if (isProblem(client) || client.secret === undefined) return client;
  return accounts?.has(`${client.id ?? ''}:${client.secret}`) === false
    ? { error: 'invalid_client', message: 'The client and its secret are not among the accepted tokens.' }
    : client;
}

/** Creates the response to a client's request that is rejected (RFC 6749 §5.2). */
export function refuseClient({ head }: LoginRequest, problem: LoginProblem): MockResponse {
  if (problem.error !== 'invalid_client') return refuseLogin(problem);
  const usesField = head.header('authorization') !== undefined;
  const headers = usesField ? ['WWW-Authenticate', 'Basic realm="mock", charset="UTF-8"'] : [];
  return refuseLogin(problem, { status: 401, headers });
}
