import fc from 'fast-check';
import type { Operation } from '../contract/operation.ts';
import { matchesMediaRange } from '../http/matches-media-range.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { Body } from './body.ts';
import type { Cases } from './cases.ts';
import { formNotation } from './form-notation.ts';
import { joinParts } from './join-parts.ts';
import { multipartBoundary, multipartNotation } from './multipart-notation.ts';
import type { PlainBody } from './plain-body.ts';
import { plainTokens } from './plain-tokens.ts';
import { xmlNotation } from './xml-notation.ts';

/** A content and what it is said to be. */
export interface LabelledBody {
  /** The value of Content-Type, or undefined where there is none. */
  readonly contentType: string | undefined;
  /** Undefined where there is none. */
  readonly body: Body | undefined;
}

type Notation = (body: PlainBody, value: JsonValue) => Body;

const inJson: Notation = (body, value) => joinParts(plainTokens(body, value));
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

/**
 * Bodies labelled with a media type that the operation does not declare, or with none: in JSON, in the
 * notation of that type, and carrying nothing that could be meant.
 */
export function otherMediaTypes(operation: Operation, body: PlainBody): Cases<LabelledBody> {
  const declared = operation.requestBody?.media ?? [];
  const isOther = (contentType: string): boolean => {
    const essence = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    return !declared.some(({ range }) => matchesMediaRange(essence, range));
  };
  const others = types.filter(([contentType]) => isOther(contentType));
  if (declared.some(({ range }) => range.startsWith('*/*'))) {
    return { examples: [], arbitrary: undefined };
  }
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
    // A request without content is a plain one where the document asks for none.
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

/** Plain bodies labelled with the declared media type in an unusual spelling (RFC 9110 §8.3.1). */
export function spelledMediaTypes(body: PlainBody): Cases<LabelledBody> {
  const type = body.contentType;
  const essence = type.split(';', 1)[0]?.trim() ?? type;
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
  ];
  const arbitrary = fc
    .tuple(body.arbitrary, fc.constantFrom(...spellings))
    .map(([value, contentType]) => ({ contentType, body: inJson(body, value) }));
  return {
    examples: spellings.map((contentType) => ({ contentType, body: inJson(body, body.fullest) })),
    arbitrary,
  };
}
