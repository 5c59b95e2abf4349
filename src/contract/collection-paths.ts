import type { Reading } from './operation-reading.ts';
import { singular } from './resource-key.ts';
import { likeness, type ShapeReader } from './shapes.ts';

/** Operations, grouped by the path of their collection or singleton. */
type Groups = Map<string, [Reading, ...Reading[]]>;

/**
 * Treats a path that ends in a parameter as a collection if its GET lists the items of the paths below it:
 * `/zones/{zone}/{type}` above `/zones/{zone}/{type}/{name}`.
 */
export function readCollectionPaths(readings: readonly Reading[], reader: ShapeReader): readonly Reading[] {
  const groups = groupByPath(readings);
  const membersOf = (group: string, kind: Reading['pathKind']): readonly Reading[] =>
    (groups.get(group) ?? []).filter(({ pathKind }) => pathKind === kind);
  const isCollection = ({ group, response }: Reading): boolean => {
    const element = reader.list(response)?.shape;
    const whole = reader.representation(response)?.shape;
    const isElement = membersOf(group, 'plain').some(
      (each) => likeness(reader.list(each.response)?.shape, whole) >= 0.5,
    );
    return (
      !isElement &&
      membersOf(`${group}/{}`, 'item').some(
        (each) => likeness(element, reader.representation(each.response)?.shape) >= 0.5,
      )
    );
  };
  const collections = new Set(
    readings.flatMap((reading) => {
      const { group, pathKind, operation } = reading;
      if (pathKind !== 'item' || operation.method !== 'GET' || !isCollection(reading)) return [];
      const changes = membersOf(group, 'item').some((each) =>
        ['PUT', 'PATCH', 'DELETE'].includes(each.operation.method),
      );
      return changes ? [] : [group];
    }),
  );
  return readings.map((reading) => {
    const { group, path, pathKind, parameter } = reading;
    return pathKind === 'item' && collections.has(group)
      ? {
          ...reading,
          group: `${group}/{}`,
          path: `${path}/{${parameter}}`,
          pathKind: 'plain',
          parameter: undefined,
          parameterSchema: undefined,
        }
      : reading;
  });
}

/** Groups operations by their collection or singleton. */
export function groupReadings(readings: readonly Reading[]): Groups {
  const groups = groupByPath(readings);
  mergeForms(groups);
  return groups;
}

function groupByPath(readings: readonly Reading[]): Groups {
  const groups: Groups = new Map();
  for (const reading of readings) {
    const group = groups.get(reading.group);
    if (group === undefined) {
      groups.set(reading.group, [reading]);
    } else {
      group.push(reading);
    }
  }
  return groups;
}

/** Merges paths that differ by a plural ending: `/crl/{id}` is an item of `/crls`. */
function mergeForms(groups: Groups): void {
  const listing = new Map<string, string>();
  for (const [name, members] of groups) {
    if (members.every(({ pathKind }) => pathKind === 'plain')) listing.set(stemOf(name), name);
  }
  for (const [name, members] of groups) {
    const other = listing.get(stemOf(name));
    const listed = other === undefined ? undefined : groups.get(other);
    if (other === undefined || other === name || listed === undefined) continue;
    if (members.some(({ pathKind, operation: { method } }) => pathKind === 'plain' && method === 'GET'))
      continue;
    if (!members.some(({ pathKind }) => pathKind === 'item')) continue;
    const both: [Reading, ...Reading[]] = [...listed, ...members];
    groups.set(name, both).set(other, both);
  }
}

const stemOf = (path: string): string => path.replace(/(?:ies|y|es|s)$/u, '');

/** Words of a path that name an action on the things before them: `/cards/list`, `/aggregator/create`. */
const listingWords = new Set(['list', 'all']);
const makingWords = new Set(['create', 'add', 'new']);
const searchingWords = /^(?:search|find)$|^(?:search|find)?by[-_A-Z]/iu;

/** Words of a path that describe how the parameter after them identifies an item, and not what the item is. */
const namingWords = new Set(['id', 'key', 'name', 'by-id', 'by-key', 'by-name', 'byid', 'bykey', 'byname']);

/**
 * Returns the name of the items at a path: its last word. If that is the API version, the operation ids of a discovery
 * document name them: `restores` of `backup.projects.restores.patch` at `/v1/{name}`.
 *
 * @param isBelow - whether there are operations at the path without its last word
 */
export function nameOf(path: string, members: readonly Reading[], isBelow: boolean): string {
  const [beforeFragment = ''] = path.split('#');
  // `/jobs:query` belongs to jobs, and `/users.list` to users.
  const words = beforeFragment
    .split('/')
    .filter((segment) => segment !== '' && !segment.startsWith('{'))
    .map((segment) => segment.replace(/(?<=\w)(?::\w+|\.list)$/u, ''));
  const [last = '', before] = words.toReversed();
  const word = last.toLowerCase();
  if (before !== undefined && namingWords.has(word)) return before;
  const isListed = listingWords.has(word) && before !== undefined && singular(before) !== before;
  const isSearched = isBelow && searchingWords.test(last);
  if (before !== undefined && (isListed || isSearched || makingWords.has(word))) return before;
  if (!/^v\d+(?:[a-z]+\d*)*$/iu.test(last)) return last;
  const changer = members.find(({ operation: { method } }) => ['PUT', 'PATCH', 'DELETE'].includes(method));
  return (changer ?? members[0])?.operation.id.split('.').at(-2) ?? last;
}
