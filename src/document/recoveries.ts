import { appendPointer, type JsonPointer, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../json/value.ts';
import type { DocumentProblem, Recovery, RecoveryChange, TextPlaces } from './document.ts';
import { noResponse, type StructureProblem } from './structure-problems.ts';

/** The name of a part of a document that can be ignored while the rest is used. */
type UnitKind = keyof typeof members;

const schemaMembers: Readonly<Record<string, string>> = {
  ...each(
    '$defs definitions dependentSchemas patternProperties properties allOf anyOf oneOf prefixItems',
    'schema*',
  ),
  ...each(
    'additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties',
    'schema',
  ),
};
const parameterMembers: Readonly<Record<string, string>> = {
  schema: 'schema',
  content: 'media type*',
  examples: 'example*',
};

/** The kinds of the members of each part; a star marks a list of them, or one for each name. */
const members = {
  document: {
    info: 'information',
    servers: 'server*',
    paths: 'path*',
    webhooks: 'webhook*',
    components: 'list of components',
    tags: 'tag*',
    externalDocs: 'information',
  },
  'list of components': {
    schemas: 'schema*',
    responses: 'response*',
    parameters: 'parameter*',
    examples: 'example*',
    requestBodies: 'request body*',
    headers: 'header*',
    securitySchemes: 'security scheme*',
    links: 'link*',
    callbacks: 'callback*',
    pathItems: 'path*',
    mediaTypes: 'media type*',
  },
  path: {
    ...each('get put post delete options head patch trace query', 'operation'),
    additionalOperations: 'operation*',
    parameters: 'parameter*',
    servers: 'server*',
  },
  operation: {
    parameters: 'parameter*',
    requestBody: 'request body',
    responses: 'response*',
    callbacks: 'callback*',
    servers: 'server*',
    externalDocs: 'information',
  },
  'request body': { content: 'media type*' },
  response: { headers: 'header*', content: 'media type*', links: 'link*' },
  'media type': { schema: 'schema', itemSchema: 'schema', examples: 'example*', encoding: 'encoding*' },
  parameter: parameterMembers,
  header: parameterMembers,
  schema: schemaMembers,
  callback: {},
  encoding: {},
  example: {},
  information: {},
  link: {},
  'security scheme': {},
  server: {},
  tag: {},
  webhook: {},
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

function each(names: string, kind: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

/** Parts without effect on the validity of requests and responses. */
// A header that is not declared is allowed, and unknown parts of a security scheme are not checked.
const harmless: ReadonlySet<string> = new Set(
  'callback,encoding,example,header,information,link,security scheme,server,tag,webhook'.split(','),
);

/** Members that only describe, in any place. */
const annotations = new Set(
  '$comment $id $schema deprecated description discriminator example examples externalDocs operationId summary tags title xml'.split(
    ' ',
  ),
);

interface Unit {
  readonly kind: UnitKind;
  readonly pointer: JsonPointer;
  /** The keyword whose value it is; undefined for one of several. */
  readonly keyword?: string | undefined;
  /** The keys from it to the requested place. */
  readonly rest: readonly string[];
}

/** Finds the innermost part that contains a place. */
function unitAt(pointer: JsonPointer): Unit {
  const tokens = pointerTokens(pointer);
  let unit: Unit = { kind: 'document', pointer: '', rest: tokens };
  for (;;) {
    const [member = '', name] = unit.rest;
    const known: Readonly<Record<string, string>> = members[unit.kind];
    const named = Object.hasOwn(known, member) ? (known[member] ?? '') : '';
    const isOfMany = named.endsWith('*');
    if (named === '' || (isOfMany && name === undefined)) return unit;
    const taken = unit.rest.slice(0, isOfMany ? 2 : 1);
    unit = {
      // `as`: the table contains no other words; the tests cover each of them.
      kind: named.replace('*', '') as UnitKind,
      pointer: appendPointer(unit.pointer, ...taken),
      keyword: isOfMany ? undefined : member,
      rest: unit.rest.slice(taken.length),
    };
  }
}

/** Returns whether a place contains definitions of a schema, as any version of JSON Schema writes them. */
export function holdsDefinitions(pointer: JsonPointer): boolean {
  const { kind, rest } = unitAt(pointer);
  return kind === 'schema' && rest.length === 1 && /^(?:\$defs|definitions)$/u.test(rest[0] ?? '');
}

/** Returns whether the problem is an unknown keyword of a schema. */
export function isUnknownKeyword({ keyword, pointer }: StructureProblem): boolean {
  return keyword === 'unknown' && unitAt(pointer).kind === 'schema';
}

/** Returns whether a place has no effect on the validity of requests and responses. */
export function isHarmless(pointer: JsonPointer): boolean {
  const { kind, rest } = unitAt(pointer);
  return harmless.has(kind) || annotations.has(rest[0] ?? '');
}

/** Creates a {@link Recovery}. By default its place stays unchanged, and operations do not become ambiguous. */
export function createRecovery(effect: string, rest: Partial<Recovery> = {}): Recovery {
  return { effect, changes: [], unclear: [], ...rest };
}

/** Ignores the innermost part that contains a place. An ignored schema allows every value. */
export function passOver(pointer: JsonPointer): Recovery | undefined {
  const { kind, pointer: place, keyword } = unitAt(pointer);
  if (kind === 'document' || kind === 'list of components') return undefined;
  // `not` with a schema that allows everything would allow nothing, and such an `if` is always met.
  const isCondition = keyword === 'not' || keyword === 'if';
  const value = kind === 'schema' && !isCondition ? {} : undefined;
  const ignored = `the ${isCondition ? 'keyword' : kind} is ignored`;
  return createRecovery(value === undefined ? ignored : 'any value is allowed there', {
    changes: [{ pointer: place, value }],
    unclear: isHarmless(pointer) || kind === 'path' ? [] : [place],
  });
}

/** Matches response statuses that are accepted although the schema of OpenAPI documents requires capitals. */
const looseRange = /^[1-5]xx$/u;

/** Keywords of JSON Schema 2020-12 that OpenAPI 3.0 does not have, but that are used as specified. */
const newKeywords = new Set(
  (
    'const if then else contains minContains maxContains patternProperties propertyNames prefixItems dependentRequired ' +
    'dependentSchemas unevaluatedItems unevaluatedProperties examples $defs $comment contentEncoding contentMediaType'
  ).split(' '),
);

/** Returns how to handle a structural problem of a place; undefined if it makes the whole document unusable. */
export function recoveryOf(problem: StructureProblem): Recovery | undefined {
  const { pointer, keyword } = problem;
  const isMissing = (name: string): boolean => problem.expected.length === 1 && problem.expected[0] === name;
  const { kind, pointer: unit, rest } = unitAt(pointer);
  const [member] = rest;
  if (keyword === 'repeated') {
    return createRecovery('the second is ignored', { changes: [{ pointer, value: undefined }] });
  }
  if (kind === 'document') {
    if (keyword === 'missing' && isMissing('info')) return createRecovery('continues without it');
    if (member === undefined || ['openapi', 'paths', 'components'].includes(member)) return undefined;
  }
  if (kind === 'information' && member === undefined) return createRecovery('continues without it');
  if (kind === 'security scheme') return createRecovery('its credentials are not checked');
  if (kind === 'response' && member === undefined && looseRange.test(pointerTokens(pointer).at(-1) ?? '')) {
    return createRecovery('read as a range of statuses');
  }
  if (pointer.startsWith('/components/') && problem.reason.startsWith('may contain only')) {
    return createRecovery('used as it is');
  }
  if (kind === 'response' && keyword === 'missing' && isMissing('description')) {
    return createRecovery('an empty one is used', {
      changes: [{ pointer: `${unit}/description`, value: '' }],
    });
  }
  if (kind === 'operation' && (problem.reason === noResponse || isMissing('responses'))) {
    const change = { pointer: `${unit}/responses`, value: { default: { description: '' } } };
    return createRecovery('any response is accepted', { changes: [change], unclear: [unit] });
  }
  if (kind === 'parameter' && (isMissing('required') || member === 'required')) {
    const isInPath = keyword === 'missing' || keyword === 'value';
    return {
      effect: isInPath ? 'treated as required' : 'ignored',
      changes: [{ pointer: `${unit}/required`, value: isInPath ? true : undefined }],
      unclear: isInPath ? [] : [unit],
    };
  }
  if (member === undefined) return passOver(pointer);
  if (kind === 'schema' && keyword === 'unknown') {
    return newKeywords.has(member)
      ? createRecovery('read as JSON Schema 2020-12 defines it')
      : createRecovery('ignored', { changes: [{ pointer: appendPointer(unit, member), value: undefined }] });
  }
  const isMisspelt = keyword === 'unknown' && problem.expected.length === 0 && kind !== 'media type';
  return {
    effect: 'ignored',
    changes: [{ pointer: appendPointer(unit, member), value: undefined }],
    unclear: isHarmless(pointer) || isMisspelt ? [] : [unit === '' ? appendPointer(unit, member) : unit],
  };
}

/** Sorts higher list indices first, and inner places before outer ones. */
function byPlace(left: RecoveryChange, right: RecoveryChange): number {
  return right.pointer.localeCompare(left.pointer, 'en', { numeric: true });
}

/** Applies the changes in place, to keep the lines of the rest; returns whether there were any. */
export function applyRecoveries(
  { root, places }: { readonly root: JsonObject; readonly places: TextPlaces },
  problems: readonly DocumentProblem[],
): boolean {
  const changes = problems.flatMap(({ recovery }) => recovery?.changes ?? []);
  const different = new Map(
    changes.map((change, index) => [change.pointer + (change.pointer.endsWith('/-') ? index : ''), change]),
  );
  if (different.size > 0) places.settle();
  for (const { pointer, value } of [...different.values()].toSorted(byPlace)) {
    const key = pointerTokens(pointer).at(-1) ?? '';
    const above = pointer.slice(0, pointer.lastIndexOf('/'));
    const holder = resolvePointer(root, above) ?? (key === '-' ? addList(root, above) : undefined);
    if (Array.isArray(holder)) {
      const index = key === '-' ? holder.length : Number(key);
      holder.splice(index, 1, ...(value === undefined ? [] : [value]));
      if (value === undefined) forgetItem(places, holder, index);
    } else if (isJsonObject(holder) && value === undefined) {
      delete holder[key];
    } else if (isJsonObject(holder) && value !== undefined) {
      setOwn(holder, key, value);
    }
  }
  return different.size > 0;
}

function addList(root: JsonObject, pointer: JsonPointer): JsonValue[] {
  const list: JsonValue[] = [];
  const holder = resolvePointer(root, pointer.slice(0, pointer.lastIndexOf('/')));
  if (isJsonObject(holder)) holder[pointerTokens(pointer).at(-1) ?? ''] = list;
  return list;
}

/** Updates the indices of the items after a removed one. */
function forgetItem(places: TextPlaces, list: object, index: number): void {
  const known = places.get(list);
  if (known === undefined) return;
  const starts = [...known.members.values()].toSpliced(index, 1);
  const moved = [...(known.moved ?? [])]
    .map(([key, place]) => [Number(key), place] as const)
    .filter(([at]) => at !== index)
    .map(([at, place]) => [String(at > index ? at - 1 : at), place] as const);
  const members = new Map(starts.map((start, at) => [String(at), start]));
  places.set(list, { ...known, members, moved: new Map(moved) });
}
