import type { Resource } from './contract.ts';
import type { Reading } from './operation-reading.ts';
import { likeness, type ObjectShape, type ShapeReader } from './shapes.ts';

/** Operations by the path of their collection, without parameter names. */
type Groups = Map<string, [Reading, ...Reading[]]>;

/**
 * Finds collections that are created below a parent, but read, changed or deleted at a shorter path without it. Both
 * paths get the operations of both: `POST /albums/{albumId}/photos` and `GET /photos/{photoId}`.
 *
 * Both paths must have the same beginning, the same last word and the same schema, and only one pair may match. The
 * same name in `x-cloche-resource` connects any two paths.
 *
 * @returns the shorter path as written in the document, by both paths
 */
export function mergeShallowRoutes(groups: Groups, reader: ShapeReader): ReadonlyMap<string, string> {
  const nested = [...groups].filter(([name, members]) => createsBelowParent(name, members));
  const paths = new Map<string, string>();
  for (const [short, members] of groups) {
    if (!lacksCreate(members)) continue;
    const given = givenName(members);
    const named = nested.filter(([, others]) => given !== undefined && givenName(others) === given);
    const alike = nested.filter(
      ([name, others]) => isShorter(short, name) && showSame(members, others, reader),
    );
    const [match, another] = named.length > 0 ? named : alike;
    if (match === undefined || another !== undefined || paths.has(match[0])) continue;
    const both: [Reading, ...Reading[]] = [...match[1], ...members];
    groups.set(match[0], both).set(short, both);
    paths.set(match[0], members[0].path).set(short, members[0].path);
  }
  return paths;
}

const lastWord = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const createsBelowParent = (name: string, members: readonly Reading[]): boolean =>
  name.includes('{}/') &&
  members.some(({ pathKind, operation: { method } }) => pathKind === 'plain' && method === 'POST');

/** Returns whether a collection has items with a path, and no create. */
function lacksCreate(members: readonly Reading[]): boolean {
  return (
    members.some(({ pathKind }) => pathKind === 'item') &&
    members.every(({ pathKind, operation: { method } }) => pathKind !== 'plain' || method === 'GET')
  );
}

const givenName = (members: readonly Reading[]): string | undefined =>
  members.find(({ override }) => override.name !== undefined)?.override.name;

/** Returns whether the second path is the first one with a parent inserted before its last word. */
function isShorter(short: string, nested: string): boolean {
  const base = short.slice(0, short.lastIndexOf('/') + 1);
  const word = lastWord(short);
  const rest = nested.slice(base.length);
  return nested.startsWith(base) && rest.endsWith(`{}/${word}`) && !rest.startsWith(`${word}/`);
}

/** Returns whether two collections return items of the same schema and use the same path parameter. */
function showSame(short: readonly Reading[], nested: readonly Reading[], reader: ShapeReader): boolean {
  const parameters = [...short, ...nested].flatMap(({ pathKind, parameter }) =>
    pathKind === 'item' ? [parameter] : [],
  );
  const shapesOf = (members: readonly Reading[]): readonly ObjectShape[] =>
    members
      .flatMap(({ response }) => [reader.list(response)?.shape, reader.representation(response)?.shape])
      .filter((shape) => shape !== undefined);
  const shown = shapesOf(nested);
  return (
    new Set(parameters).size === 1 &&
    shapesOf(short).some((shape) => shown.some((each) => likeness(shape, each) >= 0.9))
  );
}

/** Returns whether a path, concrete or a template, is at or below the shorter path of a collection. */
export function isShallow({ shallow }: Pick<Resource, 'shallow'>, path: string): boolean {
  if (shallow === undefined) return false;
  const words = shallow.split('/');
  return path.split('/')[words.length - 1] === words.at(-1);
}

/** Returns the shorter path of a concrete collection, which all parents share; the collection itself if it has none. */
export function toShallowPath({ shallow }: Pick<Resource, 'shallow'>, collection: string): string {
  if (shallow === undefined || isShallow({ shallow }, collection)) return collection;
  const parts = collection.split('/');
  return shallow
    .split('/')
    .map((segment, index) => (segment.includes('{') ? (parts[index] ?? segment) : segment))
    .join('/');
}
