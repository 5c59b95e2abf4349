import pluralize from 'pluralize';
import { isJsonObject } from '../json/value.ts';
import { type JsonSchema, schemaTypes } from '../schema/walk.ts';
import type { ResourceKey } from './contract.ts';
import type { ObjectShape, ShapedProperty, ShapeReader } from './shapes.ts';

/** Splits a name or a path into words in lower case: `orderItem_id` has three. */
export function splitWords(text: string): readonly string[] {
  return text
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/gu, ' ')
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '');
}

// Words whose singular and plural are the same.
pluralize.addUncountableRule(/(?:^|meta)data$|media$/iu);

/** Returns the singular of an English word in lower case: `movies` is `movie`, `people` is `person`. */
export function singular(word: string): string {
  return pluralize.singular(word);
}

/** Returns a name without separators and in lower case. */
export const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/gu, '').toLowerCase();

/** Words for ids. A parameter with another ending, `{petType}`, matches only the property of the whole name. */
const idWords = new Set(
  'id uuid guid gid sid uid pid oid key code slug name number no num handle email login username ref reference arn sku isbn vin ip hash sha digest address domain'.split(
    ' ',
  ),
);

/**
 * Returns the possible names of the id of a resource, most likely first.
 *
 * @param input.parameter - the path parameter of an item
 * @param input.words - the names of an item: the last word of its path, or that of the operation which creates it
 */
export function keyNames(input: {
  readonly parameter: string | undefined;
  readonly words: readonly string[];
}): readonly string[] {
  const { parameter } = input;
  const nouns = input.words
    .map((word) => splitWords(word).map(singular).join(''))
    .filter((one, index, all) => one !== '' && all.indexOf(one) === index);
  const named = (...endings: readonly string[]): readonly string[] =>
    nouns.flatMap((one) => endings.map((ending) => `${one}${ending}`));
  const last = splitWords(parameter ?? '').at(-1) ?? '';
  return [
    ...(parameter === undefined ? [] : [parameter]),
    // `webhook_gid` is the gid of a webhook.
    ...(idWords.has(last) ? [last] : []),
    'id',
    '_id',
    ...named('id'),
    'uuid',
    'guid',
    'gid',
    'sid',
    ...named('uuid', 'guid', 'sid'),
    // `{creditId}` is not the name of a credit.
    ...(isCalledId(parameter)
      ? []
      : [
          'key',
          'code',
          'slug',
          'login',
          'username',
          'name',
          ...named('key', 'name', 'code', 'number', 'no', 'reference'),
          'number',
        ]),
  ];
}

/** Returns whether a query parameter selects one item: `GET /aliases?aliasName=…`. */
export function namesItem(parameter: string, word: string): boolean {
  const names = keyNames({ parameter: undefined, words: [word] });
  // A key or a code without a noun usually identifies the client.
  return !['key', 'code', 'login', 'username'].includes(plain(parameter)) && names.includes(plain(parameter));
}

/** Returns whether a name ends in a word for an id: `petId`, `order_uuid`. */
export function isCalledId(parameter = ''): boolean {
  const last = splitWords(parameter).at(-1) ?? '';
  return ['guid', 'gid', 'sid', 'uid'].includes(last) || /(?:id|uuid)$/u.test(last);
}

function isAddress({ schema }: Partial<ShapedProperty> = {}): boolean {
  const { format, description } = isJsonObject(schema) ? schema : {};
  return (
    format === 'uri' ||
    (typeof description === 'string' && /\bur[il]\b|fully[- ]qualified|\bresource id\b/iu.test(description))
  );
}

/** Returns whether a property is a date or a time, which does not identify an item. */
function isMoment({ schema }: Partial<ShapedProperty> = {}): boolean {
  return (
    isJsonObject(schema) &&
    /^(?:date|time)/u.test(typeof schema['format'] === 'string' ? schema['format'] : '')
  );
}

const scalars = ['string', 'integer', 'number'];

const isAlike = (type: string, wanted: readonly string[]): boolean =>
  wanted.includes(type) ||
  (type !== 'string' && wanted.some((each) => each === 'integer' || each === 'number'));

const isRequired = (shape: ObjectShape | undefined, name: string): boolean =>
  shape?.properties.get(name)?.required === true;

interface KeyInput {
  /** The key in `x-cloche-resource`. */
  readonly said: string | undefined;
  /** The path of the collection. */
  readonly path: string;
  readonly names: readonly string[];
  readonly shape: ObjectShape | undefined;
  readonly created: ObjectShape | undefined;
  readonly request: ObjectShape | undefined;
  /** Whether PUT on an item creates. */
  readonly puts: boolean;
  /** Whether the create declares 409: some property must be unique. */
  readonly declaresConflict: boolean;
  readonly reader: ShapeReader;
  readonly parameter: string | undefined;
  readonly parameterSchema: JsonSchema | undefined;
}

/** The property that may be the id, and its competition. */
interface KeySearch {
  readonly property: string | undefined;
  /** Returns whether the service generates another property that could also be the id. */
  readonly hasRival: () => boolean;
}

function findKeyProperty(input: KeyInput): KeySearch {
  const { said, path, names, shape, created, request, puts, reader, parameter, parameterSchema } = input;
  const answer = created ?? shape;
  const all = [
    ...new Set(
      [...(answer?.properties ?? []), ...(shape?.properties ?? []), ...(request?.properties ?? [])].map(
        ([name]) => name,
      ),
    ),
  ];
  const propertyOf = (name: string): ShapedProperty | undefined =>
    request?.properties.get(name) ?? shape?.properties.get(name) ?? answer?.properties.get(name);
  // All items of `/queries/{queryId}/statistics` have the same `queryId`.
  const ofParents = new Set(
    [...path.matchAll(/\{([^{}]+)\}/gu)]
      .map(([, each = '']) => plain(each))
      .filter((each) => each !== plain(parameter ?? '') && !idWords.has(each)),
  );
  const fits = (name: string): boolean => {
    const property = propertyOf(name);
    return (
      property !== undefined &&
      !ofParents.has(plain(name)) &&
      // An enum does not identify items, unless the client chooses the value as the id.
      (puts || request?.properties.get(name)?.required === true || !reader.isListed(property.schema)) &&
      reader.types(property.schema).every((type) => scalars.includes(type)) &&
      reader.read(property.schema) === undefined
    );
  };
  // If `{org}` is a text, an integer `id` does not match. A parameter named as an id may write a number as a text.
  const wanted =
    isCalledId(parameter) || parameterSchema === undefined ? [] : [...schemaTypes(parameterSchema)];
  const isOfType = (name: string): boolean => {
    const types = reader.types(propertyOf(name)?.schema);
    return wanted.length === 0 || types.length === 0 || types.some((type) => isAlike(type, wanted));
  };
  // Properties that only the service sets; those it always sets come first.
  const made = all
    .filter((name) => !(request?.properties.has(name) ?? false))
    .toSorted((left, right) => Number(isRequired(answer, right)) - Number(isRequired(answer, left)));
  const [beforeFragment = ''] = path.split('#');
  const word = beforeFragment.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{'));
  const words = new Set(splitWords(word ?? '').map(singular));
  const otherIds = made.filter((name) => /(?:Id|ID|_id|Uuid|_uuid|Sid|_sid|Guid)$/u.test(name)).filter(fits);
  const isOnlyListed = created === undefined && parameter === undefined;
  const byName = [
    ...(said === undefined ? [] : [said]),
    ...names.flatMap(
      (each) => all.find((name) => name === each) ?? all.find((name) => plain(name) === plain(each)) ?? [],
    ),
    // The `itemId` of an `item_snapshot`, before its `itemGroupId`.
    ...made
      .filter((name) => /(?:Id|ID|_id)$/u.test(name) && words.has(splitWords(name)[0] ?? ''))
      .toSorted((left, right) => splitWords(left).length - splitWords(right).length),
    // Other ids. If items are only listed, one of several ids may belong to another resource.
    ...(isOnlyListed && otherIds.length > 1 ? [] : otherIds),
    ...made.filter((name) => /(?:Arn|Reference|_reference)$/u.test(name)),
  ].filter(fits);
  const first = byName.find((name) => name === said || isOfType(name)) ?? byName[0];
  // An id that is a full URL cannot be a path segment. Neither can a generated id when PUT creates items by name.
  const isOther =
    first !== undefined &&
    first !== said &&
    (isAddress(propertyOf(first)) ||
      ['code', 'key', 'slug', 'location'].includes(first) ||
      (puts && first === 'id' && !isCalledId(parameter) && propertyOf('id')?.readOnly === true)) &&
    propertyOf('name')?.readOnly === true;
  return {
    property: isOther ? 'name' : first,
    hasRival: () =>
      made.some(
        (name) => isRequired(answer, name) && fits(name) && isOfType(name) && !isMoment(propertyOf(name)),
      ),
  };
}

/** Finds the property that identifies the items of a resource, and whether the client or the service sets it. */
export function findKey(input: KeyInput): ResourceKey {
  const { said, shape, created, request, puts, reader, parameter } = input;
  const { property, hasRival } = findKeyProperty(input);
  const isNamedByClient = property !== undefined && request?.properties.get(property)?.readOnly === false;
  const isGuessed =
    isNamedByClient && !isCalledId(property) && property !== said && parameter === undefined && !puts;
  // If the service also generates an id-like text, a client property is only evidence if the path parameter names it.
  const isRivalled =
    isNamedByClient &&
    parameter !== undefined &&
    !puts &&
    property !== said &&
    !splitWords(parameter).includes(splitWords(property).at(-1) ?? '') &&
    hasRival();
  if (isRivalled && !input.declaresConflict) {
    return {
      kind: 'none',
      evidence: `the path says {${parameter}}, and nothing says that it is "${property}"`,
    };
  }
  if (isGuessed && !input.declaresConflict) {
    return { kind: 'none', evidence: `neither a path nor a declared 409 says that "${property}" is an id` };
  }
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
  const types = reader.types(shape?.properties.get(property)?.schema);
  const isNumber = types.length > 0 && types.every((type) => type === 'integer' || type === 'number');
  const shown = isNumber ? { isNumber } : {};
  return puts && created === undefined
    ? { kind: 'client', property, evidence: 'PUT creates an item under the id in its path', ...shown }
    : {
        kind: 'server',
        property,
        evidence: `the response has "${property}", and the request need not`,
        ...shown,
      };
}
