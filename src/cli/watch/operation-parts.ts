import type { MediaTypeContract } from '../../contract/media-type-contract.ts';
import type { Operation } from '../../contract/operation.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { statusName } from '../../contract/status-name.ts';

function mediaText(media: readonly MediaTypeContract[]): JsonValue {
  return media.map(({ range, schema, examples }) => [range, schema?.schema ?? true, [...examples]]);
}

/**
 * What an operation says, part by part: the name of each part as a person calls it, and a text that is another where
 * what it says is another.
 */
export function operationParts(operation: Operation): ReadonlyMap<string, string> {
  const { id, kind, parameters, requestBody, responses, security } = operation;
  const parts = new Map<string, JsonValue>([
    ['operationId', id],
    ['what it does', kind.kind === 'create' ? [kind.collection, kind.key.kind, kind.success] : kind.kind],
    [
      'parameters',
      parameters.map(({ name, in: place, required, style, explode, mediaType, allowsEmpty, schema }) => [
        name,
        place,
        required,
        style,
        explode,
        mediaType ?? null,
        allowsEmpty,
        schema?.schema ?? true,
      ]),
    ],
    ['request body', requestBody === undefined ? null : [requestBody.required, mediaText(requestBody.media)]],
    ['security', security.map((alternative) => alternative.map((scheme) => ({ ...scheme })))],
  ]);
  if (kind.kind === 'create' && kind.key.kind !== 'none') {
    parts.set('key', kind.key.property);
  }
  for (const { status, description, headers, media } of responses) {
    const fields = headers.map(({ name, required, schema }) => [name, required, schema?.schema ?? true]);
    parts.set(`response ${statusName(status)}`, [description, fields, mediaText(media)]);
  }
  return new Map([...parts].map(([name, value]) => [name, stringifyJson(value)]));
}
