import type { DocumentProblem } from '../document/document.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { groupReadings, nameOf, readCollectionPaths } from './collection-paths.ts';
import type { Certainty, Operation, OperationKind, Resource } from './contract.ts';
import { findCreator, readCreated, saysCreate } from './creates.ts';
import { type BareOperation, readOperation, type Reading, withoutNames } from './operation-reading.ts';
import { findKey, keyNames, namesItem } from './resource-key.ts';
import { findExactResponse } from './responses.ts';
import { isSetter, replaceVerbs, setsList, updateVerbs } from './setters.ts';
import { mergeShallowRoutes } from './shallow-routes.ts';
import { likeness, type ListHints, type ObjectShape, ShapeReader } from './shapes.ts';

/**
 * Finds the resources of a document and the effect of each operation on them. Evidence for a role, by descending
 * weight: the method, the kind of path, the shapes of request and response, the declared statuses, and the words of
 * operationId and summary. `x-cloche-resource` on an operation overrides it.
 *
 * @param root - the document, with only internal `$ref`s
 * @param refuse - throws an error for an `x-cloche-resource` that the operation cannot satisfy
 * @returns the kinds, in the order of the operations
 */
export function inferKinds(
  root: JsonObject,
  operations: readonly BareOperation[],
  refuse: (problem: DocumentProblem) => never,
): readonly OperationKind[] {
  const reader = new ShapeReader(root);
  const readings = readCollectionPaths(
    operations.map((operation) => readOperation(root, operation)),
    reader,
  );
  const groups = groupReadings(readings);
  const shallow = mergeShallowRoutes(groups, reader);
  const below = parametersBelow(readings);
  const found = new Map<Reading[], Group | undefined>();
  const resources = new Map<string, Group>();
  for (const [name, members] of groups) {
    if (!found.has(members)) {
      const above = groups.get(name.replace(/\/\{\}\/[^/{}]+$/u, ''));
      const isBelow = groups.has(name.slice(0, name.lastIndexOf('/')));
      const context = { parameter: below.get(name), above, isBelow, shallow: shallow.get(name) };
      found.set(members, findGroup(members, reader, context));
    }
    const group = found.get(members);
    if (group !== undefined) resources.set(name, group);
  }
  for (const group of resources.values()) setParent(group, resources);
  return readings.map((reading) => {
    const group = listedElsewhere(reading, resources, reader) ?? resources.get(reading.group);
    const own = group && kindIn(reading, group, reader);
    const action = own ?? actionOf(reading, resources, reader);
    const kind = action ?? { kind: 'sample', evidence: explainSample(reading, group) };
    const problem = problemOf(reading, kind);
    return problem === undefined ? kind : refuse(problem);
  });
}

/** The missing parts of the document for a role. */
const lacks: Readonly<Record<string, string>> = {
  list: ', as the response holds no list',
  action: ', as the response shows no item that a path above leads to',
};

/** Returns the conflict between `x-cloche-resource` and the shapes in the document. */
function problemOf({ operation, override }: Reading, kind: OperationKind): DocumentProblem | undefined {
  const { role, key } = override;
  const place = (name: string): JsonPointer => appendPointer(operation.pointer, 'x-cloche-resource', name);
  if (role !== undefined && role !== kind.kind) {
    const reason = `cannot be "${role}"${lacks[role] ?? ' here'}`;
    return { pointer: place('role'), reason, remedy: 'Say another role, or none' };
  }
  const used = kind.kind === 'sample' ? undefined : kind.resource.key;
  if (key === undefined || (used !== undefined && used.kind !== 'none' && used.property === key))
    return undefined;
  const reason = `cannot be ${JSON.stringify(key)}, as neither request nor response has such a property that can be an id`;
  return { pointer: place('key'), reason, remedy: 'Name a property that is a string or a number' };
}

/** Returns the path parameters of collections: `user_id` for `/users`, from `/users/{user_id}/posts`. */
function parametersBelow(readings: readonly Reading[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { operation } of readings) {
    const { template } = operation.path;
    for (const { index, 1: name = '' } of template.matchAll(/\/\{([^{}]+)\}\//gu)) {
      const above = withoutNames(template.slice(0, index));
      if (!found.has(above)) found.set(above, name);
    }
  }
  return found;
}

/** Returns the role of an operation on a stored resource; undefined if the mock returns a sample. */
export function keptRole({ kind }: Operation): Exclude<OperationKind, { kind: 'sample' }> | undefined {
  return kind.kind === 'sample' || !kind.resource.isKept ? undefined : kind;
}

/** Finds the parent collection if a path below it lists its items: `GET /pets/findByStatus`. */
function listedElsewhere(
  reading: Reading,
  resources: ReadonlyMap<string, Group>,
  reader: ShapeReader,
): Group | undefined {
  const { group, operation, pathKind, response } = reading;
  if (operation.method !== 'GET' || pathKind !== 'plain' || resources.get(group)?.resource.isKept === true)
    return undefined;
  // A list of one parent's items does not count.
  if (group.endsWith('/{}')) return undefined;
  const above = resources.get(group.slice(0, group.lastIndexOf('/')));
  const list = above?.resource.isKept === true ? reader.list(response, { like: above.shape }) : undefined;
  return list !== undefined && likeness(list.shape, above?.shape) === 1 ? above : undefined;
}

/** A resource, with the shape and the operations that belong to it. */
interface Group {
  resource: Resource;
  /** A representation of it, if one is known. */
  readonly shape: ObjectShape | undefined;
  readonly members: readonly Reading[];
  readonly hasItems: boolean;
  /** The operation that creates items, if there is one. */
  readonly creator: Reading | undefined;
  readonly evidence: string;
  readonly certainty: Certainty;
}

function certaintyOf(strength: number): Certainty {
  if (strength >= 5) return 'sure';
  return strength >= 3 ? 'likely' : 'guessed';
}

/** The context of a group: shorter path, item parameter, parent, and whether it is below a path (`/cards/search`). */
interface Context {
  readonly shallow: string | undefined;
  readonly parameter: string | undefined;
  readonly above: readonly Reading[] | undefined;
  readonly isBelow: boolean;
}

function findGroup(
  members: readonly [Reading, ...Reading[]],
  reader: ShapeReader,
  context: Context,
): Group | undefined {
  const items = members.filter(({ pathKind }) => pathKind === 'item');
  const collection = members.filter(({ pathKind }) => pathKind === 'plain');
  const said = members.find(({ override }) => override.name !== undefined)?.override;
  const { path } = collection[0] ?? items[0] ?? members[0];
  const word = nameOf(path, members, context.isBelow);
  const { shownShape, itemShape } = findItemShapes(items, reader);
  const { listed, shown, isSingleton } = readCollection({ collection, items, word, itemShape }, reader);
  const creator = findCreator(collection, { members, above: context.above, reader, isSingleton });
  const known = itemShape ?? listed?.shape;
  const created = creator && readCreated(creator.post, { known, itemShape, reader });
  // A request may omit the id.
  const shape = shownShape ?? listed?.shape ?? itemShape ?? created?.shape ?? shown;
  const roles = members.some(({ override }) => override.role !== undefined && override.role !== 'sample');
  const keeps = items.some(({ operation: { method } }) => ['GET', 'PUT', 'PATCH', 'DELETE'].includes(method));
  if (!keeps && creator === undefined && !isSingleton && listed === undefined && !roles) return undefined;
  const parameter = items[0]?.parameter;
  // If no operation can read the result of a PUT, the PUT is an action, not a resource.
  const isFound =
    members.length > 1 || shownShape !== undefined || items.some(({ declares201 }) => declares201) || roles;
  const puts = isFound && items.some((each) => createsItem(each, creator !== undefined, items));
  // `/{year}/{month}` contains no word that names a resource.
  if (word === '' && !puts && creator === undefined && listed === undefined && !roles) return undefined;
  const post = creator?.post;
  const key = isSingleton
    ? ({ kind: 'none', evidence: 'it has no siblings' } as const)
    : findKey({
        said: members.find(({ override }) => override.key !== undefined)?.override.key,
        path,
        names: keyNames({
          parameter: parameter ?? context.parameter,
          words: [word, ...(post === undefined ? [] : [nounOf(post)])],
        }),
        shape,
        created: created?.shape,
        request: post && reader.representation(post.request, shape)?.shape,
        puts,
        declaresConflict: post !== undefined && findExactResponse(post.operation, 409) !== undefined,
        reader,
        parameter,
        parameterSchema: items[0]?.parameterSchema,
      });
  const strength = isSingleton
    ? 4
    : (creator?.score ?? 0) + (items.length > 0 ? 2 : 0) + (listed === undefined ? 0 : 2);
  return {
    resource: {
      name: said?.name ?? word,
      kind: isSingleton ? 'singleton' : 'collection',
      // Seed data belongs to the path of the POST.
      collection: post?.operation.path.template ?? path,
      parameter,
      key,
      parent: undefined,
      ...(context.shallow === undefined ? {} : { shallow: context.shallow }),
      isKept: isSingleton || creator !== undefined || puts,
    },
    shape,
    members,
    hasItems: items.length > 0,
    creator: post,
    evidence: describeGroup({
      items: items.length > 0,
      listed: listed !== undefined,
      creator: creator !== undefined,
      puts,
      isSingleton,
    }),
    certainty: roles ? 'declared' : certaintyOf(strength),
  };
}

/** Returns the shape that responses show of an item, and that of its requests if they show none. */
function findItemShapes(
  items: readonly Reading[],
  reader: ShapeReader,
): { readonly shownShape: ObjectShape | undefined; readonly itemShape: ObjectShape | undefined } {
  const changers = items.filter(({ operation: { method } }) => ['GET', 'PUT', 'PATCH'].includes(method));
  const firstShape = (schemas: readonly (JsonValue | undefined)[]): ObjectShape | undefined =>
    schemas.map((schema) => reader.representation(schema)).find((found) => found !== undefined)?.shape;
  const shownShape = firstShape(changers.map(({ response }) => response));
  return { shownShape, itemShape: shownShape ?? firstShape(changers.map(({ request }) => request)) };
}

/** The content that the operations at the path of a collection read: a list, or one object. */
interface CollectionContent {
  readonly listed: ReturnType<ShapeReader['list']>;
  /** The shape of the object. */
  readonly shown: ObjectShape | undefined;
  /** Whether the object is replaced or updated, and has no items. */
  readonly isSingleton: boolean;
}

function readCollection(
  {
    collection,
    items,
    word,
    itemShape,
  }: {
    readonly collection: readonly Reading[];
    readonly items: readonly Reading[];
    readonly word: string;
    readonly itemShape: ObjectShape | undefined;
  },
  reader: ShapeReader,
): CollectionContent {
  const byMethod = (method: string): Reading | undefined =>
    collection.find(({ operation }) => operation.method === method);
  const lister = byMethod('GET');
  const setter = collection.find((each) => isSetter(each, lister, reader));
  const list = lister && reader.list(lister.response, { like: itemShape, names: [...lister.words, word] });
  const isReplaced = setter !== undefined || (items.length === 0 && byMethod('PUT') !== undefined);
  // An object with a list of texts, or that is set with its list, is not a list: `{lines: [{sku: 1}], total: 9}`.
  const isOneThing =
    lister?.override.role === 'read' ||
    (list !== undefined && list.path.length > 0 && isReplaced && list.kind === 'ids') ||
    (items.length === 0 && setsList(collection, list?.path, reader));
  const listed = isOneThing ? undefined : list;
  const isSingleton =
    items.length === 0 &&
    listed === undefined &&
    lister?.response !== undefined &&
    !lister.operation.parameters.some(
      ({ in: place, required, name }) => place === 'query' && required && namesItem(name, word),
    ) &&
    reader.mayBeObject(lister.response) &&
    (isReplaced || byMethod('PATCH') !== undefined);
  const shown = listed === undefined ? reader.representation(lister?.response)?.shape : undefined;
  return { listed, shown, isSingleton };
}

/** Returns whether a PUT or a POST creates the item at its path. */
function createsItem(
  { operation: { method }, declares201, words: [first = ''], pathKind }: Reading,
  hasCreator: boolean,
  members: readonly Reading[],
): boolean {
  if (pathKind !== 'item') return false;
  const isPosted = (each: Reading): boolean =>
    each.pathKind === 'item' && each.operation.method === 'POST' && replaceVerbs.has(each.words[0] ?? '');
  if (method === 'POST') return !hasCreator && replaceVerbs.has(first);
  return method === 'PUT' && (declares201 || !(hasCreator || members.some(isPosted)));
}

/** Returns the name of an operation without its verb: `jobQueue` of `createJobQueue`. */
const nounOf = (reading: Reading): string => (saysCreate(reading) ? reading.words.slice(1).join(' ') : '');

function describeGroup(
  seen: Record<'items' | 'listed' | 'creator' | 'puts' | 'isSingleton', boolean>,
): string {
  if (seen.isSingleton) return 'it is read and replaced or updated, and has no items';
  const parts = [
    seen.items ? 'items have a path' : '',
    seen.listed ? 'they are listed' : '',
    seen.creator ? 'they are created' : '',
    !seen.creator && seen.puts ? 'they are created under their path' : '',
  ].filter((part) => part !== '');
  return parts.join(', ');
}

/** Sets the parent: the nearest resource whose item is in the path. */
function setParent(group: Group, resources: ReadonlyMap<string, Group>): void {
  const segments = withoutNames(group.resource.collection).split('/');
  for (let end = segments.length - 1; end > 1; end -= 1) {
    if (segments[end - 1] !== '{}') continue;
    const parent = resources.get(segments.slice(0, end - 1).join('/'));
    if (parent !== undefined && parent !== group && parent.hasItems) {
      group.resource = { ...group.resource, parent: parent.resource.collection };
      return;
    }
  }
}

const rolesByMethod: Readonly<Record<string, OperationKind['kind']>> = {
  GET: 'read',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
};

/** Returns the effect of an operation on the resource at its path. */
function kindIn(reading: Reading, group: Group, reader: ShapeReader): OperationKind | undefined {
  const { operation, override } = reading;
  const { resource, shape, certainty } = group;
  if (override.role === 'sample' || override.role === 'action') return undefined;
  const evidence = override.role === undefined ? group.evidence : 'x-cloche-resource says so';
  const facts = {
    resource,
    evidence,
    certainty: override.role === undefined ? certainty : 'declared',
  } as const;
  const id = resource.key.kind === 'none' ? undefined : resource.key.property;
  const found = reader.representation(reading.response, shape, id);
  const representation = found?.path;
  // A `{message}` in the response of a change or delete is not the resource.
  const changed = shape !== undefined && likeness(found?.shape, shape) === 0 ? undefined : representation;
  const request = reader.representation(reading.request, shape)?.path ?? [];
  const role = override.role ?? roleOf(reading, group, reader);
  switch (role) {
    case 'create':
      return {
        kind: 'create',
        ...facts,
        collection: operation.path.template,
        key: resource.key,
        success: reading.success?.pointer,
        request,
        response: representation,
      };
    case 'list': {
      const found = reader.list(reading.response, listHints(reading, shape));
      if (found === undefined) return undefined;
      const { path, element } = found;
      // Texts that clients create without ids are the items themselves.
      const isSent = reader
        .types(group.creator?.request)
        .some((type) => type !== 'object' && type !== 'array');
      const kind = isSent && resource.key.kind === 'none' ? 'array' : found.kind;
      return { kind: 'list', ...facts, list: { kind, path, element } };
    }
    case 'read':
      return { kind: role, ...facts, response: representation };
    case 'delete':
      return { kind: role, ...facts, response: changed };
    case 'replace':
    case 'update': {
      const creates = role === 'replace' && createsItem(reading, group.creator !== undefined, group.members);
      return { kind: role, ...facts, request, response: changed, creates };
    }
    default:
      return undefined;
  }
}

const listHints = ({ words, path }: Reading, like: ObjectShape | undefined): ListHints => ({
  like,
  names: [...words, path.split('/').at(-1) ?? ''],
});

function roleOf(reading: Reading, group: Group, reader: ShapeReader): OperationKind['kind'] | undefined {
  const { operation, pathKind, request, response, words } = reading;
  const { resource, shape, creator } = group;
  const { method } = operation;
  const role = rolesByMethod[method];
  const isObject = reader.mayBeObject(request);
  if (pathKind === 'below') return undefined;
  if (reading === creator) return 'create';
  if (pathKind === 'plain' && resource.kind === 'collection') {
    // `PUT /pets`: the id is in the body.
    const { key } = resource;
    const named = key.kind === 'none' ? undefined : reader.read(request)?.properties.get(key.property);
    if (method === 'PUT' || method === 'PATCH') {
      const isAlike = named !== undefined && likeness(reader.read(request), shape) >= 0.5;
      return isAlike ? role : undefined;
    }
    return method === 'GET' && reader.list(response, listHints(reading, shape)) !== undefined
      ? 'list'
      : undefined;
  }
  if (role === 'read') {
    const isOther =
      response === undefined ||
      !reader.mayBeObject(response) ||
      (pathKind === 'item' && isListOf(reading, group, reader));
    return isOther ? undefined : 'read';
  }
  // `PUT /batches/{id}` of `submitBatch` has no body and changes nothing.
  const [first = ''] = words;
  const says = replaceVerbs.has(first) || updateVerbs.has(first);
  if (role === 'replace' && operation.requestBody === undefined && creator !== undefined && !says)
    return undefined;
  if (role === 'replace') return isObject ? 'replace' : undefined;
  if (role === 'update') return isObject || isJsonPatch(request, reader) ? 'update' : undefined;
  if (role === 'delete') return 'delete';
  if (method !== 'POST' || !isObject) return undefined;
  if (createsItem(reading, creator !== undefined, group.members)) return 'replace';
  if (resource.kind === 'singleton') {
    if (!group.members.some((each) => each.operation.method === 'GET' && isSetter(reading, each, reader)))
      return undefined;
    return updateVerbs.has(first) ? 'update' : 'replace';
  }
  const hasChange = group.members.some(
    (each) => each.pathKind === pathKind && ['PUT', 'PATCH'].includes(each.operation.method),
  );
  const isAlike = likeness(reader.representation(response, shape)?.shape, shape) >= 0.5;
  return !hasChange && request !== undefined && (isAlike || updateVerbs.has(first)) ? 'update' : undefined;
}

/** Returns whether a path with a parameter returns a list: `GET /search/{query}`, `GET /units/user/{userId}`. */
function isListOf(
  { response }: Reading,
  { resource: { key }, shape, members }: Group,
  reader: ShapeReader,
): boolean {
  const found = reader.list(response, { like: shape });
  if (found === undefined) return false;
  return found.path.length === 0 || (key.kind === 'none' && members.length === 1);
}

/** Returns whether a body may be a list of patch operations (RFC 6902 §4). */
function isJsonPatch(schema: JsonValue | undefined, reader: ShapeReader): boolean {
  const element = reader.types(schema).includes('array') ? reader.list(schema) : undefined;
  return element !== undefined && element.shape?.properties.has('op') !== false;
}

/** Finds an action on an item that returns the item: `POST /orders/{id}/cancel`. */
function actionOf(
  reading: Reading,
  resources: ReadonlyMap<string, Group>,
  reader: ShapeReader,
): OperationKind | undefined {
  const { operation, path, pathKind, override, verb } = reading;
  // `/{parent}/users:import` acts on the users of a parent.
  if (pathKind === 'plain' && verb !== undefined) return undefined;
  if (override.role === 'sample' || (operation.method === 'GET' && override.role !== 'action'))
    return undefined;
  const item = pathKind === 'plain' ? path.replace(/\/[^/{}]+$/u, '') : `${path}/{}`;
  const collection = withoutNames(item).replace(/\/\{\}$/u, '');
  const group = collection === withoutNames(item) ? undefined : resources.get(collection);
  const found = group && reader.representation(reading.response, group.shape);
  // `instances.reset` at `/v1/{name}:reset` returns an operation with the same path, but is not an action on it.
  const owner =
    /^\/v\d/u.test(collection) && !collection.includes('/', 1) ? operation.id.split('.').at(-2) : undefined;
  if (owner !== undefined && owner !== group?.resource.name) return undefined;
  if (group === undefined || found === undefined || likeness(found.shape, group.shape) < 0.5)
    return undefined;
  return {
    kind: 'action',
    resource: group.resource,
    evidence: `it answers with an item of ${group.resource.collection}`,
    certainty: override.role === 'action' ? 'declared' : group.certainty,
    response: found.path,
  };
}

/** Explains why an operation returns sample responses. */
function explainSample({ operation, response, request, success }: Reading, group: Group | undefined): string {
  const { method } = operation;
  if (method === 'GET') {
    if (response === undefined) return 'its response is no JSON';
    if (group === undefined) return 'nothing changes what it reads';
    return `its response is neither an item of ${group.resource.collection} nor a list of them`;
  }
  if (success === undefined) return 'no success is declared';
  const isBodyless = method === 'POST' && request === undefined;
  return isBodyless
    ? 'the request body has no JSON object with properties'
    : 'nothing shows that it changes a resource';
}
