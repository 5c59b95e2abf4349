import {
  appendPointer,
  type JsonPointer,
  pointerTokens,
  resolvePointer,
  toInternalPointer,
} from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { DocumentProblem } from './document.ts';
import { passOver } from './recoveries.ts';

/** Members whose value maps names to values. A keyword under them is a name like any other. */
const naming = new Set(
  (
    '$defs additionalOperations callbacks content definitions dependentSchemas encoding examples headers links ' +
    'mediaTypes parameters pathItems paths patternProperties properties requestBodies responses schemas securitySchemes variables webhooks'
  ).split(' '),
);
/** Members whose value is an example or a constant. A `$ref` in it is text. */
const quoting = new Set(['const', 'dataValue', 'default', 'enum', 'example', 'value']);

/** The member that contains the documents of a mock of several documents, by name. */
export const mountedDocuments = 'x-cloche-documents';

/** Returns the place of the root of the document that a place belongs to: empty unless several documents are combined. */
export function findDocumentRoot(pointer: JsonPointer): JsonPointer {
  return /^\/x-cloche-documents\/[^/]+/u.exec(pointer)?.[0] ?? '';
}

/** Lists the places of the roots of a document: its own, and those of the documents that it combines. */
export function listDocumentRoots(root: JsonObject): readonly JsonPointer[] {
  const mounted = root[mountedDocuments];
  const names = Object.keys(isJsonObject(mounted) ? mounted : {});
  return ['', ...names.map((name) => appendPointer('', mountedDocuments, name))];
}

/** An object of a document and its actual place. */
export interface ResolvedObject {
  readonly value: JsonObject;
  readonly pointer: JsonPointer;
}

/**
 * Finds the object at a place of a document and follows any `$ref` (OpenAPI 3.1 §4.8.23). All references are `#` and a
 * pointer, not percent-encoded.
 */
export function resolveObject(root: JsonObject, pointer: JsonPointer): ResolvedObject | undefined {
  const seen = new Set<JsonPointer>();
  for (let place = pointer; !seen.has(place);) {
    seen.add(place);
    const value = resolvePointer(root, place);
    if (!isJsonObject(value)) return undefined;
    const reference = Object.hasOwn(value, '$ref') ? value['$ref'] : undefined;
    if (typeof reference !== 'string') return { value, pointer: place };
    const target = plainPointer(reference);
    if (target === undefined) return undefined;
    place = target;
  }
  return undefined;
}

interface ReferenceVisitor {
  /** Called for an object with a `$ref` that is a reference. */
  reference?(holder: JsonObject, reference: string, pointer: JsonPointer): void;
  /** Called for a member with arbitrary content, which is not visited. */
  quotation?(holder: JsonObject, key: string): void;
}

/**
 * Walks an OpenAPI document (of either version) or a part of one, and reports each `$ref` that is a reference. A
 * `$ref` in an example, an enum or an extension is not one, nor is a property with the name `$ref`. An
 * extension that is the target of a reference is part of the document: `#/x-stream-definitions/Event`.
 */
export function visitReferences(root: JsonValue, visitor: ReferenceVisitor): void {
  const extensions = new Set<JsonPointer>();

  /** The members in `except` are not visited. */
  function visitPart(part: JsonValue, pointer: JsonPointer, except: readonly string[] = []): void {
    if (Array.isArray(part)) {
      part.forEach((item, index) => {
        if (typeof item === 'object') visitPart(item, appendPointer(pointer, index));
      });
    }
    if (!isJsonObject(part)) return;
    if (typeof part['$ref'] === 'string') {
      visitor.reference?.(part, part['$ref'], pointer);
      const target = plainPointer(part['$ref']);
      if (target?.includes('/x-') === true) extensions.add(target);
    }
    for (const key of Object.keys(part)) {
      const value = part[key] ?? null;
      // Most members are strings and numbers, which contain nothing.
      if (typeof value !== 'object' || value === null || except.includes(key)) continue;
      if (quoting.has(key) || key.startsWith('x-') || (key === 'examples' && Array.isArray(value))) {
        visitor.quotation?.(part, key);
      } else if (naming.has(key) && isJsonObject(value)) {
        visitNamed(key, value, appendPointer(pointer, key));
      } else {
        visitPart(value, appendPointer(pointer, key));
      }
    }
  }

  /** `kind` is the key that contains the names. */
  function visitNamed(kind: string, holder: JsonObject, pointer: JsonPointer): void {
    const seen = new Set<JsonValue>();
    for (const [name, member] of Object.entries(holder)) {
      // The media types of a 2.0 document share one object.
      if (kind === 'content' && seen.has(member)) continue;
      seen.add(member);
      if (kind === 'paths' && name.startsWith('x-')) {
        visitor.quotation?.(holder, name);
        continue;
      }
      // The parameters and the body of a Link Object are values to send (OpenAPI 3.1 §4.8.20).
      const link = kind === 'links' && isJsonObject(member) ? member : {};
      const quoted = ['parameters', 'requestBody'].filter((key) => Object.hasOwn(link, key));
      quoted.forEach((key) => visitor.quotation?.(link, key));
      visitPart(member, appendPointer(pointer, name), quoted);
    }
  }

  visitPart(root, '');
  // A Set also iterates over values that are added during the loop.
  for (const target of extensions) {
    const tokens = pointerTokens(target);
    const isName = (index: number): boolean => index > 0 && naming.has(tokens[index - 1] ?? '');
    const isExtension = tokens.some((token, index) => token.startsWith('x-') && !isName(index));
    const value = isExtension ? resolvePointer(root, target) : undefined;
    if (value !== undefined) visitPart(value, target);
  }
}

/** Formats a pointer as a URL fragment (RFC 6901 §6). */
export function toFragment(pointer: JsonPointer): string {
  const parts = pointerTokens(pointer).map((token) =>
    encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  return ['#', ...parts].join('/');
}

/** Returns the target of a reference in the form of {@link resolveAnchors}; undefined if it was left unresolved. */
export function plainPointer(reference: string): JsonPointer | undefined {
  return /^#(?:\/|$)/u.test(reference) ? reference.slice(1) : undefined;
}

/**
 * Finds the internal references of a document that lead to nothing, or only to each other in a circle.
 *
 * @param passedOver - the places that were removed because of an error; references to them are removed too
 */
export function checkReferences(
  root: JsonObject,
  passedOver: readonly JsonPointer[] = [],
): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const steps = new Map<JsonPointer, Step[]>();

  visitReferences(root, {
    reference(_holder, reference, pointer) {
      const place = appendPointer(pointer, '$ref');
      const target = plainPointer(reference);
      if (target === undefined || resolvePointer(root, target) === undefined) {
        const isPassedOver = passedOver.some((gone) => target === gone || target?.startsWith(`${gone}/`));
        problems.push({
          pointer: place,
          reason: `the reference ${JSON.stringify(reference)} leads to ${isPassedOver ? 'an ignored part' : 'nothing'}`,
          remedy: 'Correct it, or add what it names',
          // The base of a reference within a schema that has an `$id` may be another document.
          recovery: isPassedOver || findBase(root, pointer) !== undefined ? passOver(pointer) : undefined,
        });
        return;
      }
      for (const from of inPlace(pointer)) {
        const others = steps.get(from);
        const step = { holder: pointer, target, isWithin: from !== pointer };
        if (others === undefined) steps.set(from, [step]);
        else others.push(step);
      }
    },
  });
  return [...problems, ...findCircles(steps)];
}

/** A reference on the way from a place. Its target is checked with the same value as the place. */
interface Step {
  readonly holder: JsonPointer;
  readonly target: JsonPointer;
  /** Whether the reference is in a subschema of the place, for example in its `allOf`. */
  readonly isWithin: boolean;
}

/** Matches keywords whose schemas apply to the value itself, not to a part of it (JSON Schema 2020-12 core §10.2). */
const inPlaceKeyword = /\/(?:not|if|then|else|(?:allOf|anyOf|oneOf|dependentSchemas)\/[^/]*)$/u;

/** Returns the place and the places whose schemas apply to the same value. */
function inPlace(pointer: JsonPointer): readonly JsonPointer[] {
  const outer = pointer.replace(inPlaceKeyword, '');
  return outer === pointer ? [pointer] : [pointer, ...inPlace(outer)];
}

/** Finds the references that lead back to themselves without entering a part of the value. */
function findCircles(steps: ReadonlyMap<JsonPointer, readonly Step[]>): readonly DocumentProblem[] {
  const problems = new Map<JsonPointer, DocumentProblem>();
  const done = new Set<JsonPointer>();
  for (const start of steps.keys()) {
    // A path may be as long as the document. Therefore it is kept here, and not on the call stack.
    const way: { readonly place: JsonPointer; readonly left: Step[]; readonly isWithin: boolean }[] = [];
    const positions = new Map<JsonPointer, number>();
    const enter = (place: JsonPointer, isWithin: boolean): void => {
      if (done.has(place)) return;
      done.add(place);
      positions.set(place, way.length);
      way.push({ place, left: [...(steps.get(place) ?? [])], isWithin });
    };
    enter(start, false);
    for (let last = way.at(-1); last !== undefined; last = way.at(-1)) {
      const step = last.left.pop();
      if (step === undefined) {
        way.pop();
        positions.delete(last.place);
        continue;
      }
      const from = positions.get(step.target);
      if (from === undefined) {
        enter(step.target, step.isWithin);
        continue;
      }
      const isWithin = step.isWithin || way.slice(from + 1).some((each) => each.isWithin);
      const reason = `the reference "#${step.target}" ${isWithin ? 'leads back to itself without going into a property or an item' : 'only leads back to itself'}`;
      problems.set(step.holder, {
        pointer: appendPointer(step.holder, '$ref'),
        reason,
        remedy: 'Let one of the references in the circle lead to an object',
        recovery: passOver(step.holder),
      });
    }
  }
  return [...problems.values()];
}

/**
 * Rewrites each internal reference as a plain pointer after `#`, percent-decoded. Readers then need only RFC 6901, for
 * `#/paths/~1a~1%7Bid%7D` and for the anchor `#name` (JSON Schema 2020-12 core §8.2.2). A reference that leads to
 * nothing is left unchanged.
 */
export function resolveAnchors(root: JsonObject): void {
  let anchors: ReadonlyMap<string, JsonPointer> | undefined;
  visitReferences(root, {
    reference(holder, reference) {
      const pointer = toInternalPointer(reference);
      if (pointer !== undefined) {
        holder['$ref'] = `#${pointer}`;
        return;
      }
      anchors ??= findAnchors(root);
      const place = anchors.get(reference.slice(1));
      if (reference.startsWith('#') && place !== undefined) {
        holder['$ref'] = `#${place}`;
      }
    },
  });
}

function findAnchors(root: JsonValue): ReadonlyMap<string, JsonPointer> {
  const anchors = new Map<string, JsonPointer>();
  const visit = (value: JsonValue, pointer: JsonPointer): void => {
    if (Array.isArray(value)) {
      value.forEach((item, index) => visit(item, appendPointer(pointer, index)));
    } else if (isJsonObject(value)) {
      if (typeof value['$anchor'] === 'string') {
        anchors.set(value['$anchor'], pointer);
      }
      Object.entries(value).forEach(([key, member]) => visit(member, appendPointer(pointer, key)));
    }
  };
  visit(root, '');
  return anchors;
}

/** Finds the innermost schema with an `$id` that contains a place. The root of a text does not count. */
function findBase(root: JsonValue, pointer: JsonPointer): JsonPointer | undefined {
  let [value, place, base]: [JsonValue | undefined, JsonPointer, JsonPointer?] = [root, ''];
  for (const token of pointerTokens(pointer)) {
    value = value === undefined ? undefined : resolvePointer(value, appendPointer('', token));
    place = appendPointer(place, token);
    const id = isJsonObject(value) ? value['$id'] : undefined;
    if (typeof id === 'string' && !id.startsWith('#')) base = place;
  }
  return base;
}

/**
 * Resolves the references within a schema that has an `$id` against that schema (JSON Schema 2020-12 core §8.2.1). A
 * reference that leads to nothing there is left unchanged, because many documents mean their own root.
 */
export function resolveOwnReferences(root: JsonValue): void {
  visitReferences(root, {
    reference(holder, reference, pointer) {
      const base = findBase(root, pointer);
      const place = base === undefined ? undefined : toInternalPointer(reference);
      const own = `${base}${place}`;
      if (place !== undefined && resolvePointer(root, own) !== undefined) holder['$ref'] = toFragment(own);
    },
  });
}
