import fc from 'fast-check';
import type { Operation } from '../contract/contract.ts';
import { essenceOf, matchesMediaRange } from '../http/media-type.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { judgeValue } from './from-schema.ts';
import { isMalformed } from './malformed-bodies.ts';
import { multipartBoundary } from './other-notation.ts';
import { bodyMembers, jsonTokens, type PlainBody, plainContent, plainTokens } from './plain-body.ts';
import { type Body, type Cases, joinParts, noCases, plainKey } from './request-case.ts';

/** Writes a plain body as `application/x-www-form-urlencoded`. */
function formNotation(body: PlainBody, value: JsonValue): Body {
  const pairs = bodyMembers(body, value).map(([name, text], index): Body => {
    const start = `${index === 0 ? '' : '&'}${encodeURIComponent(name)}=`;
    return [start, typeof text === 'string' ? encodeURIComponent(text) : text];
  });
  return joinParts(pairs.flat());
}

/** Writes a plain body as `multipart/form-data` (RFC 7578 §4). */
function multipartNotation(body: PlainBody, value: JsonValue): Body {
  const parts = bodyMembers(body, value).map(([name, text]): Body => {
    return [`--${multipartBoundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`, text, '\r\n'];
  });
  return joinParts([...parts.flat(), `--${multipartBoundary}--\r\n`]);
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Writes a plain body as an XML document, with an element for each member. */
function xmlNotation(body: PlainBody, value: JsonValue): Body {
  const elements = bodyMembers(body, value).map(([name, text]): Body => {
    return [`<${name}>`, typeof text === 'string' ? escapeXml(text) : text, `</${name}>`];
  });
  return joinParts(['<?xml version="1.0" encoding="UTF-8"?><body>', ...elements.flat(), '</body>']);
}

/** Content and its declared media type. */
interface LabelledBody {
  /** The value of Content-Type, or undefined for none. */
  readonly contentType: string | undefined;
  /** Undefined for no content. */
  readonly body: Body | undefined;
}

type Notation = (body: PlainBody, value: JsonValue) => Body;

const inJson: Notation = plainContent;
const inYaml: Notation = (body, value) => ['---\n', ...inJson(body, value), '\n'];

const types: readonly (readonly [contentType: string, notation: Notation | undefined])[] = [
  ['text/plain', undefined],
  ['application/x-www-form-urlencoded', formNotation],
  ['application/xml', xmlNotation],
  [`multipart/form-data; boundary=${multipartBoundary}`, multipartNotation],
  ['text/xml', xmlNotation],
  ['text/html', undefined],
  ['application/octet-stream', undefined],
  ['application/x-unheard-of', undefined],
  ['application/yaml', inYaml],
  ['application/vnd.api+json', undefined],
  ['text/json', undefined],
  ['application/jsonp', undefined],
  ['*/*', undefined],
  ['json', undefined],
];

/** Returns bodies with an undeclared or no media type: in JSON, in the notation of that type, or meaningless. */
export function otherMediaTypes(operation: Operation, body: PlainBody): Cases<LabelledBody> {
  const declared = operation.requestBody?.media ?? [];
  const isOther = (contentType: string): boolean => {
    const essence = essenceOf(contentType);
    return !declared.some(({ range }) => matchesMediaRange(essence, range));
  };
  const others = types.filter(([contentType]) => isOther(contentType));
  if (declared.some(({ range }) => range.startsWith('*/*'))) return { examples: [], arbitrary: undefined };
  const written: readonly (readonly [contentType: string | undefined, notation: Notation])[] = [
    ...others.map(([contentType]) => [contentType, inJson] as const),
    [undefined, inJson],
    ...others.flatMap(([contentType, notation]) =>
      notation === undefined ? [] : [[contentType, notation] as const],
    ),
  ];
  const nothing: readonly LabelledBody[] = [
    ...others.slice(0, 4).map(([contentType]) => ({ contentType, body: ['hello'] })),
    { contentType: undefined, body: ['hello'] },
    // A request without content is plain if the document does not require content.
    ...(operation.requestBody?.required === true ? [{ contentType: undefined, body: undefined }] : []),
    { contentType: '', body: inJson(body, body.fullest) },
  ];
  const label = (value: JsonValue, [contentType, notation]: (typeof written)[number]): LabelledBody => ({
    contentType,
    body: notation(body, value),
  });
  const examples = [...written.map((how) => label(body.fullest, how)), ...nothing];
  const arbitrary = fc
    .tuple(body.arbitrary, fc.constantFrom(...written))
    .map(([value, how]) => label(value, how));
  return { examples, arbitrary };
}

/** Returns plain bodies with the declared media type in an unusual spelling (RFC 9110 §8.3.1). */
export function spelledMediaTypes(body: PlainBody): Cases<LabelledBody> {
  const type = body.contentType;
  const essence = type.split(';', 1)[0]?.trim() ?? type;
  const isMultipart = essence.startsWith('multipart/');
  const capitalised = essence.replaceAll(/(^|\/)[a-z]/gu, (letter) => letter.toUpperCase());
  const spellings = [
    `${essence};charset=utf-8`,
    `${essence}; charset=UTF-8`,
    `${essence}; charset="utf-8"`,
    capitalised,
    essence.toUpperCase(),
    `${essence} ; charset=utf-8`,
    `${essence}; CHARSET=utf-8`,
    `${essence}; profile=unheard-of`,
    `${essence};`,
  ].map((spelling) =>
    isMultipart ? `${spelling.replace(/;$/u, '')}; boundary=${multipartBoundary}` : spelling,
  );
  const arbitrary = fc
    .tuple(body.arbitrary, fc.constantFrom(...spellings))
    .map(([value, contentType]) => ({ contentType, body: inJson(body, value) }));
  return {
    examples: spellings.map((contentType) => ({ contentType, body: inJson(body, body.fullest) })),
    arbitrary,
  };
}

const deep = 200;

function nestedArrays(levels: number): JsonValue {
  let value: JsonValue = [];
  for (let level = 1; level < levels; level += 1) {
    value = [value];
  }
  return value;
}

/** Writes an object as the list of its pairs, which lenient readers convert to a map. */
function pairTokens({ fullest, key }: PlainBody): Body {
  const pairs = isJsonObject(fullest) ? Object.entries(fullest) : [];
  const at = pairs.findIndex(([name]) => name === key?.property);
  return joinParts(jsonTokens(pairs, new Map([[`/${at}/1`, [plainKey]]])));
}

/**
 * Returns whole bodies of a type that the schema does not allow, including a valid body in an array or as the list of
 * its pairs.
 */
export function otherBodyTypes(body: PlainBody): Cases<Body> {
  if (body.notation !== undefined) return noCases;
  const isInvalid = (value: JsonValue): boolean => judgeValue(body.schema, value) === 'invalid';
  const tokensOf = (value: JsonValue): Body => plainTokens(body, value);
  const wrapped = (value: JsonValue): Body => joinParts(['[', ...tokensOf(value), ']']);
  const plain: readonly JsonValue[] = [null, [], {}, true, false, 0, 1, -1, 1.5, '', 'text'];
  const literals = [...plain, [null], [{}], [[]], nestedArrays(deep)]
    .filter(isInvalid)
    .map((value) => tokensOf(value));
  const inArray = isInvalid([body.fullest]) ? [wrapped(body.fullest)] : [];
  const inObject = isInvalid({ body: body.fullest })
    ? [joinParts(['{"body":', ...tokensOf(body.fullest), '}'])]
    : [];
  const isPairs = isJsonObject(body.fullest) && isInvalid(Object.entries(body.fullest));
  const inPairs = isPairs ? [pairTokens(body)] : [];
  const examples = [...literals.slice(0, 2), ...inArray, ...inObject, ...inPairs, ...literals.slice(2)].map(
    (tokens) => joinParts(tokens),
  );
  const [first] = examples;
  if (first === undefined) return { examples, arbitrary: undefined };
  const other = fc
    .jsonValue({ maxDepth: 3 })
    // `as`: a JSON value of fast-check is one of ours.
    .map((value) => value as JsonValue)
    // An object with the key property by chance would send a generated id.
    .map((value) => (isInvalid(value) && !isJsonObject(value) ? joinParts(tokensOf(value)) : first));
  const arrays = body.arbitrary.map((value) => (isInvalid([value]) ? wrapped(value) : first));
  const levels = fc
    .integer({ min: 1, max: deep })
    .map((count) => joinParts(['['.repeat(count), ']'.repeat(count)]));
  const choices = isInvalid([]) && isInvalid([[]]) ? [other, arrays, levels] : [other, arrays];
  return { examples, arbitrary: fc.oneof(...choices) };
}

/** Writes the members of a plain body as lines: `name: text`. */
function yamlLines(body: PlainBody): Body {
  return joinParts(bodyMembers(body, body.fullest).flatMap(([name, text]) => [`${name}: `, text, '\n']));
}

/** Returns a plain body as forms, YAML and XML, for a reader that tries them all regardless of the media type. */
export function otherNotations(body: PlainBody): Cases<Body> {
  const written = [formNotation(body, body.fullest), yamlLines(body), xmlNotation(body, body.fullest)];
  return { examples: written.filter((one) => one.length > 0 && isMalformed(one)), arbitrary: undefined };
}
