import { isJsonObject } from '../../json/is-json-object.ts';
import type { RequestBody } from '../../contract/request-body.ts';
import { decodeUtf8 } from '../../http/decode-utf8.ts';
import { exceedsDepth } from '../../json/exceeds-depth.ts';
import type { JsonSyntaxProblem } from '../../json/json-syntax-problem.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { type JsonReading, parseJson } from '../../json/parse-json.ts';
import type { Condition } from '../../policy/condition.ts';
import type { Policy } from '../../policy/policy.ts';
import { holdsExactNumber } from '../../json/holds-exact-number.ts';
import { toParameterShapes } from '../../contract/parameters/parameter-shape.ts';
import { decodeQueryText, parseQuery } from '../../contract/parameters/parse-query.ts';
import type { RequestProblem } from '../log/logged-request.ts';
import type { RequestContent, RequestHead } from '../steps/request-head.ts';
import type { ContentReading } from './content-reading.ts';
import { createMediaMatcher } from './create-media-matcher.ts';
import { shorten } from './shorten.ts';

/** Reads the content of a request. */
export type ContentReader = (head: RequestHead, content: RequestContent) => ContentReading;

function refuse(condition: Condition, message: string): ContentReading {
  return { kind: 'refused', condition, message };
}

/** Says where a text breaks, too. */
function refuseSyntax(text: string, problem: JsonSyntaxProblem): ContentReading {
  const message = describeSyntaxProblem(text, problem);
  const { reason, line, column } = problem;
  const problems = (): readonly RequestProblem[] => {
    const before = text.split('\n', line - 1).reduce((length, each) => length + each.length + 1, 0);
    return [{ position: before + column - 1, reason: shorten(reason) }];
  };
  return { kind: 'refused', condition: 'malformed-body', message, problems };
}

/** How many arrays and objects may stand in each other: what reads and checks them calls itself for each. */
const maxDepth = 512;

function toJsonReading(policy: Policy): JsonReading {
  switch (policy['duplicate-keys-in-json']) {
    case 'last':
      return { maxDepth };
    case 'first':
      return { maxDepth, duplicateKey: 'first' };
    case 'refuse':
      return { maxDepth, findDuplicateKeys: true };
  }
}

function describeSyntaxProblem(text: string, { line, column, reason }: JsonSyntaxProblem): string {
  if (text.startsWith('\uFEFF')) {
    return 'The body starts with a byte order mark, which JSON may not (RFC 8259 §8.1).';
  }
  // A text that is too deep was not read on, so nobody knows whether it is JSON.
  return exceedsDepth(text, maxDepth)
    ? `The body is nested deeper than ${maxDepth} levels, which is the most that is read.`
    : `The body is not JSON: at line ${line}, column ${column}, ${shorten(reason)}.`;
}

/** The object of a form (URL Standard §5.1), its values read as parameters are. */
function readForm(text: string, schema: JsonValue): JsonValue {
  const shapes = toParameterShapes(isJsonObject(schema) ? schema : true);
  const shape = shapes.find(({ kind }) => kind === 'object');
  const members = parseQuery(`?${text}`).map(([name, raw]): [string, JsonValue] => {
    const value = decodeQueryText(raw);
    return [name, shape?.kind === 'object' ? shape.coerceProperty(name, value) : value];
  });
  return Object.fromEntries(members);
}

/**
 * Prepares the reader of a request body: a declared media type, within the limit, strict UTF-8 (RFC 8259
 * §8.1), strict JSON (RFC 8259 §2).
 */
export function createContentReader(requestBody: RequestBody, policy: Policy): ContentReader {
  const matchMedia = createMediaMatcher(requestBody, policy['unsupported-media-type'] === 'read');
  const reading = toJsonReading(policy);
  const limit = policy['body-limit'].bytes;
  // Of equal keys the last one counts to every reader but this one.
  const readsFirst = policy['duplicate-keys-in-json'] === 'first';

  function readJson(text: string): ReturnType<typeof parseJson> | string {
    const parsed = parseJson(text, reading);
    if (
      parsed.kind === 'json' &&
      policy['duplicate-keys-in-json'] === 'refuse' &&
      parsed.duplicateKeys.length > 0
    ) {
      return `The body has the key ${shorten(parsed.duplicateKeys[0] ?? '')} twice.`;
    }
    return parsed;
  }

  return (head, content) => {
    if (content === 'too-large' || (content !== undefined && content.length > limit)) {
      return refuse(
        'body-too-large',
        `The body is larger than ${limit} bytes, which is the most that is read.`,
      );
    }
    if (content === undefined || content.length === 0) {
      return requestBody.required
        ? refuse('missing-body', 'The request has no body, and one is required.')
        : { kind: 'absent' };
    }
    const match = matchMedia(head.header('content-type'));
    if (match.kind === 'unsupported') {
      return refuse('unsupported-media-type', match.message);
    }
    const coding = head.header('content-encoding');
    if (coding !== undefined && coding.toLowerCase() !== 'identity') {
      return refuse(
        'unsupported-media-type',
        `The Content-Encoding ${JSON.stringify(shorten(coding))} is not supported: send the body as it is.`,
      );
    }
    const { media, notation } = match;
    if (notation === 'other') {
      return { kind: 'unread' };
    }
    const text = decodeUtf8(content);
    if (text === undefined) {
      return refuse('malformed-body', 'The body is not valid UTF-8.');
    }
    if (notation === 'form') {
      const value = readForm(text, media.schema?.schema ?? true);
      return { kind: 'value', text: undefined, value, exact: holdsExactNumber(value), media };
    }
    const parsed = readJson(text);
    if (typeof parsed === 'string') {
      return refuse('malformed-body', parsed);
    }
    if (parsed.kind === 'syntax') {
      return refuseSyntax(text, parsed);
    }
    return {
      kind: 'value',
      text: readsFirst ? undefined : text,
      value: parsed.value,
      exact: parsed.exact,
      media,
    };
  };
}
