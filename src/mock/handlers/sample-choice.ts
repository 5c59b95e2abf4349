import { resolveObject } from '../../document/references.ts';
import type { Contract, MediaTypeContract, Operation } from '../../contract/contract.ts';
import { type ParameterSource } from '../../contract/read-parameters.ts';
import { decodePathText } from '../../http/query.ts';
import { jsonCodec } from '../../http/codecs/registry.ts';
import { appendPointer, memberAt, nestMember } from '../../json/pointer.ts';
import { parseJsonValue } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, jsonEqual, type JsonValue } from '../../json/value.ts';
import { acceptsValue } from '../../schema/compile.ts';
import { schemaTypes } from '../../schema/walk.ts';
import { memberSchema } from '../answer/representation.ts';
import type { MockResponse } from '../message.ts';
import { readId } from './known-values.ts';
import { sourceOf, type ValidRequest } from './stored-form.ts';

/** The example of a response that matches a request. */
interface ChosenExample {
  readonly name: string;
  readonly value: JsonValue;
}

/** The choice of the values in a sample, by the request. */
export interface SampleChoice {
  /**
   * Returns the example of a response with the name of an example that the request sends, for a parameter or the body.
   * Otherwise, returns the example with the id in the path; undefined if there is none.
   */
  readonly choose: (request: ValidRequest) => ChosenExample | undefined;
  /** Sets the id in the path in a response that shows an item by its id. */
  readonly withId: (answer: MockResponse, request: ValidRequest) => MockResponse;
}

/** Returns the values of the named examples of a parameter, a body or a response (OpenAPI 3.1 §4.8.19). */
function namedExamples(root: Contract['root'], pointer: string): ReadonlyMap<string, JsonValue> {
  const { examples } = resolveObject(root, pointer)?.value ?? {};
  const names = isJsonObject(examples) ? Object.keys(examples) : [];
  return new Map(
    names.flatMap((name) => {
      const value = resolveObject(root, appendPointer(pointer, 'examples', name))?.value['value'];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** A part of a request with examples: their values by name, and the value in the request. */
interface Sender {
  readonly examples: ReadonlyMap<string, JsonValue>;
  readonly read: (request: ValidRequest, source: ParameterSource) => readonly JsonValue[];
}

function listSenders({ parameters, requestBody }: Operation, root: Contract['root']): readonly Sender[] {
  const ofParameters = parameters.map(({ pointer, read }): Sender => ({
    examples: namedExamples(root, pointer),
    read: (_, source) => read(source),
  }));
  const ofBodies = (requestBody?.media ?? []).map((media): Sender => ({
    examples: namedExamples(root, media.pointer),
    read: ({ content }) => (content.kind === 'value' && content.media === media ? [content.value] : []),
  }));
  return [...ofParameters, ...ofBodies].filter(({ examples }) => examples.size > 0);
}

/** Prepares the choice for a media type of the response of an operation. */
export function prepareSampleChoice(
  operation: Operation,
  media: MediaTypeContract | undefined,
  root: Contract['root'],
): SampleChoice {
  const shown = media === undefined ? new Map<string, JsonValue>() : namedExamples(root, media.pointer);
  const senders = shown.size === 0 ? [] : listSenders(operation, root);
  const id = findShownId(operation);

  /** Counts the parts of a request that equal their example of this name; -1 if a part differs from it. */
  function countSent(name: string, request: ValidRequest, source: ParameterSource): number {
    let count = 0;
    for (const { examples, read } of senders) {
      const example = examples.get(name);
      const sent = example === undefined ? [] : read(request, source);
      if (example === undefined || sent.length === 0) continue;
      if (!sent.some((value) => jsonEqual(value, example))) return -1;
      count += 1;
    }
    return count;
  }

  function idOf({ parameters }: ValidRequest): string | undefined {
    const segment = id === undefined ? undefined : parameters[id.parameter];
    return segment === undefined ? undefined : decodePathText(segment);
  }

  function choose(request: ValidRequest): ChosenExample | undefined {
    const source = sourceOf(request);
    let best: { readonly name: string; readonly count: number } | undefined;
    for (const name of senders.length === 0 ? [] : shown.keys()) {
      const count = countSent(name, request, source);
      if (count > (best?.count ?? 0)) best = { name, count };
    }
    const text = idOf(request);
    const name =
      best?.name ??
      [...shown].find(([, value]) => {
        const own = id === undefined ? undefined : memberAt(value, id.path);
        return text !== undefined && (own === text || (typeof own === 'number' && String(own) === text));
      })?.[0];
    const value = name === undefined ? undefined : shown.get(name);
    return name === undefined || value === undefined ? undefined : { name, value };
  }

  function withId(answer: MockResponse, request: ValidRequest): MockResponse {
    const text = idOf(request);
    if (
      answer.status >= 300 ||
      id === undefined ||
      text === undefined ||
      media?.codec !== jsonCodec ||
      typeof answer.body !== 'string'
    )
      return answer;
    const body = parseJsonValue(answer.body);
    if (body === undefined || memberAt(body, id.path) === undefined) return answer;
    const types = schemaTypes(memberSchema(media.schema?.schema ?? true, id.path));
    const own = readId(text, types);
    const named = own === undefined ? body : nestMember(body, id.path, own);
    return acceptsValue(media.schema, named) ? { ...answer, body: stringifyJson(named) } : answer;
  }

  return { choose, withId };
}

/** Returns the path to the id in the response of a read, and the path parameter for it. */
function findShownId({
  kind,
}: Operation): { readonly path: readonly string[]; readonly parameter: string } | undefined {
  if (kind.kind !== 'read' || kind.response === undefined || kind.resource.key.kind === 'none')
    return undefined;
  const { parameter, key } = kind.resource;
  return parameter === undefined ? undefined : { path: [...kind.response, key.property], parameter };
}
