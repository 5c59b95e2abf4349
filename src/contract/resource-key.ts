import type { ResourceKey } from './contract.ts';
import type { ObjectShape, ShapeReader } from './shapes.ts';

/** The words of a name or a path, in lower case: `orderItem_id` has three. */
export function splitWords(text: string): readonly string[] {
  return text
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/gu, ' ')
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '');
}

/** A word without the ending of a plural. */
function singular(word: string): string {
  return word
    .replace(/ies$/u, 'y')
    .replace(/(?<=s|x|ch|sh)es$/u, '')
    .replace(/(?<!s)s$/u, '');
}

const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/gu, '').toLowerCase();

/** The names that the key of a resource may have, likeliest first; `word` is the last one of its path. */
export function keyNames(
  said: string | undefined,
  parameter: string | undefined,
  word: string,
): readonly string[] {
  const one = splitWords(word).map(singular).join('');
  return [
    ...(said === undefined ? [] : [said]),
    ...(parameter === undefined ? [] : [parameter]),
    // `webhook_gid` is the gid of a webhook.
    ...(parameter === undefined ? [] : splitWords(parameter).slice(-1)),
    'id',
    '_id',
    'uuid',
    'guid',
    `${one}id`,
    'key',
    'code',
    'slug',
    `${one}key`,
    `${one}name`,
    'name',
  ];
}

/** Finds what tells the items of a resource apart, and who makes it. */
export function findKey(input: {
  readonly names: readonly string[];
  readonly shape: ObjectShape | undefined;
  readonly created: ObjectShape | undefined;
  readonly request: ObjectShape | undefined;
  /** Whether PUT on an item creates. */
  readonly puts: boolean;
  readonly reader: ShapeReader;
  readonly parameter: string | undefined;
}): ResourceKey {
  const { names, shape, created, request, puts, reader, parameter } = input;
  const answer = created ?? shape;
  const all = [
    ...new Set(
      [...(answer?.properties ?? []), ...(shape?.properties ?? []), ...(request?.properties ?? [])].map(
        ([name]) => name,
      ),
    ),
  ];
  const fits = (name: string): boolean => {
    const property =
      request?.properties.get(name) ?? shape?.properties.get(name) ?? answer?.properties.get(name);
    const types = reader.types(property?.schema);
    return (
      property !== undefined &&
      types.every((type) => ['string', 'integer', 'number'].includes(type)) &&
      reader.read(property.schema) === undefined
    );
  };
  const candidates = [
    ...names.flatMap(
      (wanted) =>
        all.find((name) => name === wanted) ?? all.find((name) => plain(name) === plain(wanted)) ?? [],
    ),
    // What the service alone names, and is called an id.
    ...all
      .filter((name) => /(?:Id|ID|_id)$/u.test(name) && !(request?.properties.has(name) ?? false))
      .slice(0, 1),
  ].filter(fits);
  const property = candidates[0];
  if (property === undefined) {
    return parameter === undefined
      ? {
          kind: 'none',
          evidence: 'neither the request body nor the response has a property that could be a key',
        }
      : { kind: 'none', evidence: `only the path names it, as {${parameter}}` };
  }
  const sent = request?.properties.get(property);
  if (sent !== undefined && sent.required && !sent.readOnly) {
    return { kind: 'client', property, evidence: `the request body requires "${property}"` };
  }
  if (puts && created === undefined) {
    return { kind: 'client', property, evidence: 'PUT creates an item under the id in its path' };
  }
  return { kind: 'server', property, evidence: `the response has "${property}", and the request need not` };
}
