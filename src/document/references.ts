import {
  appendPointer,
  type JsonPointer,
  pointerTokens,
  resolvePointer,
  toInternalPointer,
} from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { DocumentProblem } from './document.ts';
import { passOver } from './slips.ts';

/** Members whose value is a mapping from names, under which a keyword is a name like any other. */
const naming = new Set(
  (
    '$defs callbacks content definitions dependentSchemas encoding examples headers links parameters pathItems paths ' +
    'patternProperties properties requestBodies responses schemas securitySchemes variables webhooks'
  ).split(' '),
);
/** Members whose value is an example or a constant: a `$ref` in it is text. */
const quoting = new Set(['const', 'default', 'enum', 'example', 'value']);

/** An object of a document and the place where it really stands. */
export interface ResolvedObject {
  readonly value: JsonObject;
  readonly pointer: JsonPointer;
}

/**
 * The object at a place of a document, through any `$ref` that stands for it (OpenAPI 3.1 §4.8.23); all
 * references are `#` and a pointer, not percent-encoded.
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
  /** An object with a `$ref` that is a reference. */
  reference?(holder: JsonObject, reference: string, pointer: JsonPointer): void;
  /** A member that may hold anything, and is not gone into. */
  quotation?(holder: JsonObject, key: string): void;
}

/**
 * Walks over an OpenAPI document (of either version) or a part of one and reports each `$ref` that is a
 * reference: not one in an example, an enum or an extension, and not a property that is called `$ref`. An extension that a
 * reference leads into is a part of the document: `#/x-stream-definitions/Event`.
 */
export function visitReferences(root: JsonValue, visitor: ReferenceVisitor): void {
  const extensions = new Set<JsonPointer>();

  /** The members `except` are not gone into. */
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
      // Most members are texts and numbers, which hold nothing.
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

  /** `kind` is the key that the names stand under. */
  function visitNamed(kind: string, holder: JsonObject, pointer: JsonPointer): void {
    const seen = new Set<JsonValue>();
    for (const [name, member] of Object.entries(holder)) {
      // The media types of a document of 2.0 share one object.
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
  // A Set also goes over what is added on the way.
  for (const target of extensions) {
    const tokens = pointerTokens(target);
    const isName = (index: number): boolean => index > 0 && naming.has(tokens[index - 1] ?? '');
    const isExtension = tokens.some((token, index) => token.startsWith('x-') && !isName(index));
    const value = isExtension ? resolvePointer(root, target) : undefined;
    if (value !== undefined) visitPart(value, target);
  }
}

/** A pointer as the fragment of a URL (RFC 6901 §6). */
export function toFragment(pointer: JsonPointer): string {
  const parts = pointerTokens(pointer).map((token) =>
    encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  return ['#', ...parts].join('/');
}

/** The place that a reference leads to, as {@link resolveAnchors} writes it; undefined for one that it left as it was. */
export function plainPointer(reference: string): JsonPointer | undefined {
  return /^#(?:\/|$)/u.test(reference) ? reference.slice(1) : undefined;
}

/**
 * The references inside a document (all of them) that lead nowhere, or only round in a circle.
 *
 * @param passedOver - what was taken out of the document for a slip: what led there goes with it
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
          // What a reference within a schema that has an `$id` leads to may be known elsewhere.
          slip: isPassedOver || findBase(root, pointer) !== undefined ? passOver(pointer) : undefined,
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

/** A reference on the way from a place: what it leads to is judged of the very value that the place is. */
interface Step {
  readonly holder: JsonPointer;
  readonly target: JsonPointer;
  /** Whether the reference stands in a schema below the place, as in its `allOf`. */
  readonly isWithin: boolean;
}

/** Keywords whose schemas are for the value itself, not for a part of it (JSON Schema 2020-12 core §10.2). */
const inPlaceKeyword = /\/(?:not|if|then|else|(?:allOf|anyOf|oneOf|dependentSchemas)\/[^/]*)$/u;

/** The place, and those that it is judged along with. */
function inPlace(pointer: JsonPointer): readonly JsonPointer[] {
  const outer = pointer.replace(inPlaceKeyword, '');
  return outer === pointer ? [pointer] : [pointer, ...inPlace(outer)];
}

/** The references that lead back to where they came from before anything is said of a part of the value. */
function findCircles(steps: ReadonlyMap<JsonPointer, readonly Step[]>): readonly DocumentProblem[] {
  const problems = new Map<JsonPointer, DocumentProblem>();
  const done = new Set<JsonPointer>();
  for (const start of steps.keys()) {
    // A way may be as long as the document; what is on it is kept here, and not on the stack of calls.
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
        slip: passOver(step.holder),
      });
    }
  }
  return [...problems.values()];
}

/**
 * Writes each reference inside a document as a plain pointer after `#`, percent-decoded, so that whoever
 * follows it needs no more than RFC 6901: `#/paths/~1a~1%7Bid%7D` and the anchor `#name` (JSON Schema
 * 2020-12 core §8.2.2) alike. One that leads nowhere stays as it is.
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

/** Finds the innermost schema with an `$id` that a place lies in. The root of a text is none. */
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
 * Resolves the references within a schema that has an `$id` against that schema (JSON Schema 2020-12 core §8.2.1). One that
 * leads to nothing there is left as it is: many documents mean their own root.
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
