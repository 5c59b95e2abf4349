import type { Reading } from './operation-reading.ts';
import { likeness, type ShapeReader } from './shapes.ts';

/** The first words of operations that set a whole resource: `saveSettings`. */
export const replaceVerbs: ReadonlySet<string> = new Set(
  'put set save replace create add insert upsert store register'.split(' '),
);
/** The first words of operations that change a part of a resource: `updateSettings`. */
export const updateVerbs: ReadonlySet<string> = new Set(
  'update edit modify patch change configure'.split(' '),
);

/** Returns whether a change of a path without creates sends an object with the list that the GET of the path returns. */
export function setsList(
  members: readonly Reading[],
  path: readonly string[] | undefined,
  reader: ShapeReader,
): boolean {
  const [name] = path ?? [];
  if (name === undefined || members.some(({ operation }) => operation.method === 'POST')) return false;
  return members.some(
    ({ operation: { method }, request }) =>
      ['PUT', 'PATCH'].includes(method) && reader.read(request)?.properties.has(name) === true,
  );
}

/** Returns whether a POST sets what the GET of its path returns: `POST /configuration` of `updateConfiguration`. */
export function isSetter(reading: Reading, getter: Reading | undefined, reader: ShapeReader): boolean {
  const { operation, request, response, verb, words } = reading;
  const [first = '', ...noun] = words;
  if (operation.method !== 'POST' || getter === undefined || verb !== undefined) return false;
  if (!replaceVerbs.has(first) && !updateVerbs.has(first)) return false;
  const shown = reader.representation(getter.response)?.shape;
  return (
    [request, response].some(
      (schema) => likeness(reader.representation(schema, shown)?.shape, shown) >= 0.5,
    ) || noun.join(' ') === getter.words.slice(1).join(' ')
  );
}
