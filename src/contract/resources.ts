import { appendPointer, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { Certainty, DeclaredResponse, Operation, OperationKind, Resource } from './contract.ts';
import { findKey, keyNames, splitWords } from './resource-key.ts';
import { isSuccess } from './responses.ts';
import {
  createShapeReader,
  type FoundRepresentation,
  likeness,
  type ObjectShape,
  type ShapeReader,
} from './shapes.ts';

/** An operation that has no role yet. */
export type BareOperation = Omit<Operation, 'kind'>;

/**
 * Finds the resources of a document and what each operation does with them. The role follows from the method, the kind of
 * path, the shapes of request and response, the declared statuses, and the words of operationId and summary, in that order
 * of weight; `x-cloche-resource` on an operation says otherwise.
 *
 * @param root - the document, every `$ref` internal
 * @returns the kinds, in the order of the operations
 */
export function inferKinds(root: JsonObject, operations: readonly BareOperation[]): readonly OperationKind[] {
  const reader = createShapeReader(root);
  const readings = operations.map((operation) => readOperation(root, reader, operation));
  const groups = new Map<string, Reading[]>();
  for (const reading of readings) {
    const group = groups.get(reading.group) ?? [];
    groups.set(reading.group, [...group, reading]);
  }
  const resources = new Map<string, Group>();
  for (const [name, members] of groups) {
    const found = findGroup(name, members, reader);
    if (found !== undefined) resources.set(name, found);
  }
  for (const group of resources.values()) setParent(group, resources);
  return readings.map((reading) => {
    const group = listedElsewhere(reading, resources, reader) ?? resources.get(reading.group);
    const own = group && kindIn(reading, group, reader);
    return own ?? actionOf(reading, resources, reader) ?? sample(reading, group);
  });
}

/** What an operation does with a resource that is kept; undefined where the mock answers it with a sample. */
export function keptRole({ kind }: Operation): Exclude<OperationKind, { kind: 'sample' }> | undefined {
  return kind.kind === 'sample' || !kind.resource.isKept ? undefined : kind;
}

/** The collection above a path that lists its items as well: `GET /pets/findByStatus`. */
function listedElsewhere(
  reading: Reading,
  resources: ReadonlyMap<string, Group>,
  reader: ShapeReader,
): Group | undefined {
  const { group, operation, pathKind, response } = reading;
  if (operation.method !== 'GET' || pathKind !== 'plain' || resources.get(group)?.resource.isKept === true)
    return undefined;
  const above = resources.get(group.slice(0, group.lastIndexOf('/')));
  const list = above?.resource.isKept === true ? reader.list(response, above.shape) : undefined;
  return list !== undefined && likeness(list.shape, above?.shape) === 1 ? above : undefined;
}

/** Where a path leads: to a collection or a singleton, to an item of a collection, or to something done with one. */
type PathKind = 'plain' | 'item' | 'below';

/** What is read of an operation before it is known what it does. */
interface Reading {
  readonly operation: BareOperation;
  /** The path of the collection or the singleton that it is about, names of parameters left out. */
  readonly group: string;
  /** The same as the document writes it. */
  readonly path: string;
  readonly pathKind: PathKind;
  /** Of the item. */
  readonly parameter: string | undefined;
  /** Where the path ends in a verb after its parameter, `/jobs/{id}:run`. */
  readonly verb: string | undefined;
  readonly request: JsonValue | undefined;
  readonly response: JsonValue | undefined;
  readonly success: DeclaredResponse | undefined;
  /** The words of the operationId, in lower case. */
  readonly words: readonly string[];
  readonly override: Override;
}

/** What `x-cloche-resource` says. */
interface Override {
  readonly name?: string;
  readonly role?: string;
  readonly key?: string;
}

const extension = /\.(?:json|xml|\{format\}|\{extension\})$/iu;

/** Cuts a path of a document into its collection and what comes after it. */
function cutPath(template: string): Pick<Reading, 'path' | 'pathKind' | 'parameter' | 'verb'> {
  const bare = template.replace(/\/$/u, '').replace(extension, '');
  const item =
    /^(.*)\/\{([^{}]+)\}$/u.exec(bare) ?? /^(.*?)\(['"]?(?:\w+=)?['"]?\{([^{}]+)\}['"]?\)$/u.exec(bare);
  if (item !== null) return { path: item[1] ?? '', pathKind: 'item', parameter: item[2], verb: undefined };
  const below = /^(.*)\/\{([^{}]+)\}:(\w+)$/u.exec(bare);
  if (below !== null) return { path: below[1] ?? '', pathKind: 'below', parameter: below[2], verb: below[3] };
  return { path: bare, pathKind: 'plain', parameter: undefined, verb: undefined };
}

const withoutNames = (template: string): string => template.replaceAll(/\{[^{}]*\}/gu, '{}');

function readOperation(root: JsonObject, reader: ShapeReader, operation: BareOperation): Reading {
  const cut = cutPath(operation.path.template);
  const value = resolvePointer(root, operation.pointer);
  const said = isJsonObject(value) ? value['x-cloche-resource'] : undefined;
  const success = findSuccess(operation.responses);
  const schemaOf = (media: DeclaredResponse['media'] | undefined): JsonValue | undefined => {
    const json = media?.find(({ isJson }) => isJson);
    return json && resolvePointer(root, appendPointer(json.pointer, 'schema'));
  };
  const id =
    isJsonObject(value) && typeof value['operationId'] === 'string' ? value['operationId'] : undefined;
  const summary = isJsonObject(value) && typeof value['summary'] === 'string' ? value['summary'] : '';
  return {
    operation,
    ...cut,
    group: withoutNames(cut.path),
    request: schemaOf(operation.requestBody?.media),
    response: schemaOf(success?.media),
    success,
    words: splitWords(id ?? summary),
    override: readOverride(said),
  };
}

function readOverride(said: JsonValue | undefined): Override {
  if (!isJsonObject(said)) return {};
  const text = (name: string): string | undefined =>
    typeof said[name] === 'string' ? said[name] : undefined;
  return Object.fromEntries(
    (['name', 'role', 'key'] as const).flatMap((name) =>
      text(name) === undefined ? [] : [[name, text(name)]],
    ),
  );
}

function findSuccess(responses: readonly DeclaredResponse[]): DeclaredResponse | undefined {
  const preferred = [201, 200, 202, 204];
  const rank = ({ status }: DeclaredResponse): number => {
    const index = status.kind === 'exact' ? preferred.indexOf(status.status) : -1;
    return index === -1 ? preferred.length : index;
  };
  return responses.filter(isSuccess).toSorted((left, right) => rank(left) - rank(right))[0];
}

/** A resource with what its operations show of it. */
interface Group {
  resource: Resource;
  /** A representation of it, as far as one is known. */
  readonly shape: ObjectShape | undefined;
  readonly members: readonly Reading[];
  readonly hasItems: boolean;
  /** The operation that creates, if one does. */
  readonly creator: Reading | undefined;
  readonly evidence: string;
  readonly certainty: Certainty;
}

/** Words of operations on a collection that create nothing. */
const otherVerbs = new Set(
  (
    'get find search query list fetch read lookup check validate verify calculate compute count estimate preview login logout ' +
    'signin signout authenticate authorize refresh revoke export send close cancel archive unarchive activate deactivate ' +
    'enable disable start stop restart pause resume run execute process sync batch bulk merge move copy clone convert ' +
    'translate update delete remove set reset approve reject confirm test ping compare analyze analyse retrieve describe ' +
    'show download reorder sort replace change lock unlock restore undelete transfer evaluate parse render notify resend ' +
    'accept decline complete finish patch put edit modify detach disassociate unsubscribe unlink untag purge clear sum ' +
    'simulate predict classify detect resolve suggest autocomplete quote price recalculate trigger invoke call exchange'
  ).split(' '),
);
const createVerbs = new Set(
  (
    'create add new post register insert submit place open make save store issue schedule book upload invite subscribe ' +
    'publish order enroll generate request record log import append push launch provision start'
  ).split(' '),
);

/** How much speaks for a POST being a create; below one it is none. */
function scoreCreate(reading: Reading, members: readonly Reading[], reader: ShapeReader): number {
  const { operation, request, response, words, path } = reading;
  const body = reader.read(request);
  const sibling = members.some(({ pathKind }) => pathKind === 'item');
  const answer = reader.representation(response, body);
  const [first = ''] = words;
  const last = splitWords(path.split('/').at(-1) ?? '');
  const isListed = members.some(
    (each) =>
      each.pathKind === 'plain' &&
      each.operation.method === 'GET' &&
      reader.list(each.response) !== undefined,
  );
  const verb = createVerbs.has(first) || words.some((word) => word === 'create' || word === 'add');
  const declares201 = operation.responses.some(
    ({ status }) => status.kind === 'exact' && status.status === 201,
  );
  return (
    (sibling ? 3 : 0) +
    (declares201 ? 3 : 0) +
    (verb ? 2 : 0) +
    (isListed ? 2 : 0) +
    (likeness(answer?.shape, body) >= 0.5 ? 1 : 0) +
    (answer !== undefined && [...answer.shape.properties.keys()].some((name) => isIdName(name)) ? 1 : 0) +
    (isPlural(last.at(-1) ?? '') ? 1 : 0) +
    (body === undefined ? -2 : 0) +
    (!verb && otherVerbs.has(first) ? -4 : 0) +
    (last.some((word) => otherVerbs.has(word)) ? -4 : 0) +
    (reading.success === undefined ? -1 : 0) +
    (reader.list(response) !== undefined && !sibling ? -3 : 0) +
    (reader.types(request).includes('array') ? -3 : 0)
  );
}

const isIdName = (name: string): boolean => /^(?:_?id|uuid|key|.*(?:Id|ID|_id))$/u.test(name);
const isPlural = (word: string): boolean => /[a-z]{2}s$/u.test(word) && !/(?:ss|us|is)$/u.test(word);

function findGroup(name: string, members: readonly Reading[], reader: ShapeReader): Group | undefined {
  const items = members.filter(({ pathKind }) => pathKind === 'item');
  const collection = members.filter(({ pathKind }) => pathKind === 'plain');
  const said = members.find(({ override }) => override.name !== undefined)?.override;
  const path = (collection[0] ?? items[0])?.path ?? name;
  const word = path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? '';
  const byMethod = (all: readonly Reading[], method: string): Reading | undefined =>
    all.find(({ operation }) => operation.method === method);
  const posts = collection.filter(
    ({ operation, override }) => operation.method === 'POST' && override.role !== 'sample',
  );
  const scored = posts.map((post) => ({
    post,
    score: post.override.role === 'create' ? 99 : scoreCreate(post, members, reader),
  }));
  // A plural noun that takes an object, and nothing that speaks against it.
  const creator = scored.find(({ score }) => score >= 1);
  const lister = byMethod(collection, 'GET');
  const itemShape = items
    .filter(({ operation: { method } }) => ['GET', 'PUT', 'PATCH'].includes(method))
    .map(({ response, request }) => reader.representation(response) ?? reader.representation(request))
    .find((found) => found !== undefined)?.shape;
  const listed = lister && reader.list(lister.response, itemShape);
  const created =
    creator &&
    (reader.representation(creator.post.response, itemShape ?? reader.read(creator.post.request)) ??
      reader.representation(creator.post.request, itemShape));
  const shape = itemShape ?? listed?.shape ?? created?.shape;
  const isSingleton =
    items.length === 0 &&
    creator === undefined &&
    listed === undefined &&
    lister !== undefined &&
    reader.read(lister.response) !== undefined &&
    ['PUT', 'PATCH'].some((method) => byMethod(collection, method) !== undefined);
  const roles = members.some(({ override }) => override.role !== undefined && override.role !== 'sample');
  const keeps = items.some(({ operation: { method } }) => ['GET', 'PUT', 'PATCH', 'DELETE'].includes(method));
  if (!keeps && creator === undefined && !isSingleton && listed === undefined && !roles) return undefined;
  const parameter = items[0]?.parameter;
  const upserts = items.find(({ operation }) => operation.method === 'PUT');
  const declares201 = upserts?.operation.responses.some(
    ({ status }) => status.kind === 'exact' && status.status === 201,
  );
  const puts = upserts !== undefined && (declares201 === true || creator === undefined);
  const key = isSingleton
    ? ({ kind: 'none', evidence: 'it has no siblings' } as const)
    : findKey({
        names: keyNames(said?.key, parameter, word),
        shape,
        created: created?.shape,
        request: creator && reader.representation(creator.post.request, shape)?.shape,
        puts,
        reader,
        parameter,
      });
  const strength = isSingleton
    ? 4
    : (creator?.score ?? 0) + (items.length > 0 ? 2 : 0) + (listed === undefined ? 0 : 2);
  return {
    resource: {
      name: said?.name ?? word,
      kind: isSingleton ? 'singleton' : 'collection',
      // A row of data belongs to the path that is posted to.
      collection: creator?.post.operation.path.template ?? path,
      parameter,
      key,
      parent: undefined,
      isKept: isSingleton || creator !== undefined || puts,
    },
    shape,
    members,
    hasItems: items.length > 0,
    creator: creator?.post,
    evidence: describeGroup({
      items: items.length > 0,
      listed: listed !== undefined,
      creator: creator !== undefined,
      isSingleton,
    }),
    certainty: roles ? 'declared' : strength >= 5 ? 'sure' : strength >= 3 ? 'likely' : 'guessed',
  };
}

function describeGroup(seen: {
  items: boolean;
  listed: boolean;
  creator: boolean;
  isSingleton: boolean;
}): string {
  if (seen.isSingleton) return 'it is read and replaced or updated, and has no items';
  const parts = [
    seen.items ? 'items have a path' : '',
    seen.listed ? 'they are listed' : '',
    seen.creator ? 'they are created' : '',
  ].filter((part) => part !== '');
  return parts.join(', ');
}

/** The nearest resource whose item is part of the path. */
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

/** What an operation does with the resource of its own path. */
function kindIn(reading: Reading, group: Group, reader: ShapeReader): OperationKind | undefined {
  const { operation, pathKind, override } = reading;
  const { resource, shape, certainty } = group;
  if (override.role === 'sample' || override.role === 'action') return undefined;
  const evidence = override.role === undefined ? group.evidence : 'x-cloche-resource says so';
  const facts = {
    resource,
    evidence,
    certainty: override.role === undefined ? certainty : 'declared',
  } as const;
  const representation = pathIn(reader.representation(reading.response, shape));
  const request = pathIn(reader.representation(reading.request, shape)) ?? [];
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
      const found = reader.list(reading.response, shape);
      if (found === undefined) return undefined;
      const { kind, path, element } = found;
      return { kind: 'list', ...facts, list: { kind, path, element } };
    }
    case 'read':
    case 'delete':
      return { kind: role, ...facts, response: representation };
    case 'replace':
    case 'update': {
      const declares201 = operation.responses.some(
        ({ status }) => status.kind === 'exact' && status.status === 201,
      );
      const creates =
        role === 'replace' && pathKind === 'item' && (declares201 || group.creator === undefined);
      return { kind: role, ...facts, request, response: representation, creates };
    }
    default:
      return undefined;
  }
}

const pathIn = (found: FoundRepresentation | undefined): readonly string[] | undefined => found?.path;

function roleOf(reading: Reading, group: Group, reader: ShapeReader): OperationKind['kind'] | undefined {
  const { operation, pathKind, request, response, words } = reading;
  const { resource, shape, creator } = group;
  const { method } = operation;
  const role = rolesByMethod[method];
  const types = reader.types(request);
  const isObject = reader.read(request) !== undefined;
  // A schema that declares no property says little, and speaks against nothing.
  const takesObject = isObject || types.includes('object') || (request !== undefined && types.length === 0);
  if (pathKind === 'below') return undefined;
  if (pathKind === 'plain' && resource.kind === 'collection') {
    if (method === 'POST') return reading === creator ? 'create' : undefined;
    // The id is in the body: `PUT /pets`.
    const holdsKey =
      resource.key.kind !== 'none' && reader.read(request)?.properties.has(resource.key.property) === true;
    if (method === 'PUT' || method === 'PATCH') {
      return holdsKey && likeness(reader.read(request), shape) >= 0.5
        ? method === 'PUT'
          ? 'replace'
          : 'update'
        : undefined;
    }
    return method === 'GET' && reader.list(response, shape) !== undefined ? 'list' : undefined;
  }
  if (role === 'read') {
    const isOther =
      reader.read(response) === undefined ||
      (pathKind === 'item' && reader.list(response, shape)?.path.length === 0);
    return isOther ? undefined : 'read';
  }
  if (role === 'replace') return takesObject ? 'replace' : undefined;
  if (role === 'update') return takesObject || types.includes('array') ? 'update' : undefined;
  if (role === 'delete') return 'delete';
  const hasChange = group.members.some(
    (each) => each.pathKind === pathKind && ['PUT', 'PATCH'].includes(each.operation.method),
  );
  const [first = ''] = words;
  const updates = ['update', 'edit', 'modify', 'patch', 'change', 'post', 'set'].includes(first);
  const isAlike = likeness(reader.representation(response, shape)?.shape, shape) >= 0.5;
  return method === 'POST' && !hasChange && isObject && isAlike && (updates || pathKind === 'item')
    ? 'update'
    : undefined;
}

/** An operation below an item, or on one, which answers with it: `POST /orders/{id}/cancel`. */
function actionOf(
  reading: Reading,
  resources: ReadonlyMap<string, Group>,
  reader: ShapeReader,
): OperationKind | undefined {
  const { operation, path, pathKind, override } = reading;
  if (override.role === 'sample' || (operation.method === 'GET' && override.role !== 'action'))
    return undefined;
  const item = pathKind === 'plain' ? path.replace(/\/[^/{}]+$/u, '') : `${path}/{}`;
  const collection = withoutNames(item).replace(/\/\{\}$/u, '');
  const group = collection === withoutNames(item) ? undefined : resources.get(collection);
  const found = group && reader.representation(reading.response, group.shape);
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

function sample({ operation, response, request, success }: Reading, group: Group | undefined): OperationKind {
  const { method } = operation;
  const evidence =
    method === 'GET'
      ? response === undefined
        ? 'its response is no JSON'
        : group === undefined
          ? 'nothing changes what it reads'
          : `its response is neither an item of ${group.resource.collection} nor a list of them`
      : success === undefined
        ? 'no success is declared'
        : method === 'POST' && request === undefined
          ? 'the request body has no JSON object with properties'
          : 'nothing shows that it changes a resource';
  return { kind: 'sample', evidence };
}
