import type { MediaTypeContract, RequestBody } from '../../contract/contract.ts';
import type { Parameter } from '../../contract/read-parameters.ts';
import { decodeUtf8 } from '../../http/bytes.ts';
import type { Codec } from '../../http/codecs/codec.ts';
import { findParser, findStructured, jsonCodec } from '../../http/codecs/registry.ts';
import { essenceOf, findMedia, parseMediaType, weighMedia } from '../../http/media-type.ts';
import { exceedsDepth, type JsonReading, type JsonSyntaxProblem, parseJson } from '../../json/parse.ts';
import { appendPointer } from '../../json/pointer.ts';
import { holdsExactNumber, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { Policy } from '../../policy/policy.ts';
import { mostLevels, unparsedLimit } from '../../policy/behaviours/body-limit.ts';
import type { Condition } from '../../policy/behaviour.ts';
import {
  type CompiledSchema,
  compileSchema,
  type ValidationMode,
  type SchemaValidator,
} from '../../schema/compile.ts';
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

/** Reads the content of a request. */
export type ContentReader = (head: RequestHead, content: RequestContent) => ContentReading;

/** The result of reading the content of a request. */
export type ContentReading =
  | {
      readonly kind: 'value';
      /** The content as a JSON text, if every reader parses it to the same value; otherwise undefined. */
      readonly text: string | undefined;
      readonly value: JsonValue;
      readonly exact: boolean;
      readonly media: MediaTypeContract;
    }
  /** There is no content, and none is required. */
  | { readonly kind: 'absent' }
  /** It has a declared media type that the mock does not parse. */
  | { readonly kind: 'skipped' }
  | {
      readonly kind: 'refused';
      readonly condition: Condition;
      readonly message: string;
      /** Returns the problems in the request. */
      readonly problems?: () => readonly RequestProblem[];
    };

/**
 * Creates the reader of a request body: a declared media type, the size limit, strict UTF-8 (RFC 8259 §8.1), strict
 * JSON (RFC 8259 §2). Encoded content is skipped if the document declares Content-Encoding, and refused otherwise.
 */
export function createContentReader(
  requestBody: RequestBody,
  policy: Policy,
  parameters: readonly Pick<Parameter, 'in' | 'name'>[] = [],
): ContentReader {
  const takesCoding = parameters.some(
    (each) => each.in === 'header' && each.name.toLowerCase() === 'content-encoding',
  );
  const matchMedia = createMediaMatcher(requestBody, policy['unsupported-media-type'] === 'read');
  const duplicates = policy['duplicate-keys-in-json'];
  const { bytes, levels: maxDepth = mostLevels } = policy['body-limit'];
  const unparsed = unparsedLimit(policy['body-limit']);
  const reading: JsonReading = { ...jsonReadings[duplicates], maxDepth };

  function readJson(text: string, media: MediaTypeContract): ContentReading {
    const parsed = parseJson(text, reading);
    if (parsed.kind === 'syntax') return refuseSyntax(text, parsed, maxDepth);
    const { value, exact, duplicateKeys } = parsed;
    if (duplicates === 'refuse' && duplicateKeys.length > 0) {
      return refuse('malformed-body', `The body has the key ${shorten(duplicateKeys[0] ?? '')} twice.`);
    }
    // All other readers use the last of equal keys.
    return { kind: 'value', text: duplicates === 'first' ? undefined : text, value, exact, media };
  }

  function readOther(content: Uint8Array, { codec, media, contentType }: MatchedMedia): ContentReading {
    const parsed = codec?.parse?.(content, media, contentType);
    if (parsed === undefined) return { kind: 'skipped' };
    switch (parsed.kind) {
      case 'malformed':
        return refuse('malformed-body', `The body cannot be read: ${parsed.reason}.`);
      case 'wrong-type': {
        const { at: pointer, sent, wanted } = parsed;
        const type = JSON.stringify(shorten(sent));
        const reason = `${pointer} has the Content-Type ${type}, but must have ${wanted}`;
        const text = `contentType: ${wanted}`;
        return {
          kind: 'refused',
          condition: 'invalid-body',
          message: `The body is not valid: ${reason}.`,
          problems: () => [{ pointer, reason, clause: { in: 'document', pointer: parsed.clause, text } }],
        };
      }
      case 'value': {
        const { value } = parsed;
        return { kind: 'value', text: undefined, value, exact: holdsExactNumber(value), media };
      }
    }
  }

  return (head, content) => {
    const match = matchMedia(head.header('content-type'));
    const limit = typeof match !== 'string' && match.codec === undefined ? unparsed : bytes;
    if (content === 'too-large' || (content !== undefined && content.length > limit)) {
      const message = `The body is larger than ${limit} bytes, which is the most that is read: the policy key "body-limit" changes it.`;
      return refuse('body-too-large', message);
    }
    if (content === undefined || content.length === 0) {
      return requestBody.required
        ? refuse('missing-body', 'The request has no body, and one is required.')
        : { kind: 'absent' };
    }
    if (typeof match === 'string') return refuse('unsupported-media-type', match);
    const coding = head.header('content-encoding');
    if (coding !== undefined && coding.toLowerCase() !== 'identity') {
      // If the document declares the field, its schema has already limited the codings.
      if (takesCoding) return { kind: 'skipped' };
      const subject = `The Content-Encoding ${JSON.stringify(shorten(coding))}`;
      return refuse('unsupported-media-type', `${subject} is not supported: send the body as it is.`);
    }
    if (match.codec !== jsonCodec) return readOther(content, match);
    const text = decodeUtf8(content);
    if (text === undefined) return refuse('malformed-body', 'The body is not valid UTF-8.');
    return readJson(text, match.media);
  };
}

function refuse(condition: Condition, message: string): ContentReading {
  return { kind: 'refused', condition, message };
}

const jsonReadings: Readonly<Record<Policy['duplicate-keys-in-json'], JsonReading>> = {
  last: {},
  first: { duplicateKey: 'first' },
  refuse: { findDuplicateKeys: true },
};

/** Explains in a sentence why a body cannot be read as JSON. */
export function describeSyntax(
  text: string,
  { reason, line, column }: JsonSyntaxProblem,
  maxDepth: number,
): string {
  if (text.startsWith('\uFEFF'))
    return 'The body starts with a byte order mark, which JSON may not (RFC 8259 §8.1).';
  // A text that is too deep was not parsed to its end, so it may or may not be JSON.
  return exceedsDepth(text, maxDepth)
    ? `The body is nested deeper than ${maxDepth} levels, which is the most that is read.`
    : `The body is not JSON: at line ${line}, column ${column}, ${shorten(reason)}.`;
}

function refuseSyntax(text: string, problem: JsonSyntaxProblem, maxDepth: number): ContentReading {
  const { reason, line, column } = problem;
  const problems = (): readonly RequestProblem[] => {
    const before = text.split('\n', line - 1).reduce((length, each) => length + each.length + 1, 0);
    return [{ position: before + column - 1, reason: shorten(reason) }];
  };
  const message = describeSyntax(text, problem, maxDepth);
  return { kind: 'refused', condition: 'malformed-body', message, problems };
}

/** The maximum number of cached media types: clients repeat a few, and a hostile one must not fill the memory. */
const mostRemembered = 64;

/** A declared media type, with the parser for its content. */
interface MatchedMedia {
  readonly media: MediaTypeContract;
  /** Undefined if the content is not parsed. */
  readonly codec: Codec | undefined;
  readonly contentType: string;
}

/** The parser for the content of a request, or a sentence with the sent and the accepted media types. */
type MediaMatch = MatchedMedia | string;

/** Creates a function that finds a declared media type. It refuses others, or reads them as the first declared one. */
function createMediaMatcher(
  { media }: RequestBody,
  readAnyway: boolean,
): (contentType: string | undefined) => MediaMatch {
  const first = findStructured(media) ?? media[0];
  const wanted = media.map(({ range }) => range).join(' or ');
  const remembered = new Map<string | undefined, MediaMatch>();

  function match(contentType: string | undefined): MediaMatch {
    const type = contentType === undefined ? undefined : parseMediaType(contentType);
    const found = type && findMedia(media, type);
    if (contentType !== undefined && type !== undefined && found !== undefined) {
      return { media: found, codec: findParser(found, type.essence), contentType };
    }
    if (readAnyway && first !== undefined) {
      const { range } = first;
      return { media: first, codec: findParser(first, essenceOf(range)), contentType: range };
    }
    const came =
      contentType === undefined
        ? 'The request has no Content-Type'
        : `The Content-Type ${JSON.stringify(shorten(contentType))} is not supported`;
    return `${came}: send ${wanted}.`;
  }

  return (contentType) => {
    const known = remembered.get(contentType);
    if (known !== undefined) return known;
    const result = match(contentType);
    if (remembered.size < mostRemembered) remembered.set(contentType, result);
    return result;
  };
}

/** The problems with the body of a request: as a sentence, and as a list that is created on access. */
interface BodyProblem {
  readonly message: string;
  readonly problems: () => readonly RequestProblem[];
}

/** Finds the problems with the body of a request; undefined if there are none. */
export type BodyCheck = (
  value: JsonValue,
  exact: boolean,
  media: MediaTypeContract,
) => BodyProblem | undefined;

interface Judge {
  readonly schema: CompiledSchema;
  readonly source: BrokenClause['in'];
  readonly validate: SchemaValidator;
}

/**
 * Creates the check of a request body: first by its schema, then by the policy.
 *
 * @throws ClocheError SCHEMA_UNUSABLE if a schema cannot be compiled
 */
export function createBodyCheck(
  requestBody: RequestBody,
  policy: Policy,
  reading: ValidationMode,
): BodyCheck {
  const toJudge = (schema: CompiledSchema, source: Judge['source']): Judge => ({
    schema,
    source,
    validate: schema.validator(reading),
  });
  const constraints = compileConstraints(policy);
  const refusesUndeclared = policy['undeclared-properties'] === 'refuse';
  const prepared = new Map(
    requestBody.media.map((media) => [
      media,
      {
        judges: [
          ...(media.schema ? [toJudge(media.schema, 'document')] : []),
          ...(constraints ? [toJudge(constraints, 'policy')] : []),
        ],
        names: refusesUndeclared ? declaredNames(media.schema?.schema ?? true) : undefined,
      },
    ]),
  );

  return (value, exact, media) => {
    const { judges = [], names } = prepared.get(media) ?? {};
    for (const judge of judges) {
      const problems = judge.validate(value, exact);
      if (problems.length > 0) return toBodyProblem(problems, value, judge);
    }
    const stray =
      names !== undefined && isJsonObject(value)
        ? Object.keys(value).find((name) => !names.has(name))
        : undefined;
    return stray === undefined ? undefined : toStrayProblem(stray);
  };
}

/** Compiles the additional constraints of a policy; their pointers refer to the policy. */
function compileConstraints({ constraints }: Policy): CompiledSchema | undefined {
  return Object.keys(constraints).length === 0
    ? undefined
    : compileSchema({
        schema: { properties: { ...constraints } },
        pointer: '',
        placeOf: (place) => place.replace(/^\/properties/u, '/answers/constraints'),
      });
}

/** The maximum number of problems in a sentence. */
const mostNamed = 3;
/** The maximum number of problems listed: a long array may have one in each item. */
const mostListed = 50;

/** Describes the problems of a body by its schema. */
export function toBodyProblem(
  found: readonly SchemaProblem[],
  value: JsonValue,
  { schema, source }: Pick<Judge, 'schema' | 'source'>,
): BodyProblem {
  const named = found.slice(0, mostNamed).map((problem) => describeSchemaProblem({ problem, value }));
  const rest = found.length - named.length;
  return {
    message: `The body is not valid: ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`,
    problems: () =>
      found.slice(0, mostListed).map((problem) => ({
        // The property itself, if one is missing or not allowed.
        pointer:
          'property' in problem.params
            ? appendPointer(problem.pointer, problem.params.property)
            : problem.pointer,
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
  const clause = policyClause('undeclared-properties', 'refuse');
  return { message: `${reason}.`, problems: () => [{ pointer: appendPointer('', stray), reason, clause }] };
}

/** A media range with its weight: `text/*;q=0.5`. */
const weighted = /^[ \t]*([^;\s]+)[ \t]*(?:;.*?)??(?:;[ \t]*q=([01](?:\.\d{0,3})?)[ \t]*)?$/iu;

/** Returns the weight of a media type in Accept, from 0 to 1 (RFC 9110 §12.5.1); 1 if the field is invalid. */
function weigh(accept: string, contentType: string): number {
  const ranges = accept.split(',').flatMap((part) => {
    const match = weighted.exec(part);
    return match === null ? [] : [{ range: part, weight: Number(match[2] ?? 1) }];
  });
  return ranges.length === 0 ? 1 : weighMedia(ranges, contentType);
}

/** Returns true if Accept allows a media type (RFC 9110 §12.5.1), or if the field is invalid. */
export function acceptsMedia(accept: string, contentType: string): boolean {
  return weigh(accept, contentType) > 0;
}

/** Returns the index of the media type that Accept prefers; the first if several are equal or none is allowed. */
export function chooseAccepted(accept: string, contentTypes: readonly string[]): number {
  const weights = contentTypes.map((contentType) => weigh(accept, contentType));
  return Math.max(0, weights.indexOf(Math.max(...weights)));
}
