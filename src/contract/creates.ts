import type { Reading } from './operation-reading.ts';
import { splitWords } from './resource-key.ts';
import { type FoundRepresentation, type ObjectShape, type ShapeReader, likeness } from './shapes.ts';

/** Verbs of operations on a collection that create nothing. */
const otherVerbs = new Set(
  (
    'get find search query list fetch read lookup check validate verify calculate compute count estimate preview login logout ' +
    'signin signout authenticate authorize refresh revoke export send close cancel archive unarchive activate deactivate ' +
    'enable disable start stop restart pause resume run execute process sync batch bulk merge move copy clone convert ' +
    'translate update delete remove set reset approve reject confirm test ping compare analyze analyse retrieve describe ' +
    'show download reorder sort replace change lock unlock restore undelete transfer evaluate parse render notify resend ' +
    'accept decline complete finish patch put edit modify detach disassociate unsubscribe unlink untag purge clear sum ' +
    'simulate predict classify detect resolve suggest autocomplete quote price recalculate trigger invoke call exchange ' +
    'assign unassign associate mute unmute ban unban void migrate transcribe encode decode generate capture refund apply ' +
    'tag attach link scan score rank match extract deregister deprecate failover rotate switch swap promote'
  ).split(' '),
);
const readVerbs = new Set('get list search find query describe lookup fetch read count'.split(' '));
const createVerbs = new Set(
  (
    'create add new post register insert submit place open make save store issue schedule book upload invite subscribe ' +
    'publish order enroll request record log import append push launch provision start generate'
  ).split(' '),
);

/** Returns whether the first word of an operation means, or usually means, that it creates something. */
export const saysCreate = ({ words: [first = ''] }: Reading): boolean => createVerbs.has(first);

const isIdName = (name: string): boolean =>
  /^(?:_?id|uuid|guid|key|sid|gid|arn|identifier|number|.*(?:Id|ID|[_-]id|Sid|_sid|Uuid|UUID|_uuid|Guid|Arn|Reference|Number))$/u.test(
    name,
  );

const isPlural = (word: string): boolean => /[a-z]{2}s$/u.test(word) && !/(?:ss|us|is)$/u.test(word);

/** Scores how likely an operation on a collection is its create. A score below 1 means that it is not. */
function scoreCreate(reading: Reading, members: readonly Reading[], reader: ShapeReader): number {
  const { operation, request, response, words, path, verb, declares201 } = reading;
  const body = reader.representation(request)?.shape;
  const hasItems = members.some(({ pathKind }) => pathKind === 'item');
  const answer = reader.representation(response, body);
  const [first = ''] = words;
  const last = splitWords(path.split('/').at(-1) ?? '');
  const lists = members
    .filter(({ pathKind, operation: { method } }) => pathKind === 'plain' && method === 'GET')
    .flatMap((each) => reader.list(each.response) ?? []);
  const says = saysCreate(reading) || words.some((word) => word === 'create' || word === 'add');
  // The service assigns the id, or the client does in a body that the response repeats.
  const isNamed =
    [...(answer?.shape.properties ?? [])].some(
      ([name, { schema }]) => isIdName(name) && reader.read(schema) === undefined,
    ) ||
    [...(body?.properties.keys() ?? [])].some(
      (name) =>
        /^(?:_?id|uuid|guid|key|slug|sku|.*(?:N|n)ame)$/u.test(name) &&
        (answer === undefined || answer.shape.properties.has(name)),
    );
  const isCollection = isPlural(last.at(-1) ?? '');
  const isFound = declares201 ? isNamed || isCollection : isNamed && (says || isCollection);
  const isReached = members.some(
    ({ pathKind, operation: { method } }) => pathKind === 'item' && (method !== 'POST' || declares201),
  );
  // The fragment is the name of a procedure.
  if (path.includes('#')) return 0;
  // No operation can find the created item.
  if (!isReached && lists.length === 0 && !isFound) return 0;
  // `PUT /channels` with items below it.
  if (operation.method === 'PUT' && !(hasItems && (says || declares201) && isNamed)) return 0;
  return (
    (hasItems ? 3 : 0) +
    (declares201 ? 3 : 0) +
    (says ? 2 : 0) +
    (lists.length > 0 ? 2 : 0) +
    (lists.some(({ shape }) => likeness(shape, answer?.shape) >= 0.5) ? 3 : 0) +
    (likeness(answer?.shape, body) >= 0.5 ? 1 : 0) +
    (isNamed ? 1 : 0) +
    (isCollection ? 1 : 0) +
    (body === undefined ? -2 : 0) +
    // All of them are among the other verbs, too.
    (readVerbs.has(first) ? -5 : 0) +
    (!createVerbs.has(first) && otherVerbs.has(first) ? -4 : 0) +
    (last.length > 0 && otherVerbs.has(last[0] ?? '') && !createVerbs.has(last[0] ?? '') ? -4 : 0) +
    (verb === undefined ? 0 : -9) +
    (reader.list(response) !== undefined && !hasItems ? -3 : 0) +
    (reader.types(request).includes('array') ? -3 : 0)
  );
}

/** Returns whether a POST returns and changes the parent (`POST /albums/{id}/photos`) instead of creating an item. */
function answersWithParent(
  { operation, override, declares201, request, response, words: [first] }: Reading,
  { members, above, reader }: CreatorContext,
): boolean {
  if (operation.method !== 'POST' || override.role !== undefined || declares201 || first === 'create')
    return false;
  if (members.some(({ pathKind, operation: { method } }) => pathKind === 'item' || method === 'GET'))
    return false;
  const answer = reader.representation(response)?.shape;
  const isParent = above?.some(
    (each) => each.pathKind === 'item' && likeness(reader.representation(each.response)?.shape, answer) === 1,
  );
  return isParent === true && likeness(reader.representation(request)?.shape, answer) < 0.5;
}

interface CreatorContext {
  /** The operations of the collection and its items. */
  readonly members: readonly Reading[];
  /** The operations of the parent collection. */
  readonly above: readonly Reading[] | undefined;
  readonly reader: ShapeReader;
  readonly isSingleton: boolean;
}

/** Finds the create operation of a collection: the declared one, or else the first with enough evidence. */
export function findCreator(
  collection: readonly Reading[],
  context: CreatorContext,
): { readonly post: Reading; readonly score: number } | undefined {
  const { members, reader, isSingleton } = context;
  const creators = ['POST', 'PUT']
    .flatMap((method) => collection.filter((each) => each.operation.method === method))
    .filter(({ override }) => override.role === undefined || override.role === 'create')
    .filter((each) => !answersWithParent(each, context))
    .map((post) => ({
      post,
      score: post.override.role === 'create' ? 99 : scoreCreate(post, members, reader),
    }))
    .filter(({ score }) => score >= 1);
  return creators.find(({ score }) => score === 99) ?? (isSingleton ? undefined : creators[0]);
}

/** Returns the representation of the created item, from the response, or else from the request. */
export function readCreated(
  { response, request }: Reading,
  {
    known,
    itemShape,
    reader,
  }: {
    readonly known: ObjectShape | undefined;
    readonly itemShape: ObjectShape | undefined;
    readonly reader: ShapeReader;
  },
): FoundRepresentation | undefined {
  return (
    reader.representation(response, known ?? reader.representation(request)?.shape) ??
    reader.representation(request, itemShape)
  );
}
