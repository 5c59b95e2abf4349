import type { MediaTypeContract, RequestBody } from '../../contract/contract.ts';
import { decodeQueryText, parseQuery, toParameterShapes } from '../../contract/read-parameters.ts';
import { decodeUtf8 } from '../../http/bytes.ts';
import { isJsonMediaType, matchesMediaRange, parseMediaType } from '../../http/media-type.ts';
import { exceedsDepth, type JsonReading, type JsonSyntaxProblem, parseJson } from '../../json/parse.ts';
import { appendPointer } from '../../json/pointer.ts';
import { holdsExactNumber, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Condition } from '../../policy/question.ts';
import { type CompiledSchema, compileSchema, type SchemaReading } from '../../schema/compile.ts';
import { describeSchemaProblem } from '../../schema/describe-problem.ts';
import type { SchemaProblem } from '../../schema/problems.ts';
import { declaredNames } from '../../schema/properties.ts';
import {
  type BrokenClause,
  policyClause,
  quoteClause,
  type RequestContent,
  type RequestHead,
  type RequestProblem,
  shorten,
} from '../message.ts';

/** A media range with its weight: `text/*;q=0.5`. */
const weighted = /^[ \t]*([^;\s]+)[ \t]*(?:;.*?)??(?:;[ \t]*q=([01](?:\.\d{0,3})?)[ \t]*)?$/iu;

/** How precise a range is; the most precise one decides (RFC 9110 §12.5.1). */
function precision(range: string): number {
  return range === '*/*' ? 0 : range.endsWith('/*') ? 1 : 2;
}

/**
 * Whether an Accept field allows a media type (RFC 9110 §12.5.1). A field that cannot be read allows all.
 *
 * @param contentType - as it would be sent
 */
export function acceptsMedia(accept: string, contentType: string): boolean {
  const essence = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const ranges = accept.split(',').flatMap((part) => {
    const match = weighted.exec(part);
    return match?.[1] === undefined ? [] : [{ range: match[1].toLowerCase(), weight: Number(match[2] ?? 1) }];
  });
  if (ranges.length === 0) return true;
  const [best] = ranges
    .filter(({ range }) => matchesMediaRange(essence, range))
    .toSorted((left, right) => precision(right.range) - precision(left.range));
  return best !== undefined && best.weight > 0;
}

/** What is wrong with the body of a request. */
interface BodyProblem {
  /** As a sentence. */
  readonly message: string;
  /** One by one, made when they are asked for. */
  readonly problems: () => readonly RequestProblem[];
}

/** Says what is wrong with the body of a request, or undefined where nothing is. */
export type BodyCheck = (
  value: JsonValue,
  exact: boolean,
  media: MediaTypeContract,
) => BodyProblem | undefined;

/** More than this many problems make no sentence. */
const mostNamed = 3;
/** Nobody reads more than these, and a long array may have one in each item. */
const mostListed = 50;

function toSentence(problems: readonly SchemaProblem[], value: JsonValue): string {
  const named = problems.slice(0, mostNamed).map((problem) => describeSchemaProblem({ problem, value }));
  const rest = problems.length - named.length;
  return `The body is not valid: ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`;
}

/** The schema of what a policy asks for besides; its pointers lead into the policy. */
function compileConstraints({ constraints }: Policy): CompiledSchema | undefined {
  return Object.keys(constraints).length === 0
    ? undefined
    : compileSchema({
        schema: { properties: { ...constraints } },
        pointer: '',
        placeOf: (place) => place.replace(/^\/properties/u, '/answers/constraints'),
      });
}

/** The property itself, where one is missing or may not be there. */
function placeOfProblem({ pointer, params }: SchemaProblem): string {
  return 'property' in params ? appendPointer(pointer, params.property) : pointer;
}

function toBodyProblem(
  found: readonly SchemaProblem[],
  { value, schema, source }: { value: JsonValue; schema: CompiledSchema; source: BrokenClause['in'] },
): BodyProblem {
  return {
    message: toSentence(found, value),
    problems: () =>
      found.slice(0, mostListed).map((problem) => ({
        pointer: placeOfProblem(problem),
        reason: describeSchemaProblem({ problem, value }),
        clause: {
          in: source,
          pointer: schema.placeOf(problem.schemaPointer),
          text: quoteClause(schema.schema, problem.schemaPointer),
        },
      })),
  };
}

function toStrayProblem(stray: string): BodyProblem {
  const reason = `The body has the property ${JSON.stringify(shorten(stray))}, which is not declared`;
  return {
    message: `${reason}.`,
    problems: () => [
      {
        pointer: appendPointer('', stray),
        reason,
        clause: policyClause('undeclared-properties', 'refuse'),
      },
    ],
  };
}

/**
 * Prepares the check of a request body: its schema first, then what the policy adds to it.
 *
 * @throws ClocheError SCHEMA_UNUSABLE where a schema cannot be compiled
 */
export function createBodyCheck(requestBody: RequestBody, policy: Policy, reading: SchemaReading): BodyCheck {
  const validators = new Map(requestBody.media.map((media) => [media, media.schema?.validator(reading)]));
  const constraints = compileConstraints(policy);
  const checkConstraints = constraints?.validator(reading);
  const refusesUndeclared = policy['undeclared-properties'] === 'refuse';
  const names = new Map(
    requestBody.media.map((media) => [media, declaredNames(media.schema?.schema ?? true)]),
  );

  function findUndeclared(value: JsonValue, media: MediaTypeContract): string | undefined {
    const declared = names.get(media);
    return isJsonObject(value) && declared !== undefined
      ? Object.keys(value).find((name) => !declared.has(name))
      : undefined;
  }

  return (value, exact, media) => {
    const { schema } = media;
    const problems = validators.get(media)?.(value, exact);
    if (problems !== undefined && problems.length > 0 && schema !== undefined) {
      return toBodyProblem(problems, { value, schema, source: 'document' });
    }
    const broken = checkConstraints?.(value, exact);
    if (broken !== undefined && broken.length > 0 && constraints !== undefined) {
      return toBodyProblem(broken, { value, schema: constraints, source: 'policy' });
    }
    const stray = refusesUndeclared ? findUndeclared(value, media) : undefined;
    return stray === undefined ? undefined : toStrayProblem(stray);
  };
}

/** How the content of a request is to be read. */
type MediaMatch =
  | {
      readonly kind: 'matched';
      readonly media: MediaTypeContract;
      readonly notation: 'json' | 'form' | 'other';
    }
  /** `message` says what came and what is taken. */
  | { readonly kind: 'unsupported'; readonly message: string };

/** Finds the declared media type for the value of Content-Type. */
type MediaMatcher = (contentType: string | undefined) => MediaMatch;

/** Clients send the same few values over and over; a hostile one must not fill the memory. */
const mostRemembered = 64;

function notationOf(essence: string): 'json' | 'form' | 'other' {
  if (isJsonMediaType(essence)) return 'json';
  return essence === 'application/x-www-form-urlencoded' ? 'form' : 'other';
}

/** Concrete types before ranges, and `type/*` before any (OpenAPI 3.1 §4.8.13). */
function generality({ range }: MediaTypeContract): number {
  return range.startsWith('*/') ? 2 : range.includes('*') ? 1 : 0;
}

/**
 * Prepares the look-up of declared media types for an operation.
 *
 * @param readAnyway - whether content of another type is read as if it had the first declared one
 */
function createMediaMatcher({ media }: RequestBody, readAnyway: boolean): MediaMatcher {
  const declared = media.toSorted((left, right) => generality(left) - generality(right));
  const first = declared.find(({ isJson }) => isJson) ?? declared[0];
  const wanted = media.map(({ range }) => range).join(' or ');
  const remembered = new Map<string | undefined, MediaMatch>();

  function match(contentType: string | undefined): MediaMatch {
    const type = contentType === undefined ? undefined : parseMediaType(contentType);
    const found =
      type === undefined ? undefined : declared.find(({ range }) => matchesMediaRange(type.essence, range));
    if (type !== undefined && found !== undefined) {
      return { kind: 'matched', media: found, notation: notationOf(type.essence) };
    }
    if (readAnyway && first !== undefined) {
      return { kind: 'matched', media: first, notation: notationOf(first.range.split(';', 1)[0] ?? '') };
    }
    const came =
      contentType === undefined
        ? 'The request has no Content-Type'
        : `The Content-Type ${JSON.stringify(shorten(contentType))} is not supported`;
    return { kind: 'unsupported', message: `${came}: send ${wanted}.` };
  }

  return (contentType) => {
    const known = remembered.get(contentType);
    if (known !== undefined) return known;
    const result = match(contentType);
    if (remembered.size < mostRemembered) {
      remembered.set(contentType, result);
    }
    return result;
  };
}

/** What the content of a request turned out to be. */
export type ContentReading =
  | {
      readonly kind: 'value';
      /** The content itself, where it is a JSON text that reads as the value and as nothing else; else undefined. */
      readonly text: string | undefined;
      readonly value: JsonValue;
      readonly exact: boolean;
      readonly media: MediaTypeContract;
    }
  /** There is none, and none is asked for. */
  | { readonly kind: 'absent' }
  /** It has a declared media type in whose notation the mock does not read. */
  | { readonly kind: 'unread' }
  | {
      readonly kind: 'refused';
      readonly condition: Condition;
      /** What was wrong and where, as a sentence. */
      readonly message: string;
      /** What of the request speaks against it, made when it is asked for. */
      readonly problems?: () => readonly RequestProblem[];
    };

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
    if (match.kind === 'unsupported') return refuse('unsupported-media-type', match.message);
    const coding = head.header('content-encoding');
    if (coding !== undefined && coding.toLowerCase() !== 'identity') {
      return refuse(
        'unsupported-media-type',
        `The Content-Encoding ${JSON.stringify(shorten(coding))} is not supported: send the body as it is.`,
      );
    }
    const { media, notation } = match;
    if (notation === 'other') return { kind: 'unread' };
    const text = decodeUtf8(content);
    if (text === undefined) return refuse('malformed-body', 'The body is not valid UTF-8.');
    if (notation === 'form') {
      const value = readForm(text, media.schema?.schema ?? true);
      return { kind: 'value', text: undefined, value, exact: holdsExactNumber(value), media };
    }
    const parsed = readJson(text);
    if (typeof parsed === 'string') return refuse('malformed-body', parsed);
    if (parsed.kind === 'syntax') return refuseSyntax(text, parsed);
    return {
      kind: 'value',
      text: readsFirst ? undefined : text,
      value: parsed.value,
      exact: parsed.exact,
      media,
    };
  };
}
