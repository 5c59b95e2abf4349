import { posix } from 'node:path';
import { ClocheError } from '../errors/cloche-error.ts';
import { parseJsonValue } from '../json/parse.ts';
import {
  appendPointer,
  type JsonPointer,
  pointerTokens,
  resolvePointer,
  toInternalPointer,
} from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../json/value.ts';
import {
  DocumentError,
  type DocumentPlace,
  type LocatedProblem,
  locatePointer,
  type TextLocation,
  type TextPlaces,
} from './document.ts';
import { isWithinFolder, readExternalExamples } from './external-examples.ts';
import { resolveOwnReferences, toFragment, visitReferences } from './references.ts';
import { nameSource, parseSource, readSource } from './source.ts';

/**
 * Returns a copy of a document from readDocument as one JSON value that any tool can read. Each reference is internal,
 * and a URL fragment.
 */
export function toBundle(root: JsonObject): JsonObject {
  const parsed = parseJsonValue(stringifyJson(root));
  const copy = isJsonObject(parsed) ? parsed : root;
  visitReferences(copy, {
    reference(holder, reference) {
      holder['$ref'] = toFragment(reference.slice(1));
    },
  });
  return copy;
}

interface OuterReference {
  readonly holder: JsonObject;
  readonly pointer: JsonPointer;
  readonly reference: string;
  /** The URL of the other text, without its fragment. */
  readonly target: string;
  /** The place in the other text. */
  readonly targetPointer: JsonPointer;
}

interface FamilyMember {
  readonly url: URL;
  readonly root: JsonValue;
  readonly outer: readonly OuterReference[];
}

/** The texts of a document, by URL without fragment; the document itself is the first. */
type DocumentSet = ReadonlyMap<string, FamilyMember>;

/**
 * Finds the references to other texts. Relative references are resolved against the URL of the text (RFC 3986 §5). A
 * reference to the text itself is rewritten as `#/…`.
 */
function findOuterReferences(root: JsonValue, url: URL): readonly OuterReference[] {
  const toRead = createBase(root, url);
  const found: OuterReference[] = [];
  visitReferences(root, {
    reference(holder, reference, pointer) {
      const resolved = reference.startsWith('#') ? undefined : toRead(reference);
      if (resolved === undefined) return;
      const fragment = resolved.hash;
      resolved.hash = '';
      if (resolved.href === withoutFragment(url)) {
        holder['$ref'] = fragment === '' ? '#' : fragment;
        return;
      }
      // A fragment that is not a pointer resolves to nothing, like a pointer to a missing place.
      const targetPointer = fragment === '' ? '' : (toInternalPointer(fragment) ?? `/${fragment}`);
      found.push({ holder, pointer, reference, target: resolved.href, targetPointer });
    },
  });
  return found;
}

/**
 * Returns a function that resolves the references of a text. `$self` is the base of a document (OpenAPI 3.2 §4.1.2). Its
 * siblings are read from the folder of the document, not from their own URLs.
 */
function createBase(root: JsonValue, url: URL): (reference: string) => URL | undefined {
  const resolve = (reference: string, base: URL): URL | undefined =>
    URL.canParse(reference, base.href) ? new URL(reference, base.href) : undefined;
  const { openapi, $self } = isJsonObject(root) ? root : {};
  const self =
    typeof openapi === 'string' && openapi.startsWith('3.2.') && typeof $self === 'string'
      ? resolve($self, url)
      : undefined;
  if (self === undefined) return (reference) => resolve(reference, url);
  return (reference) => {
    const resolved = resolve(reference, self);
    if (resolved === undefined || resolved.protocol !== self.protocol || resolved.host !== self.host) {
      return resolved;
    }
    if (withoutFragment(resolved) === withoutFragment(self)) return new URL(resolved.hash, url);
    const path = posix.relative(posix.dirname(self.pathname), resolved.pathname);
    return resolve(`./${path}${resolved.search}${resolved.hash}`, url);
  };
}

function withoutFragment(url: URL): string {
  const whole = new URL(url);
  whole.hash = '';
  return whole.href;
}

interface FamilyInput {
  readonly root: JsonObject;
  readonly url: URL;
  /** The document as the user named it. */
  readonly source: string;
  /** Receives the places of everything in the other texts. */
  readonly places: TextPlaces;
  /** Whether references out of the folder and over the network are followed. */
  readonly follow: boolean;
  /** A file, of which references may reach the folder. */
  readonly within: URL;
  /** Called with the URL of each of the other texts before it is read. */
  readonly onRead: ((url: URL) => void) | undefined;
}

/**
 * Reads the texts that a document refers to, and those that they refer to.
 *
 * @throws DocumentError REFERENCE_REFUSED if a reference leads out of the folder of the document or over the network
 * and may not be followed; DOCUMENT_INVALID if it leads to nothing; DOCUMENT_SYNTAX
 */
async function loadDocumentSet(input: FamilyInput): Promise<DocumentSet> {
  const { url: base, source, places, follow, within } = input;
  const documentSet = new Map<string, FamilyMember>();
  const refused: LocatedProblem[] = [];
  const broken: LocatedProblem[] = [];

  function note(
    problems: LocatedProblem[],
    [{ root, url }, { pointer }]: readonly [FamilyMember, OuterReference],
    words: { readonly reason: string; readonly remedy: string },
  ): undefined {
    const start = { file: nameSource(source, base, url), line: 1, column: 1 };
    problems.push({ ...(locatePointer(places, root, appendPointer(pointer, '$ref')) ?? start), ...words });
  }

  async function load(member: FamilyMember, reference: OuterReference): Promise<FamilyMember | undefined> {
    const url = new URL(reference.target);
    const quoted = JSON.stringify(reference.reference);
    const isFile = url.protocol === 'file:';
    if (isFile && member.url.protocol !== 'file:') {
      // --allow-references trusts the network with the content it serves, not with the files of this machine.
      return note(refused, [member, reference], {
        reason: `the reference ${quoted} leads from the network to a file of this machine`,
        remedy: 'Download the document and what it names into one folder',
      });
    }
    const mayFollow = follow && /^(?:https?|file):$/u.test(url.protocol);
    if (!mayFollow && !(await isWithinFolder(url, within))) {
      return note(refused, [member, reference], {
        reason: `the reference ${quoted} leads ${isFile ? 'out of the folder of the document' : 'over the network'}`,
        remedy: 'Move what it names into the document or its folder, or allow it with --allow-references',
      });
    }
    input.onRead?.(url);
    try {
      const name = nameSource(source, base, url);
      const { text, url: from, isJson } = await readSource(url, name, { mayBePipe: false });
      const root = await parseSource({ file: name, text, isJson, places });
      await readExternalExamples({ root, text, url: from }, { document: within, onRead: input.onRead });
      // After a redirect, references are resolved against the final URL (RFC 3986 section 5.1.3).
      return { url, root, outer: findOuterReferences(root, from) };
    } catch (error) {
      if (!(error instanceof ClocheError) || error instanceof DocumentError) throw error;
      return note(broken, [member, reference], {
        reason: `the reference ${quoted} cannot be followed: ${error.reason}`,
        remedy: 'Correct it, or put the file where it leads',
      });
    }
  }

  const first: FamilyMember = { url: base, root: input.root, outer: findOuterReferences(input.root, base) };
  documentSet.set(withoutFragment(base), first);
  // A Map also iterates over entries that are added during the loop.
  for (const member of documentSet.values()) {
    for (const reference of member.outer) {
      const loaded = documentSet.get(reference.target) ?? (await load(member, reference));
      if (loaded !== undefined) {
        documentSet.set(reference.target, loaded);
      }
      if (loaded !== undefined && resolvePointer(loaded.root, reference.targetPointer) === undefined) {
        note(broken, [member, reference], {
          reason: `the reference ${JSON.stringify(reference.reference)} leads to nothing`,
          remedy: 'Correct it, or add what it names',
        });
      }
    }
  }
  if (refused.length > 0 || broken.length > 0) {
    const code = refused.length > 0 ? 'REFERENCE_REFUSED' : 'DOCUMENT_INVALID';
    throw new DocumentError(code, { source, problems: [...refused, ...broken] });
  }
  return documentSet;
}

/** The values behind the empty objects that replace them, which keeps walks over a document out of the values. */
const quoted = new WeakMap<JsonObject, JsonValue>();

function renameKeys(holder: JsonObject, rename: (key: string) => string): void {
  const entries = Object.entries(holder);
  if (entries.every(([key]) => rename(key) === key)) return;
  entries.forEach(([key]) => delete holder[key]);
  entries.forEach(([key, value]) => setOwn(holder, rename(key), value));
}

function visitObjects(root: JsonValue, visit: (holder: JsonObject) => void): void {
  if (Array.isArray(root)) {
    root.forEach((item) => visitObjects(item, visit));
  } else if (isJsonObject(root)) {
    visit(root);
    Object.values(root).forEach((member) => visitObjects(member, visit));
  }
}

/**
 * Hides examples and constants, in which `$ref` is text. Renames to `$$ref` each other `$ref` that is no reference,
 * such as a property name, and to `$$id` each `$id`, because the parser would resolve references against it.
 */
function wrapQuotations(root: JsonValue): void {
  const references = new Set<JsonObject>();
  visitReferences(root, {
    reference(holder) {
      references.add(holder);
    },
    quotation(holder, key) {
      const placeholder: JsonObject = {};
      quoted.set(placeholder, holder[key] ?? null);
      holder[key] = placeholder;
    },
  });
  visitObjects(root, (holder) =>
    renameKeys(holder, (key) =>
      key === '$id' || /^\$\$+(?:id|ref)$/u.test(key) || (key === '$ref' && !references.has(holder))
        ? `$${key}`
        : key,
    ),
  );
}

/** Restores the values that {@link wrapQuotations} hid. */
function unwrapQuotations(root: JsonObject): JsonObject {
  visitObjects(root, (holder) => {
    renameKeys(holder, (key) => (/^\$\$+(?:id|ref)$/u.test(key) ? key.slice(1) : key));
    for (const [key, member] of Object.entries(holder)) {
      const value = isJsonObject(member) ? quoted.get(member) : undefined;
      if (value !== undefined) holder[key] = value;
    }
  });
  return root;
}

/** The places of objects and arrays in their original texts. They stay the same when a value is moved. */
export type TextOrigins = WeakMap<object, DocumentPlace>;

/** Records the original places of a value and of all its members. */
export function recordOrigins(value: JsonValue, place: DocumentPlace, origins: TextOrigins): void {
  if (!Array.isArray(value) && !isJsonObject(value)) return;
  origins.set(value, place);
  for (const [key, member] of Object.entries(value)) {
    recordOrigins(member, { ...place, pointer: appendPointer(place.pointer, key) }, origins);
  }
}

/** Returns the place in the original text of a place in a document that was assembled from several texts. */
export function findOrigin(root: JsonValue, pointer: JsonPointer, origins: TextOrigins): DocumentPlace {
  let place: DocumentPlace = { pointer: '' };
  let value: JsonValue | undefined = root;
  for (const token of pointerTokens(pointer)) {
    value = value === undefined ? undefined : resolvePointer(value, appendPointer('', token));
    const origin = typeof value === 'object' && value !== null ? origins.get(value) : undefined;
    place = origin ?? { ...place, pointer: appendPointer(place.pointer, token) };
  }
  return place;
}

/**
 * Embeds the parts of other texts that a document refers to, which makes each of its references internal.
 *
 * @throws DocumentError REFERENCE_REFUSED, DOCUMENT_INVALID or DOCUMENT_SYNTAX, as {@link loadDocumentSet} does
 */
export async function embedReferences(
  input: FamilyInput & {
    /** Receives the original places of all values, if there is more than one text. */
    readonly origins: TextOrigins;
  },
): Promise<JsonObject> {
  if (findOuterReferences(input.root, input.url).length === 0) return input.root;
  const { root, url: base, source, places, origins } = input;
  const documentSet = await loadDocumentSet(input);
  places.settle();
  for (const { url, root: text } of documentSet.values()) {
    const file = text === root ? {} : { file: nameSource(source, base, url) };
    recordOrigins(text, { ...file, pointer: '' }, origins);
  }
  return bundle(root, documentSet, source);
}

/**
 * Lets the parser assemble the texts. It gets generated names instead of their URLs. Therefore it cannot read anything
 * itself, or rewrite anything that depends on a URL.
 */
async function bundle(root: JsonObject, documentSet: DocumentSet, source: string): Promise<JsonObject> {
  const urls = [...documentSet.keys()];
  const nameOf = (url: string): string => `/documents/${urls.indexOf(url)}.json`;
  const roots = new Map([...documentSet].map(([url, member]) => [nameOf(url), member.root]));
  const { openapi, swagger, paths } = root;
  const hasIds = typeof openapi === 'string' && /^3\.[12]/u.test(openapi);
  for (const { root: text, outer } of documentSet.values()) {
    for (const { holder, target, targetPointer } of outer) {
      holder['$ref'] = nameOf(target) + toFragment(targetPointer);
    }
    if (hasIds) resolveOwnReferences(text);
    wrapQuotations(text);
  }
  // Loading the parser takes as long as reading a small document, and most documents do not need it.
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  const read = ({ url }: { readonly url: string }): string => url;
  const parse = ({ url }: { readonly url: string }): JsonValue | undefined => roots.get(url);
  const none = { json: false, yaml: false, text: false, binary: false };
  const options = {
    resolve: { external: true, file: false, http: false, documentSet: { order: 1, canRead: true, read } },
    parse: { ...none, documentSet: { order: 1, canParse: true, parse } },
  };
  // `as`: the parser's types support neither custom readers nor our JSON types.
  const parser = new SwaggerParser() as unknown as Bundler;
  delete root['swagger'];
  // The parser rejects a 3.1 document without paths, and a patch version that it does not know.
  Object.assign(root, { openapi: '3.1.0', paths: paths ?? {} });
  const bundled = await parser.bundle('/documents/0.json', root, options).catch((cause: unknown) => {
    throw new ClocheError('DOCUMENT_INVALID', {
      attempt: 'read',
      subject: source,
      reason: `its references cannot be put together (${cause instanceof Error ? cause.message : String(cause)})`,
      remedy: 'Put what they name into the document',
      cause,
    });
  });
  delete bundled['openapi'];
  Object.assign(bundled, openapi === undefined ? {} : { openapi }, swagger === undefined ? {} : { swagger });
  if (paths === undefined) {
    delete bundled['paths'];
  }
  return unwrapQuotations(bundled);
}

interface Bundler {
  bundle(path: string, root: JsonObject, options: object): Promise<JsonObject>;
}

/**
 * Returns the line of a place that is named as in the user's text, in a document that was assembled from several texts.
 * Returns undefined if nothing on the way to the place is part of the document.
 */
export function locateOrigin(input: {
  readonly root: JsonValue;
  readonly place: DocumentPlace;
  readonly origins: TextOrigins;
  readonly places: TextPlaces;
}): TextLocation | undefined {
  const { root, place, origins, places } = input;
  const index = indexOrigins(root, origins);
  const tokens = place.pointer.split('/');
  for (let depth = tokens.length; depth > 0; depth -= 1) {
    const value = index.get(originKey({ ...place, pointer: tokens.slice(0, depth).join('/') }));
    if (value === undefined) continue;
    const rest = tokens.slice(depth).map((token) => `/${token}`);
    return locatePointer(places, value, rest.join(''));
  }
  return undefined;
}

const indices = new WeakMap<TextOrigins, ReadonlyMap<string, JsonValue>>();
const originKey = ({ file, pointer }: DocumentPlace): string => `${file ?? ''}\n${pointer}`;

/** Indexes values by their original place. The index is built once, because a thousand operations are located. */
function indexOrigins(root: JsonValue, origins: TextOrigins): ReadonlyMap<string, JsonValue> {
  const known = indices.get(origins);
  if (known !== undefined) return known;
  const index = new Map<string, JsonValue>();
  const seen = new Set<JsonValue>();
  function visit(value: JsonValue): void {
    if ((!Array.isArray(value) && !isJsonObject(value)) || seen.has(value)) return;
    seen.add(value);
    const origin = origins.get(value);
    if (origin !== undefined && !index.has(originKey(origin))) index.set(originKey(origin), value);
    Object.values(value).forEach(visit);
  }
  visit(root);
  indices.set(origins, index);
  return index;
}
