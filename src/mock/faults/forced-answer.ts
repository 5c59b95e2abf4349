import { resolveObject } from '../../document/references.ts';
import type { Contract, DeclaredResponse, Operation } from '../../contract/contract.ts';
import { findDeclaredResponse, isOfAnyKind } from '../../contract/responses.ts';
import { isStructured } from '../../http/codecs/registry.ts';
import { appendPointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { type Policy, policyOf } from '../../policy/policy.ts';
import type { Condition } from '../../policy/behaviour.ts';
import { acceptsValue } from '../../schema/compile.ts';
import type { ErrorFacts } from '../answer/error-body.ts';
import { findErrorShape, toRefusalShape } from '../answer/refusal.ts';
import {
  chooseSentMedia,
  replaceFields,
  sampleHeaders,
  type SentMedia,
  writeContent,
  writesAnyValue,
} from '../answer/representation.ts';
import { sampleValue } from '../../schema/value/sample-value.ts';
import type { AnswerNote, MockResponse } from '../message.ts';
import type { ForcedAnswer } from './fault.ts';

/** The usual condition of each error status, which the forced error names. */
const conditions: Readonly<Record<number, Condition>> = {
  400: 'invalid-body',
  401: 'missing-credentials',
  403: 'invalid-credentials',
  404: 'unknown-path',
  405: 'unknown-method',
  406: 'not-acceptable',
  409: 'duplicate-key',
  413: 'body-too-large',
  415: 'unsupported-media-type',
  422: 'invalid-body',
  429: 'too-many-requests',
};

/** The default of Retry-After for a 429, in seconds (RFC 6585 §4). */
const plainRetryAfter = 1;

/**
 * Creates the function that makes forced responses: the response that the document declares for the status, with its
 * examples; or else an error in the document's format; or an empty response if the status is no error. An undeclared
 * response is marked with `Cloche-Undeclared: forced`.
 */
export function createForcer({ operations, root }: Contract, policy: Policy) {
  function makeContent(
    operation: Operation | undefined,
    { status, example, body }: ForcedAnswer,
    facts: ErrorFacts,
  ): ForcedContent {
    const response = findDeclaredResponse(operation?.responses ?? [], status);
    if (body !== undefined) return makeGiven(response, body);
    if (response !== undefined) return makeDeclared(root, response, { example, facts });
    if (status < 400) return { headers: [], body: '', isDeclared: false };
    const shape = findErrorShape(operation === undefined ? operations : [operation, ...operations]);
    return { headers: shape.headers, body: shape.body?.(facts) ?? '', isDeclared: false };
  }

  return ({
    operation,
    answer,
    challenge,
    message,
  }: {
    readonly operation: Operation | undefined;
    readonly answer: ForcedAnswer;
    /** The value of WWW-Authenticate, for a 401. */
    readonly challenge: string | undefined;
    /** The decision for the response, as a sentence, for errors and the log. */
    readonly message: string;
  }): MockResponse => {
    const { status, headers = {} } = answer;
    const condition = conditions[status] ?? 'forced';
    const codes = policyOf(policy, operation?.id)['error-codes'];
    const code = codes === 'status' || condition === 'forced' ? status : (codes[condition] ?? status);
    const content = makeContent(operation, answer, { status, code, condition, message });
    const retryAfter = answer.retryAfter ?? (status === 429 ? plainRetryAfter : undefined);
    const further = [
      ...(retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]),
      ...(status === 401 && challenge ? ['WWW-Authenticate', challenge] : []),
      ...(content.isDeclared ? [] : ['Cloche-Undeclared', 'forced']),
    ];
    const note: AnswerNote = {
      ...(operation && { operation: operation.id }),
      ...(content.isDeclared ? {} : { undeclared: 'forced' }),
      message,
      forced: true,
      ...(answer.headers && {
        givenFields: Object.keys(answer.headers).map((name) => name.toLowerCase()),
      }),
    };
    const body = status === 205 ? '' : content.body;
    return {
      status,
      headers: replaceFields(replaceFields(content.headers, further), Object.entries(headers).flat()),
      body: status === 204 || status === 304 ? undefined : body,
      note,
    };
  };
}

interface ForcedContent {
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array;
  /** Whether the document declares it. */
  readonly isDeclared: boolean;
}

/** Returns given content, in the JSON media type that the document declares for it, if any. */
function makeGiven(response: DeclaredResponse | undefined, body: JsonValue): ForcedContent {
  const sent = chooseSentMedia(response?.media.filter(isStructured) ?? []);
  return {
    headers: ['Content-Type', sent?.contentType ?? 'application/json'],
    body: sent === undefined ? stringifyJson(body) : writeContent(sent, body),
    isDeclared: sent !== undefined && accepts(sent, body),
  };
}

/** Returns the content of a declared response: the named example, a valid example, a filled error, or a sample. */
function makeDeclared(
  root: JsonObject,
  response: DeclaredResponse,
  { example, facts }: { readonly example: string | undefined; readonly facts: ErrorFacts },
): ForcedContent {
  const further = sampleHeaders(response.headers);
  const named = example === undefined ? undefined : findExample(root, response, example);
  if (named !== undefined) {
    const { sent, value } = named;
    const headers = ['Content-Type', sent.contentType, ...further];
    return { headers, body: writeContent(sent, value), isDeclared: accepts(sent, value) };
  }
  const sent = chooseSentMedia(response.media);
  if (sent === undefined) return { headers: further, body: '', isDeclared: true };
  const given = sent.media.examples.find((value) => accepts(sent, value));
  const isError = given === undefined && (facts.status >= 400 || isOfAnyKind(sent.media));
  const shape = isError ? toRefusalShape(response) : undefined;
  if (shape !== undefined) {
    return { headers: shape.headers, body: shape.body?.(facts) ?? '', isDeclared: shape.isStandIn !== true };
  }
  const value = given ?? sampleValue(sent.media.schema?.schema ?? true);
  return {
    headers: ['Content-Type', sent.contentType, ...further],
    body: value === undefined ? '' : writeContent(sent, value),
    // JSON is the fallback for a format that only its example shows.
    isDeclared:
      value !== undefined && accepts(sent, value) && (typeof value === 'string' || writesAnyValue(sent)),
  };
}

function accepts(sent: SentMedia, value: JsonValue): boolean {
  const { schema } = sent.media;
  return (!isStructured(sent) && typeof value === 'string') || acceptsValue(schema, value);
}

/** Returns true if a response has an example with this name. */
export function hasExample(root: JsonObject, response: DeclaredResponse, name: string): boolean {
  return findExample(root, response, name) !== undefined;
}

/**
 * Returns the value of a named example of a response (OpenAPI 3.1 §4.8.14, §4.8.19), with its media type; undefined if
 * there is no such example, or its value is outside the document.
 */
function findExample(
  root: JsonObject,
  response: DeclaredResponse,
  name: string,
): { readonly sent: SentMedia; readonly value: JsonValue } | undefined {
  const chosen = chooseSentMedia(response.media)?.media;
  for (const media of [chosen, ...response.media.filter((each) => each !== chosen)]) {
    const sent = media && chooseSentMedia([media]);
    const value =
      media && resolveObject(root, appendPointer(media.pointer, 'examples', name))?.value['value'];
    if (sent !== undefined && value !== undefined) return { sent, value };
  }
  return undefined;
}
