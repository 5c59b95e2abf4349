import pluralize from 'pluralize';
import { isJsonObject } from '../json/value.ts';
import { type JsonSchema, schemaTypes } from '../schema/walk.ts';
import type { ResourceKey } from './contract.ts';
import type { ObjectShape, ShapedProperty, ShapeReader } from './shapes.ts';

/** The words of a name or a path, in lower case: `orderItem_id` has three. */
export function splitWords(text: string): readonly string[] {
  return text
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/gu, ' ')
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '');
}

// One of these is called as many are.
pluralize.addUncountableRule(/(?:^|meta)data$|media$/iu);

/** An English word in lower case in the singular: `movies` is `movie`, `people` is `person`. */
export function singular(word: string): string {
  return pluralize.singular(word);
}

/** A name without separators and in lower case. */
export const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/gu, '').toLowerCase();

/** Words that tell things apart; what ends in another one, `{petType}`, names a property only as a whole. */
const idWords = new Set(
  'id uuid guid gid sid uid pid oid key code slug name number no num handle email login username ref reference arn sku isbn vin ip hash sha digest address domain'.split(
    ' ',
  ),
);

/**
 * The names that the key of a resource may have, likeliest first.
 *
 * @param input.parameter - by which paths name an item
 * @param input.words - what one of them is called: the last word of its path, or that of the operation which creates it
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
    // `{creditId}` is no credit's name.
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

/** Whether a parameter of the query says which of several things is meant: `GET /aliases?aliasName=…`. */
export function namesItem(parameter: string, word: string): boolean {
  const names = keyNames({ parameter: undefined, words: [word] });
  // One called a key or a code alone tends to be that of a client.
  return !['key', 'code', 'login', 'username'].includes(plain(parameter)) && names.includes(plain(parameter));
}

/** Whether a name ends in a word for an id: `petId`, `order_uuid`. */
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

/** Whether a property is a date or a time, which tells no items apart. */
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
  /** What `x-cloche-resource` says. */
  readonly said: string | undefined;
  /** Of the collection. */
  readonly path: string;
  readonly names: readonly string[];
  readonly shape: ObjectShape | undefined;
  readonly created: ObjectShape | undefined;
  readonly request: ObjectShape | undefined;
  /** Whether PUT on an item creates. */
  readonly puts: boolean;
  /** Whether the create declares 409, so that something of an item must not be repeated. */
  readonly declaresConflict: boolean;
  readonly reader: ShapeReader;
  readonly parameter: string | undefined;
  readonly parameterSchema: JsonSchema | undefined;
}

/** The property that may be the key, and what it was chosen from. */
interface KeySearch {
  readonly property: string | undefined;
  /** Whether the service alone makes a property of each item that could be the key as well. */
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
  // `/queries/{queryId}/statistics` lists statistics that all have the same `queryId`.
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
      // One of a few values tells no items apart, unless who names them chooses it.
      (puts || request?.properties.get(name)?.required === true || !reader.isListed(property.schema)) &&
      reader.types(property.schema).every((type) => scalars.includes(type)) &&
      reader.read(property.schema) === undefined
    );
  };
  // `{org}` is a text: it is no integer, which `id` may be. An id that is called one may be written as a text.
  const wanted =
    isCalledId(parameter) || parameterSchema === undefined ? [] : [...schemaTypes(parameterSchema)];
  const isOfType = (name: string): boolean => {
    const types = reader.types(propertyOf(name)?.schema);
    return wanted.length === 0 || types.length === 0 || types.some((type) => isAlike(type, wanted));
  };
  // What the service alone names, what it always does first.
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
    // The `itemId` of an `item_snapshot`, rather than its `itemGroupId`.
    ...made
      .filter((name) => /(?:Id|ID|_id)$/u.test(name) && words.has(splitWords(name)[0] ?? ''))
      .toSorted((left, right) => splitWords(left).length - splitWords(right).length),
    // Whatever else is called an id: of what is only listed, one of several may well be that of another thing.
    ...(isOnlyListed && otherIds.length > 1 ? [] : otherIds),
    ...made.filter((name) => /(?:Arn|Reference|_reference)$/u.test(name)),
  ].filter(fits);
  const first = byName.find((name) => name === said || isOfType(name)) ?? byName[0];
  // An id that is a whole address is no segment of a path, nor is one that a service makes beside the name of what PUT creates.
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

/** Finds what tells the items of a resource apart, and who makes it. */
export function findKey(input: KeyInput): ResourceKey {
  const { said, shape, created, request, puts, reader, parameter } = input;
  const { property, hasRival } = findKeyProperty(input);
  const isNamedByClient = property !== undefined && request?.properties.get(property)?.readOnly === false;
  const isGuessed =
    isNamedByClient && !isCalledId(property) && property !== said && parameter === undefined && !puts;
  // Beside a text that the service alone makes, which may be the id as well, a name that the path does not say is no evidence.
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
