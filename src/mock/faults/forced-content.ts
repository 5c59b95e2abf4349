import type { DeclaredResponse } from '../../contract/declared-response.ts';
import { isOfAnyKind } from '../../contract/is-of-any-kind.ts';
import { holdsExactNumber } from '../../json/holds-exact-number.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { ErrorFacts } from '../bodies/error-facts.ts';
import { renderText } from '../bodies/render-text.ts';
import { sampleHeaders } from '../bodies/sample-headers.ts';
import { sampleValue } from '../bodies/sample-value.ts';
import { chooseSentMedia, type SentMedia } from '../bodies/sent-media.ts';
import { toRefusalShape } from '../refusals/declared-refusal.ts';
import { findNamedExample } from './find-named-example.ts';

/** The fields and the content of a forced answer. */
export interface ForcedContent {
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string;
  /** Whether the document declares it. */
  readonly isDeclared: boolean;
}

function accepts({ media, isJson }: SentMedia, value: JsonValue): boolean {
  if (media.schema === undefined || (!isJson && typeof value === 'string')) {
    return true;
  }
  const validate = media.schema.validator({ formats: 'assert', integers: 'by-value' });
  return validate(value, holdsExactNumber(value)).length === 0;
}

function write({ isJson, contentType }: SentMedia, value: JsonValue): string {
  return isJson ? stringifyJson(value) : renderText(contentType, value);
}

/** The value of an example that a response has under a name, with the media type that it stands in. */
function findExample(
  root: JsonObject,
  response: DeclaredResponse,
  name: string,
): { readonly sent: SentMedia; readonly value: JsonValue } | undefined {
  const chosen = chooseSentMedia(response.media);
  const others = response.media.filter((media) => media !== chosen?.media);
  for (const media of chosen === undefined ? [] : [chosen.media, ...others]) {
    const value = findNamedExample(root, media, name);
    const sent = chooseSentMedia([media]);
    if (value !== undefined && sent !== undefined) {
      return { sent, value };
    }
  }
  return undefined;
}

/** Whether a response has an example of a name. */
export function hasExample(root: JsonObject, response: DeclaredResponse, name: string): boolean {
  return findExample(root, response, name) !== undefined;
}

/**
 * Makes the content of an answer under a declared response: its example of the name, else the first example that its
 * schema accepts, else an error filled by role, else a sample.
 *
 * @param input.root - the document
 */
export function makeForcedContent(input: {
  readonly root: JsonObject;
  readonly response: DeclaredResponse;
  readonly example: string | undefined;
  readonly facts: ErrorFacts;
}): ForcedContent {
  const { root, response, example, facts } = input;
  const further = sampleHeaders(response.headers);
  const named = example === undefined ? undefined : findExample(root, response, example);
  if (named !== undefined) {
    const { sent, value } = named;
    return {
      headers: ['Content-Type', sent.contentType, ...further],
      body: write(sent, value),
      isDeclared: accepts(sent, value),
    };
  }
  const sent = chooseSentMedia(response.media);
  if (sent === undefined) {
    return { headers: further, body: '', isDeclared: true };
  }
  const given = sent.media.examples.find((value) => accepts(sent, value));
  const shape =
    given === undefined && (facts.status >= 400 || isOfAnyKind(sent.media))
      ? toRefusalShape(response)
      : undefined;
  if (shape !== undefined) {
    return { headers: shape.headers, body: shape.body?.(facts) ?? '', isDeclared: true };
  }
  const schema = sent.media.schema?.schema ?? true;
  const value = given ?? sampleValue({ schema, root: isJsonObject(schema) ? schema : {} });
  return {
    headers: ['Content-Type', sent.contentType, ...further],
    body: value === undefined ? '' : write(sent, value),
    // A text that is no JSON stands in for a notation that only its example shows.
    isDeclared: value !== undefined && accepts(sent, value) && (sent.isJson || typeof value === 'string'),
  };
}
