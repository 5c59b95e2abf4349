import { isJsonObject } from '../../json/is-json-object.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { DocumentProblem } from '../document-problem.ts';
import { findObject, findPaths, type FoundObject } from './find-paths.ts';

/** A media type or range, with parameters or without (RFC 9110 §8.3.1), read generously. */
const mediaType = /^[^\s/;,]+\/[^\s/;,]+\s*(?:;.*)?$/u;

/** What an operation has content in: its body and its responses. */
function contentHolders(root: JsonObject, { pointer, value }: FoundObject): readonly FoundObject[] {
  const statuses = isJsonObject(value['responses']) ? Object.keys(value['responses']) : [];
  const places = [
    appendPointer(pointer, 'requestBody'),
    ...statuses.map((status) => appendPointer(pointer, 'responses', status)),
  ];
  return places.flatMap((place) => findObject(root, place) ?? []);
}

/** Keys of `content` that are no media types, under which nothing could be sent (OpenAPI 3.1 §4.8.14). */
export function mediaTypes(root: JsonObject): readonly DocumentProblem[] {
  const operations = findPaths(root).flatMap((path) => path.operations);
  const places = operations.flatMap((operation) =>
    contentHolders(root, operation).flatMap(({ pointer, value }) =>
      Object.keys(isJsonObject(value['content']) ? value['content'] : {})
        .filter((name) => !mediaType.test(name))
        .map((name) => appendPointer(pointer, 'content', name)),
    ),
  );
  return [...new Set(places)].map((pointer) => ({
    pointer,
    reason: 'is no media type',
    remedy: 'Write a type and a subtype, such as application/json',
  }));
}
