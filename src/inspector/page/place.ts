import { decodePathText } from '../../http/query.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import type { TouchedItem } from '../../mock/message.ts';
import type { ServiceResource } from '../../mock/control/calls.ts';

/** Returns the URL fragment of a resource, or, without `key`, of its collection. */
export function placeOfResource({ collection, key }: TouchedItem): string {
  const names = key === undefined ? [collection] : [collection, key];
  return ['#state', ...names.map((name) => encodeURIComponent(name))].join('/');
}

/** Returns the text of an id of the state: `"basil"` is `basil`, `7` is `7`. */
function textOfKey(key: string): string {
  const parsed = key.startsWith('"') ? parseJson(key, { explains: false }) : undefined;
  return parsed?.kind === 'json' && typeof parsed.value === 'string' ? parsed.value : key;
}

/** Returns an id as it is shown: without quotes, unless it would look like an id that is no string: `"7"`, `"true"`. */
export function labelOfKey(key: string): string {
  const text = textOfKey(key);
  return parseJson(text, { explains: false }).kind === 'json' || text.trim() !== text || text === ''
    ? key
    : text;
}

/** Returns the path of an item in requests. */
export function pathOfResource(collection: string, key: string): string {
  // A lone surrogate cannot occur in a path.
  return `${collection}/${encodeURIComponent(textOfKey(key).replaceAll(/\p{Cs}/gu, '\uFFFD'))}`;
}

/** Finds the resource of the document for a concrete path. */
export function findKind(resources: readonly ServiceResource[], path: string): ServiceResource | undefined {
  const segments = path.split('/');
  const fits = ({ collection }: ServiceResource): boolean => {
    const template = collection.split('/');
    return (
      template.length === segments.length &&
      template.every((segment, index) => segment.includes('{') || segment === segments[index])
    );
  };
  return resources.find(({ collection }) => collection === path) ?? resources.find(fits);
}

/**
 * Returns the links of a value to the items that it identifies, by the property that holds it; none for other values.
 * Items below another item are found if it is also above the holder.
 */
export function linksOf(
  resources: readonly ServiceResource[],
  holder: string,
  { property, value }: { readonly property: string; readonly value: JsonValue | undefined },
): readonly (readonly [text: string, place: string])[] {
  const own = findKind(resources, holder);
  const target = own?.relations.find((each) => each.property === property)?.collection;
  if (target === undefined || own === undefined) return [];
  const template = own.collection.split('/');
  const segments = holder.split('/');
  const isAbove = (segment: string, index: number): boolean => template[index] === segment;
  const parts = target.split('/');
  if (!parts.every((part, index) => !part.includes('{') || isAbove(part, index))) return [];
  const collection = parts.map((part, index) => (isAbove(part, index) ? segments[index] : part)).join('/');
  const ids = (Array.isArray(value) ? value : [value]).filter(
    (id) => typeof id === 'string' || typeof id === 'number' || id instanceof ExactNumber,
  );
  return ids.map((id) => {
    const text = typeof id === 'string' ? id : stringifyJson(id);
    return [text, placeOfResource({ collection, key: text })];
  });
}

/** Finds the parent item of a collection or a singleton; undefined for one at the top. */
export function findParent(
  resources: readonly ServiceResource[],
  path: string,
): Required<TouchedItem> | undefined {
  const parent = findKind(resources, path)?.parent;
  if (parent === undefined) return undefined;
  const segments = path.split('/');
  const depth = parent.split('/').length;
  return { collection: segments.slice(0, depth).join('/'), key: decodePathText(segments[depth] ?? '') };
}

/** Lists the paths of an item's collections and singletons, if they have no other path parameters. */
export function listBelow(
  resources: readonly ServiceResource[],
  collection: string,
  key: string,
): readonly string[] {
  const own = findKind(resources, collection)?.collection;
  if (own === undefined) return [];
  const depth = own.split('/').length + 1;
  const item = pathOfResource(collection, key);
  return resources
    .filter(({ parent }) => parent === own)
    .map((each) => each.collection.split('/').slice(depth))
    .filter((rest) => rest.length > 0 && rest.every((segment) => !segment.includes('{')))
    .map((rest) => [item, ...rest].join('/'));
}
