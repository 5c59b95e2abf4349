import { ClocheError } from '../errors/cloche-error.ts';
import { appendPointer, type JsonPointer, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue, setOwn } from '../json/value.ts';
import type { DocumentWarning, OpenApiDocument, TextLocation } from './document.ts';
import { unusedAction } from './overlays.ts';
import { listPathOperations } from './path-operations.ts';
import { type DocumentOptions, readDocument } from './read-document.ts';
import { mountedDocuments, plainPointer, resolveObject, visitReferences } from './references.ts';

/** A document to read, and the prefix of its paths. */
export interface MountedSource {
  /** `/orders`; empty to leave its paths unchanged. */
  readonly prefix: string;
  /** A path or a URL. */
  readonly source: string;
}

/**
 * Reads several documents as one, each under its prefix. Each overlay is applied to every document.
 *
 * @throws ClocheError the errors of {@link readDocument} and {@link mountDocuments}
 */
export async function readMountedDocuments(
  mounts: readonly MountedSource[],
  options: DocumentOptions,
): Promise<OpenApiDocument> {
  const read: Mount[] = [];
  for (const { prefix, source } of mounts) {
    read.push({ prefix, document: await readDocument(source, options) });
  }
  return mountDocuments(read);
}

/** A document that was read, and the prefix of its paths. */
interface Mount {
  readonly prefix: string;
  readonly document: OpenApiDocument;
}

/** A mounted document and its place in the whole. */
interface Part extends Mount {
  readonly name: string;
  /** The place of its root: `/x-cloche-documents/orders`. */
  readonly base: JsonPointer;
}

/** The part that a place of the whole came from, and the place in it. */
interface Origin {
  readonly part: Part;
  readonly pointer: JsonPointer;
}

/**
 * Combines documents as one. Each becomes a member of `x-cloche-documents`, and its references lead into that member.
 * Components therefore keep their names, which discriminators and XML use. Paths and security schemes of the whole
 * refer to those of the documents. An operationId or a name that several documents have gets the name of its document
 * as a prefix: `orders.create`. A prefix replaces the servers of a document. The documents are changed.
 *
 * @throws ClocheError OPTION_INVALID if two documents have the same path
 */
export function mountDocuments(mounts: readonly Mount[]): OpenApiDocument {
  const parts = nameParts(mounts);
  const origins = new Map<JsonPointer, Origin>();
  const securitySchemes = mergeSchemes(parts, origins);
  renameOperations(parts);
  parts.forEach(rebaseReferences);
  const paths = mountPaths(parts, origins);
  const versions = parts.map(({ document }) => document.openapi).toSorted();
  const openapi = versions.at(-1) ?? '';
  const infoOf = (key: string): string => {
    const texts = parts.map(({ document: { root } }) => resolvePointer(root, `/info/${key}`));
    return [...new Set(texts.filter((text) => typeof text === 'string'))].join(' + ');
  };
  const tags = parts.flatMap(({ document: { root } }) => (Array.isArray(root['tags']) ? root['tags'] : []));
  const { servers } = parts.find(({ prefix }) => prefix === '')?.document.root ?? {};
  const [first] = parts;
  const trace = (pointer: JsonPointer): Origin | undefined => traceOrigin(pointer, { parts, origins, first });
  return {
    source: parts.map(({ document }) => document.source).join(', '),
    version: parts.some(({ document }) => document.version === '3.1') ? '3.1' : '3.0',
    openapi,
    root: {
      openapi,
      info: { title: infoOf('title'), version: infoOf('version') },
      ...(servers !== undefined && { servers }),
      tags,
      paths,
      components: { securitySchemes },
      [mountedDocuments]: Object.fromEntries(parts.map(({ name, document }) => [name, document.root])),
    },
    warnings: mergeWarnings(parts),
    ...mergeUnclear(parts),
    locate(pointer) {
      const origin = trace(pointer);
      return origin?.part.document.locate(origin.pointer);
    },
    originOf(pointer) {
      const origin = trace(pointer);
      if (origin === undefined) return { pointer };
      const { document } = origin.part;
      return {
        file: document.source,
        ...(document.originOf?.(origin.pointer) ?? { pointer: origin.pointer }),
      };
    },
    locateOrigin({ file, pointer }) {
      const own = parts.find(({ document }) => document.source === file)?.document;
      if (own !== undefined) return own.locateOrigin?.({ pointer }) ?? own.locate(pointer);
      const place = { ...(file !== undefined && { file }), pointer };
      return parts.map(({ document }) => document.locateOrigin?.(place)).find((found) => found !== undefined);
    },
  };
}

/** Gives each document a unique name: `api.orders` for the prefix `/api/orders`. */
function nameParts(mounts: readonly Mount[]): readonly Part[] {
  const names = new Set<string>();
  return mounts.map(({ prefix, document }) => {
    const word = prefix.slice(1).replaceAll(/[^\w-]+/gu, '.') || 'root';
    let name = word;
    for (let count = 2; names.has(name); count += 1) name = `${word}-${count}`;
    names.add(name);
    return { prefix, document, name, base: appendPointer('', mountedDocuments, name) };
  });
}

/** Lets the references of a document lead to its place in the whole. */
function rebaseReferences({ base, document: { root } }: Part): void {
  // Objects may be shared. Each is changed once, after all were found.
  const holders = new Map<JsonObject, JsonPointer>();
  visitReferences(root, {
    reference(holder, reference) {
      const target = plainPointer(reference);
      if (target !== undefined) holders.set(holder, target);
    },
  });
  for (const [holder, target] of holders) holder['$ref'] = `#${base}${target}`;
}

/** Lists the operations of a document, each once. */
function listOperations({ document: { root } }: Part): ReadonlySet<JsonObject> {
  const items = ['paths', 'webhooks'].flatMap((key) =>
    Object.keys(isJsonObject(root[key]) ? root[key] : {}).flatMap(
      (name) => resolveObject(root, appendPointer('', key, name)) ?? [],
    ),
  );
  return new Set(items.flatMap((item) => listPathOperations(item).map(({ value }) => value)));
}

/** Returns the names that more than one list contains. */
function findShared(lists: readonly (readonly string[])[]): ReadonlySet<string> {
  const all = lists.flatMap((list) => [...new Set(list)]);
  return new Set(all.filter((name, index) => all.indexOf(name) !== index));
}

/** Makes the ids of operations unique, and adapts the links to operations. */
function renameOperations(parts: readonly Part[]): void {
  const operations = parts.map(listOperations);
  const idOf = ({ operationId }: JsonObject): string[] =>
    typeof operationId === 'string' ? [operationId] : [];
  const shared = findShared(operations.map((own) => [...own].flatMap(idOf)));
  parts.forEach((part, index) => {
    const rename = (holder: JsonObject): void => {
      const [id] = idOf(holder);
      if (id !== undefined && shared.has(id)) holder['operationId'] = `${part.name}.${id}`;
    };
    operations[index]?.forEach(rename);
    for (const link of listLinks(part.document.root)) {
      const { operationRef } = link;
      rename(link);
      if (typeof operationRef === 'string' && operationRef.startsWith('#/')) {
        link['operationRef'] = `#${part.base}${operationRef.slice(1)}`;
      }
    }
  });
}

/** Lists the Link Objects of a document (OpenAPI 3.1 §4.8.20), each once. */
function listLinks(root: JsonObject): ReadonlySet<JsonObject> {
  const links = new Set<JsonObject>();
  const visit = (value: JsonValue): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isJsonObject(value)) return;
    for (const [key, member] of Object.entries(value)) {
      if (/^(?:x-.*|example|examples|default|const|enum|schema|schemas)$/su.test(key)) continue;
      if (key === 'links' && isJsonObject(member)) {
        for (const link of Object.values(member)) if (isJsonObject(link)) links.add(link);
      } else {
        visit(member);
      }
    }
  };
  visit(root);
  return links;
}

/** Returns the security schemes of all documents. The operations then require them by their names in the whole. */
function mergeSchemes(parts: readonly Part[], origins: Map<JsonPointer, Origin>): JsonObject {
  const merged: JsonObject = {};
  const own = parts.map((part) => listSchemes(part));
  const shared = findShared(own.map((schemes) => [...schemes.keys()]));
  const differs = (name: string): boolean => {
    const [one, ...others] = own.flatMap((schemes) => schemes.get(name) ?? []);
    return others.some((other) => one === undefined || !jsonEqual(one, other));
  };
  const renamed = new Set([...shared].filter(differs));
  parts.forEach((part, index) => {
    const nameOf = (name: string): string => (renamed.has(name) ? `${part.name}.${name}` : name);
    for (const [name, scheme] of own[index] ?? []) {
      setOwn(merged, nameOf(name), scheme);
      origins.set(appendPointer('/components/securitySchemes', nameOf(name)), {
        part,
        pointer: appendPointer('/components/securitySchemes', name),
      });
    }
    requireSchemes(part, nameOf);
  });
  return merged;
}

/** Lets each operation of a document require the security schemes by other names, also those of the whole document. */
function requireSchemes(part: Part, nameOf: (name: string) => string): void {
  const { security } = part.document.root;
  const lists = new Set<JsonValue>();
  for (const operation of listOperations(part)) {
    if (operation['security'] === undefined && security !== undefined) operation['security'] = security;
    lists.add(operation['security'] ?? null);
  }
  const requirements = new Set([...lists].flatMap((list) => (Array.isArray(list) ? list : [])));
  for (const requirement of requirements) {
    if (!isJsonObject(requirement)) continue;
    const entries = Object.entries(requirement);
    entries.forEach(([name]) => delete requirement[name]);
    entries.forEach(([name, scopes]) => setOwn(requirement, nameOf(name), scopes));
  }
}

const schemeUrls = ['openIdConnectUrl', 'oauth2MetadataUrl'];
const flowUrls = ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'deviceAuthorizationUrl'];

/** Lists the security schemes of a document. Their relative URLs get its prefix. */
function listSchemes({ prefix, document: { root } }: Part): ReadonlyMap<string, JsonObject> {
  const mountUrls = (holder: JsonObject, names: readonly string[]): JsonObject => {
    const relative = names.flatMap((name) => {
      const url = holder[name];
      const isRelative = typeof url === 'string' && url !== '' && !/^(?:[a-z][\w+.-]*:|\/\/)/iu.test(url);
      return isRelative ? [[name, `${prefix}/${url.replace(/^\.?\/+/u, '')}`] as const] : [];
    });
    return relative.length === 0 || prefix === '' ? holder : { ...holder, ...Object.fromEntries(relative) };
  };
  const { securitySchemes } = resolveObject(root, '/components')?.value ?? {};
  return new Map(
    Object.keys(isJsonObject(securitySchemes) ? securitySchemes : {}).flatMap((name) => {
      const scheme = resolveObject(root, appendPointer('/components/securitySchemes', name))?.value;
      if (scheme === undefined) return [];
      const mounted = mountUrls(scheme, schemeUrls);
      const { flows } = mounted;
      if (!isJsonObject(flows)) return [[name, mounted] as const];
      const own = Object.entries(flows).map(
        ([kind, flow]) => [kind, isJsonObject(flow) ? mountUrls(flow, flowUrls) : flow] as const,
      );
      return [[name, { ...mounted, flows: Object.fromEntries(own) }] as const];
    }),
  );
}

function mountPaths(parts: readonly Part[], origins: Map<JsonPointer, Origin>): JsonObject {
  const paths: JsonObject = {};
  const owners = new Map<string, Part>();
  for (const part of parts) {
    const own = part.document.root['paths'];
    for (const template of Object.keys(isJsonObject(own) ? own : {})) {
      if (!template.startsWith('/')) continue;
      const whole = part.prefix + template;
      const form = whole.replaceAll(/\{[^{}]*\}/gu, '{}');
      const other = owners.get(form);
      if (other !== undefined && other !== part) {
        throw new ClocheError('OPTION_INVALID', {
          attempt: 'mount',
          subject: `${part.prefix || '/'}=${part.document.source}`,
          reason: `${other.document.source} has the path ${whole} too`,
          remedy: 'Choose another prefix',
        });
      }
      owners.set(form, part);
      const pointer = appendPointer('/paths', template);
      paths[whole] = { $ref: `#${part.base}${pointer}` };
      origins.set(appendPointer('/paths', whole), { part, pointer });
    }
  }
  return paths;
}

/** Returns the warnings of all documents. An action of an overlay has an effect if one of them has its target. */
function mergeWarnings(parts: readonly Part[]): readonly DocumentWarning[] {
  const found = new Map<string, { readonly warning: DocumentWarning; count: number }>();
  for (const warning of parts.flatMap(({ document }) => document.warnings ?? [])) {
    const { file, line, column, reason } = warning;
    const key = JSON.stringify([file, line, column, reason]);
    const known = found.get(key) ?? { warning, count: 0 };
    known.count += 1;
    found.set(key, known);
  }
  return [...found.values()]
    .filter(({ warning, count }) => warning.effect !== unusedAction || count === parts.length)
    .map(({ warning }) => warning);
}

function mergeUnclear(parts: readonly Part[]): Required<Pick<OpenApiDocument, 'unclear' | 'causes'>> {
  // A member of the root concerns all operations of its document, and those of no other.
  const toWhole = (base: JsonPointer, place: JsonPointer): JsonPointer =>
    base + (place.lastIndexOf('/') > 0 ? place : '/paths');
  const causes = parts.flatMap(({ base, document }) =>
    [...(document.causes ?? [])].map(([place, location]): readonly [JsonPointer, TextLocation] => [
      toWhole(base, place),
      location,
    ]),
  );
  return { unclear: causes.map(([place]) => place), causes: new Map(causes) };
}

function traceOrigin(
  pointer: JsonPointer,
  context: {
    readonly parts: readonly Part[];
    readonly origins: ReadonlyMap<JsonPointer, Origin>;
    readonly first: Part | undefined;
  },
): Origin | undefined {
  const { parts, origins, first } = context;
  const [top = '', name, ...rest] = pointerTokens(pointer);
  const part = top === mountedDocuments ? parts.find((each) => each.name === name) : undefined;
  if (part !== undefined) return { part, pointer: appendPointer('', ...rest) };
  for (let place = pointer; place !== ''; place = place.slice(0, place.lastIndexOf('/'))) {
    const found = origins.get(place);
    if (found !== undefined) return { ...found, pointer: found.pointer + pointer.slice(place.length) };
  }
  return first === undefined ? undefined : { part: first, pointer: '' };
}
