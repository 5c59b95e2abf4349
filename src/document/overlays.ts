import { appendPointer, type JsonPointer, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../json/value.ts';
import {
  type DocumentProblem,
  type DocumentWarning,
  type LocatedText,
  locateProblem,
  type TextPlaces,
  toDocumentError,
} from './document.ts';
import { applyRecoveries, createRecovery } from './recoveries.ts';
import { describeValueKind } from './structure-problems.ts';
import { nameSource, parseSource, readSource, toSourceUrl } from './source.ts';

type Query = (path: string, root: JsonValue) => readonly JsonPointer[];

interface Overlay extends LocatedText {
  readonly root: JsonObject;
  readonly isOf10: boolean;
  readonly actions: readonly JsonObject[];
}

/** The document that overlays change. */
type Target = LocatedText & { readonly root: JsonObject };

/** The effect of an action without a target, as half a sentence. */
export const unusedAction = 'the action changes nothing';

/**
 * Applies overlays (OpenAPI Overlay 1.0 and 1.1) to a document, in order. It changes the document in place. Values of an
 * overlay keep their places in its text. Returns a warning for each action that changes nothing.
 *
 * @throws ClocheError DOCUMENT_UNREADABLE if an overlay cannot be read
 * @throws DocumentError DOCUMENT_SYNTAX, or DOCUMENT_INVALID at the line of an overlay
 */
export async function applyOverlays(
  sources: readonly string[],
  target: Target,
  onRead: ((url: URL) => void) | undefined,
): Promise<readonly DocumentWarning[]> {
  const query = await createQuery();
  const warnings: DocumentWarning[] = [];
  target.places.settle();
  for (const source of sources) {
    const overlay = await readOverlay(source, target.places, onRead);
    for (const [index, action] of overlay.actions.entries()) {
      const pointer = appendPointer('/actions', index);
      const unused = applyAction({ action, pointer, overlay, target, query });
      if (unused !== undefined) {
        warnings.push({ ...locateProblem(overlay, unused), effect: unusedAction, isUnclear: false });
      }
    }
  }
  return warnings;
}

/** Loads the JSONPath evaluator (RFC 9535), which only overlays need. */
async function createQuery(): Promise<Query> {
  const { query } = await import('json-p3');
  return (path, root) => {
    // `as`: its types have no exact numbers, which it compares as objects.
    const { nodes } = query(path, root as Parameters<typeof query>[1]);
    const pointers = nodes.map(({ location }) => appendPointer('', ...location));
    return [...new Set(pointers)].filter((pointer) => resolvePointer(root, pointer) !== undefined);
  };
}

async function readOverlay(
  source: string,
  places: TextPlaces,
  onRead: ((url: URL) => void) | undefined,
): Promise<Overlay> {
  const asked = toSourceUrl(source);
  onRead?.(asked);
  const { text, url, isJson } = await readSource(asked, nameSource(source, asked, asked));
  const file = nameSource(source, url, url);
  const root = await parseSource({ file, text, isJson, places });
  const problems = checkOverlay(root);
  if (problems.length > 0 || !isJsonObject(root)) {
    throw toDocumentError('DOCUMENT_INVALID', { file, root, places }, problems);
  }
  places.settle();
  const { overlay, actions: list } = root;
  const actions = Array.isArray(list) ? list.filter(isJsonObject) : [];
  return { file, root, places, actions, isOf10: typeof overlay === 'string' && overlay.startsWith('1.0.') };
}

/** Finds mistakes in the structure of an overlay (Overlay 1.1 §4.4). */
function checkOverlay(root: JsonValue): readonly DocumentProblem[] {
  const { overlay, actions } = isJsonObject(root) ? root : {};
  if (typeof overlay !== 'string' || !/^1\.[01]\.\d+$/u.test(overlay)) {
    const remedy = 'Name a file that begins with "overlay: 1.0.0" or "overlay: 1.1.0"';
    return [
      {
        pointer: overlay === undefined ? '' : '/overlay',
        reason: 'this is no overlay of 1.0 or 1.1',
        remedy,
      },
    ];
  }
  if (!Array.isArray(actions) || actions.length === 0) {
    const pointer = actions === undefined ? '' : '/actions';
    return [{ pointer, reason: 'an overlay must have a list of actions', remedy: 'Add an action' }];
  }
  return actions.flatMap((action, index): DocumentProblem[] => {
    const pointer = appendPointer('/actions', index);
    const { target, copy, remove } = isJsonObject(action) ? action : {};
    if (typeof target !== 'string') {
      return [{ pointer, reason: 'must have a "target", a JSONPath', remedy: 'Write target: $.paths' }];
    }
    if (remove !== undefined && typeof remove !== 'boolean') {
      return [
        { pointer: `${pointer}/remove`, reason: 'must be true or false', remedy: 'Write remove: true' },
      ];
    }
    if (copy !== undefined && (typeof copy !== 'string' || overlay.startsWith('1.0.'))) {
      const remedy = 'Write "overlay: 1.1.0", and a JSONPath here';
      return [{ pointer: `${pointer}/copy`, reason: 'must be a JSONPath in an overlay of 1.1', remedy }];
    }
    return [];
  });
}

interface ActionInput {
  readonly action: JsonObject;
  /** The place of the action in the overlay. */
  readonly pointer: JsonPointer;
  readonly overlay: Overlay;
  readonly target: Target;
  readonly query: Query;
}

/** Applies an action (Overlay 1.1 §4.4.3). Returns the problem of an action that changes nothing. */
function applyAction(input: ActionInput): DocumentProblem | undefined {
  const { action, pointer, overlay, target } = input;
  const { update, copy, remove } = action;
  if (update === undefined && copy === undefined && remove !== true) {
    return {
      pointer,
      reason: 'has no update, copy or remove',
      remedy: 'Write one of them, or remove the action',
    };
  }
  const selected = select(input, 'target');
  if (selected.length === 0) {
    const remedy = 'Correct the path, or remove the action';
    return { pointer: `${pointer}/target`, reason: 'selects nothing in the document', remedy };
  }
  if (remove === true) {
    if (selected.includes('')) fail(overlay, `${pointer}/target`, 'the whole document cannot be removed');
    const changes = selected.map((place) => ({ pointer: place, value: undefined }));
    applyRecoveries(target, [
      { pointer: '', reason: '', remedy: '', recovery: createRecovery('', { changes }) },
    ]);
    return undefined;
  }
  const merge = createMerge(overlay, target.places);
  const given =
    update === undefined ? copiedValue(input) : { value: update, holder: action, at: `${pointer}/update` };
  for (const place of selected) merge(target.root, place, given);
  return undefined;
}

/** Evaluates the JSONPath of an action. */
function select(
  { action, pointer, overlay, target, query }: ActionInput,
  field: 'target' | 'copy',
): readonly JsonPointer[] {
  try {
    const path = action[field];
    return typeof path === 'string' ? query(path, target.root) : [];
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return fail(overlay, `${pointer}/${field}`, `is no JSONPath (${words})`);
  }
}

/** A value to merge into the document, and its place in the overlay. */
interface Given {
  readonly value: JsonValue;
  /** The object that has the value, and whose place is known. */
  readonly holder: JsonObject;
  readonly at: JsonPointer;
}

function copiedValue(input: ActionInput): Given {
  const { action, pointer, overlay, target } = input;
  const [place, ...more] = select(input, 'copy');
  const value = place === undefined ? undefined : resolvePointer(target.root, place);
  if (value === undefined || more.length > 0) {
    return fail(
      overlay,
      `${pointer}/copy`,
      `must select one value, but selects ${more.length + (place === undefined ? 0 : 1)}`,
    );
  }
  // A copy of the value: the target may contain it.
  return { value: copyLocated(value, target.places), holder: action, at: `${pointer}/copy` };
}

function fail(overlay: Overlay, pointer: JsonPointer, reason: string): never {
  throw toDocumentError('DOCUMENT_INVALID', overlay, [{ pointer, reason, remedy: 'Correct the overlay' }]);
}

/** Copies a value with the places of its parts: several targets get parts of their own. */
function copyLocated(value: JsonValue, places: TextPlaces): JsonValue {
  const known = typeof value === 'object' && value !== null ? places.get(value) : undefined;
  if (Array.isArray(value)) {
    const list = value.map((item) => copyLocated(item, places));
    if (known !== undefined) places.set(list, known);
    return list;
  }
  if (!isJsonObject(value)) return value;
  const object: JsonObject = {};
  for (const [key, member] of Object.entries(value)) setOwn(object, key, copyLocated(member, places));
  if (known !== undefined) places.set(object, known);
  return object;
}

/** Creates the function that merges a value into the place of a document (Overlay 1.1 §4.4.3.1). */
function createMerge(
  overlay: Overlay,
  places: TextPlaces,
): (root: JsonObject, place: JsonPointer, given: Given) => void {
  function append(list: JsonValue[], { value, holder, at }: Given, isOne: boolean): void {
    const items = Array.isArray(value) && !isOne ? value : [value];
    for (const [index, item] of items.entries()) {
      list.push(copyLocated(item, places));
      const from =
        Array.isArray(value) && !isOne ? { in: value, key: String(index) } : { in: holder, key: lastOf(at) };
      places.move(from, { in: list, key: String(list.length - 1) });
    }
  }

  /** Sets a member, or merges a value into it. */
  function setMember(object: JsonObject | JsonValue[], key: string, given: Given): void {
    const known = resolvePointer(object, appendPointer('', key));
    const { value, holder, at } = given;
    if (isJsonObject(known) && isJsonObject(value)) {
      mergeMembers(known, value, at);
    } else if (Array.isArray(known) && Array.isArray(value)) {
      append(known, given, false);
    } else if (known === undefined || (isPlain(known) && isPlain(value))) {
      if (Array.isArray(object)) object[Number(key)] = copyLocated(value, places);
      else setOwn(object, key, copyLocated(value, places));
      places.move({ in: holder, key: lastOf(at) }, { in: object, key });
    } else if (value !== null) {
      // An empty value has nothing to merge into an object or a list.
      fail(
        overlay,
        at,
        `is ${describeValueKind(value)}, but the document has ${describeValueKind(known)} there`,
      );
    }
  }

  function mergeMembers(object: JsonObject, update: JsonObject, at: JsonPointer): void {
    for (const [key, value] of Object.entries(update)) {
      setMember(object, key, { value, holder: update, at: appendPointer(at, key) });
    }
  }

  return (root, place, given) => {
    const known = resolvePointer(root, place);
    const above = resolvePointer(root, place.slice(0, Math.max(0, place.lastIndexOf('/'))));
    if (Array.isArray(known)) {
      append(known, given, overlay.isOf10);
    } else if (place === '' && isJsonObject(given.value)) {
      mergeMembers(root, given.value, given.at);
    } else if (place !== '' && (isJsonObject(above) || Array.isArray(above))) {
      setMember(above, lastOf(place), given);
    } else {
      fail(overlay, given.at, `is ${describeValueKind(given.value)}, but the document has an object there`);
    }
  };
}

/** Returns the last key of a place. */
const lastOf = (place: JsonPointer): string => pointerTokens(place).at(-1) ?? '';

const isPlain = (value: JsonValue): boolean => !Array.isArray(value) && !isJsonObject(value);
