import { editedTokens, put } from '../src/arbitrary/plain-body.ts';
import { judgeValue } from '../src/arbitrary/from-schema.ts';
import {
  type Body,
  joinParts,
  type ParameterTexts,
  type RequestCase,
} from '../src/arbitrary/request-case.ts';
import { buildRequest, plainRequest } from '../src/arbitrary/request.ts';
import { serializeParameter } from '../src/arbitrary/serialize-parameter.ts';
import { callbackSchemaCheck } from '../src/check/checks/callback.ts';
import type { CheckedExchange } from '../src/check/classify/subject.ts';
import type { Operation, OutgoingRequest } from '../src/contract/contract.ts';
import { loadParsers } from '../src/http/codecs/registry.ts';
import type { RequestReceiver } from '../src/http/request-receiver.ts';
import { isSuccessStatus } from '../src/http/status.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import type { Session } from '../src/session/session.ts';
import { examplesOnly, isSendable, lateOf, toPlan, withCases } from './property.ts';

/** The time to wait for the callbacks of a request after its response, in milliseconds. */
const patience = 3_000;

/** Stands in a case for the token of its URL, which is new each time that the case is sent. */
const anyToken = '00000000-0000-0000-0000-000000000000';

/** The callbacks of an operation whose URL is at the same place of the request. */
interface CallbackGroup {
  /** The place as in a runtime expression (OpenAPI 3.1 §4.8.20.4): `body#` and a pointer, or `query.` and a name. */
  readonly side: string;
  readonly place: string;
  readonly declared: readonly [OutgoingRequest, ...OutgoingRequest[]];
}

/** Returns the expression at the start of a callback's URL, if it is a part of the request that a client can set. */
function readPlace({ url = '' }: OutgoingRequest): Pick<CallbackGroup, 'side' | 'place'> | undefined {
  const whole = url.startsWith('$') ? `{${url}}` : url;
  const [, side, place] = /^\{\$request\.(body#|query\.|header\.)([^}]+)\}/u.exec(whole) ?? [];
  return side === undefined || place === undefined ? undefined : { side, place };
}

function groupCallbacks(callbacks: readonly OutgoingRequest[]): readonly CallbackGroup[] {
  const groups = new Map<string, CallbackGroup>();
  for (const callback of callbacks) {
    const found = readPlace(callback);
    if (found === undefined) continue;
    const name = found.side + found.place;
    const known = groups.get(name)?.declared ?? [];
    const [first = callback, ...others] = [...known, callback];
    groups.set(name, { ...found, declared: [first, ...others] });
  }
  return [...groups.values()];
}

/** Returns plain requests with a callback URL at the place of a group; none if no valid request can have it there. */
function requestsWith(
  operation: Operation,
  { side, place }: CallbackGroup,
  url: string,
): readonly RequestCase[] {
  const { body } = plainRequest(operation);
  const values = body.kind === 'body' ? [body.body.smallest, body.body.fullest] : [];
  const edits = side === 'body#' ? [put(place, url)] : [];
  const contents = values.flatMap((base): Body[] => {
    const tokens = body.kind === 'body' ? editedTokens(body.body, { base, edits }) : undefined;
    return tokens === undefined ? [] : [joinParts(tokens)];
  });
  const bodies = [...new Map(contents.map((content) => [JSON.stringify(content), content])).values()];
  if (side === 'body#') return bodies.map((content) => buildRequest(operation, { body: content }));
  const parameter = operation.parameters.find(({ in: where, name }) =>
    side === 'query.'
      ? where === 'query' && name === place
      : where === 'header' && name.toLowerCase() === place.toLowerCase(),
  );
  if (parameter === undefined || judgeValue(parameter.schema, url) !== 'valid') return [];
  const parameters: ParameterTexts = new Map([[parameter, serializeParameter(parameter, url)]]);
  return bodies.length === 0
    ? [buildRequest(operation, { parameters })]
    : bodies.map((content) => buildRequest(operation, { body: content, parameters }));
}

function withToken(request: RequestCase, token: string): RequestCase {
  const insert = (text: string): string => text.replaceAll(anyToken, token);
  return {
    ...request,
    target: insert(request.target),
    headers: request.headers.map(([name, value]) => [name, insert(value)] as const),
    body: request.body?.map((part) => (typeof part === 'string' ? insert(part) : part)),
  };
}

/** Sends a request, and waits for its callbacks if it succeeds. */
async function sendAndReceive(
  request: RequestCase,
  session: Session,
  { receiver, declared }: Pick<CallbackGroup, 'declared'> & { readonly receiver: RequestReceiver },
): Promise<readonly CheckedExchange[]> {
  await loadParsers(declared.flatMap(({ requestBody }) => requestBody?.media ?? []));
  const path = receiver.open(
    (used) => (declared.find(({ method }) => method === used) ?? declared[0]).success,
  );
  const judged = await session.send(withToken(request, path.token), session.openIdContext());
  if (isSuccess(judged)) await path.wait(declared.length, patience);
  return [{ ...judged, callbacks: path.received.map((each) => ({ request: each, declared })) }];
}

function isSuccess({ answer }: CheckedExchange): boolean {
  return answer.kind === 'response' && isSuccessStatus(answer.response.status);
}

function whyNone(trace: readonly CheckedExchange[], names: string): string | undefined {
  const [judged] = trace;
  if (judged === undefined || (judged.callbacks ?? []).length > 0) return undefined;
  return isSuccess(judged)
    ? `no callback ${names} came within ${patience / 1_000} s of the response`
    : `the service refused the request, so it sends no callback ${names}`;
}

function propertiesOf(operation: Operation, receiver: RequestReceiver): readonly Property[] {
  return groupCallbacks(operation.callbacks?.() ?? []).map((group, index) => {
    const { declared } = group;
    const names = [...new Set(declared.map(({ name }) => name))].join(' or ');
    const url = `${receiver.url}/${anyToken}`;
    const cases = lateOf(operation, () => examplesOnly(requestsWith(operation, group, url)), {
      most: 2,
      mayBeRandom: false,
    });
    return withCases<RequestCase>(cases, {
      id: `${operation.id}.callback${index === 0 ? '' : `-${index + 1}`}`,
      title: `The callback ${names} is sent as the document declares it`,
      mostRequests: 1,
      receivesCallbacks: true,
      run: (request, session) => sendAndReceive(request, session, { receiver, declared }),
      traceChecks: [callbackSchemaCheck.judgeTrace],
      whyUnchecked: (trace) => whyNone(trace, names),
    });
  });
}

/** Creates the suite that makes the service send its callbacks to a receiver. It is none of the usual suites. */
export function createCallbackSuite(receiver: RequestReceiver): Suite {
  return {
    id: 'callbacks',
    title: 'Callbacks',
    // The requests that set a callback URL in the query often have no body.
    sendsPlainly: true,
    plan: ({ contract }) => {
      const operations = contract.operations.filter(
        (operation) => operation.callbacks !== undefined && isSendable(operation),
      );
      const fixed = operations.flatMap(({ id, callbacks }) =>
        (callbacks?.() ?? [])
          .filter((callback) => readPlace(callback) === undefined)
          .map(({ name, url }) => ({
            what: `callback ${name} of ${id}`,
            reason: `its URL ${url} does not begin with a part of the request body, the query or a header field`,
          })),
      );
      const reason =
        operations.length === 0
          ? 'no operation declares callbacks'
          : 'no valid request can have the URL of the receiver';
      const properties = operations.flatMap((operation) => propertiesOf(operation, receiver));
      return { ...toPlan(properties, reason), notChecked: fixed };
    },
  };
}
