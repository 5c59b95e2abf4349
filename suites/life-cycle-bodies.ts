import fc from 'fast-check';
import {
  type BodyEdit,
  editedTokens,
  isEditedTo,
  isIdPlace,
  type PlainBody,
  plainContent,
  put,
} from '../src/arbitrary/plain-body.ts';
import { createSlotMarks } from '../src/arbitrary/slot-marks.ts';
import { type Body, distinctBodies, joinParts, type RequestCase } from '../src/arbitrary/request-case.ts';
import { hasValidBody, plainRequest } from '../src/arbitrary/request.ts';
import type { Contract, Operation } from '../src/contract/contract.ts';
import { propertiesPath, requestPath } from '../src/contract/item-properties.ts';
import { jsonSchemaOf } from '../src/contract/request-facts.ts';
import { findSuccessResponse } from '../src/contract/responses.ts';
import { appendPointer, memberAt } from '../src/json/pointer.ts';
import { isJsonNumber, isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../src/json/value.ts';
import { schemaAt, schemaProperties } from '../src/schema/properties.ts';
import { type JsonSchema, schemasInPlace, schemaTypes } from '../src/schema/walk.ts';

/** Returns the plain body of an operation; undefined if it has none. */
function plainBodyOf(operation: Operation | undefined): PlainBody | undefined {
  const body = operation && plainRequest(operation).body;
  return body?.kind === 'body' ? body.body : undefined;
}

/**
 * Returns different bodies of an operation that writes whole items, the same in every run: the fullest first, then
 * others, one with the least values, one with the required values of the first, and one without optional properties.
 */
export function wholeBodies(operation: Operation, count: number): readonly (Body | undefined)[] {
  const body = plainBodyOf(operation);
  if (body === undefined) return Array.from({ length: count }, () => undefined);
  const others = fc.sample(body.arbitrary, { seed: 1, numRuns: count * 4 });
  const weightOf = (value: JsonValue): number => Object.keys(representationOf(operation, value).own).length;
  // Bodies with the most properties show most.
  const fullest = others.toSorted((left, right) => weightOf(right) - weightOf(left));
  const usual = [body.fullest, ...fullest].slice(0, count - 3).map((value) => plainContent(body, value));
  const [next = body.fullest] = fullest;
  return [
    ...usual,
    leastValues(operation, body),
    shareRequired(operation, body, next),
    plainContent(body, body.smallest),
  ];
}

/** Returns the path to the properties of an item in a body, and their values. */
function representationOf(operation: Operation, value: JsonValue) {
  const path = requestPath(operation);
  const own = memberAt(value, path);
  const at = (...names: readonly string[]): string => appendPointer('', ...path, ...names);
  return { at, own: isJsonObject(own) ? own : {}, path };
}

function leastOf(value: JsonValue): JsonValue | undefined {
  if (isJsonNumber(value)) return 0;
  if (typeof value === 'boolean') return false;
  return typeof value === 'string' ? `${value} and ${value} once more` : undefined;
}

/** Returns a body with values that programs may treat as missing or cut off: zero, false, and long texts. */
function leastValues(operation: Operation, body: PlainBody): Body | undefined {
  const { fullest } = body;
  const { at, own } = representationOf(operation, fullest);
  const edits = Object.entries(own).flatMap(([name, value]) => {
    const least = leastOf(value);
    const edit = put(at(name), least ?? null);
    const isFine =
      least !== undefined && !isIdPlace(body, edit.at) && isEditedTo(body, { base: fullest, edits: [edit] });
    return isFine ? [edit] : [];
  });
  return editedBodies(body, edits)[0] ?? plainContent(body);
}

/** Returns a body that differs from the fullest only in optional properties. */
function shareRequired(operation: Operation, body: PlainBody, other: JsonValue): Body {
  const { at, own } = representationOf(operation, body.fullest);
  const needed = representationOf(operation, body.smallest).own;
  const { own: theirs } = representationOf(operation, other);
  const edits = Object.keys(own).flatMap((name): readonly BodyEdit[] => {
    const value = theirs[name];
    const isKept = Object.hasOwn(needed, name) || value === undefined || isIdPlace(body, at(name));
    return isKept ? [] : [put(at(name), value)];
  });
  return editedBodies(body, edits)[0] ?? plainContent(body);
}

/** Returns the fullest body with edits; none if they are impossible. */
function editedBodies(body: PlainBody, edits: readonly BodyEdit[]): readonly Body[] {
  const tokens = editedTokens(body, { base: body.fullest, edits });
  return tokens === undefined ? [] : [joinParts(tokens)];
}

/** Returns whole bodies that each omit one property of a nested object. */
export function bodiesWithParts(operation: Operation): readonly Body[] {
  const body = plainBodyOf(operation);
  if (body === undefined) return [];
  const { at, own } = representationOf(operation, body.fullest);
  return Object.entries(own).flatMap(([name, value]) => {
    const [inner] = isJsonObject(value) ? Object.keys(value).slice(-1) : [];
    return inner === undefined ? [] : editedBodies(body, [{ kind: 'remove', at: at(name, inner) }]);
  });
}

/** Returns the fullest body of an operation, with values for server-set fields; undefined if there are none. */
export function serviceValues(operation: Operation): Body | undefined {
  const body = plainBodyOf(operation);
  if (body === undefined) return undefined;
  const { at, path } = representationOf(operation, body.fullest);
  const edits = [...schemaProperties(schemaAt(body.schema?.schema, path))].flatMap(
    ([name, { readOnly, schema }]): readonly BodyEdit[] => {
      if (!readOnly || !isJsonObject(schema)) return [];
      const value = [40_000_017, '1999-12-31T23:59:59Z', '1999-12-31', '7d3c6a52-0d8b-4b56-9f0a-5b1c9a2e4f10']
        .map((telling): BodyEdit => ({ kind: 'put', at: at(name), value: telling }))
        .find((edit) => editedTokens(body, { base: body.fullest, edits: [edit] }) !== undefined);
      return value === undefined ? [] : [value];
    },
  );
  return edits.length === 0 ? undefined : editedBodies(body, edits)[0];
}

/**
 * Returns the bodies of an update: with one property each, with one member of a nested object, or with another array;
 * then bodies that remove a property that a create may omit.
 */
export function partialBodies(operation: Operation, maker: Operation | undefined): readonly Body[] {
  const body = plainBodyOf(operation);
  if (body === undefined || operation.kind.kind !== 'update') return [];
  const { at, own } = representationOf(operation, body.fullest);
  const whole = maker && representationOf(maker, plainBodyOf(maker)?.smallest ?? null).own;
  const needed = whole ?? requiredIn(operation);
  const only = (name: string, edit: readonly BodyEdit[]): readonly Body[] => {
    const rest = Object.keys(own).filter((other) => other !== name);
    return editedBodies(body, [
      ...rest.map((other) => ({ kind: 'remove' as const, at: at(other) })),
      ...edit,
    ]);
  };
  const entries = Object.entries(own);
  const inner = entries.flatMap(([name, value]) => {
    const names = isJsonObject(value) ? Object.keys(value) : [];
    const [first] = names;
    if (first === undefined || names.length < 2) return [];
    const [last = first] = names.slice(-1);
    return [
      ...only(name, [{ kind: 'remove', at: at(name, last) }]),
      ...only(name, [
        { kind: 'remove', at: at(name, first) },
        { kind: 'put', at: at(name, last), value: null },
      ]),
    ];
  });
  // A service that resets a flag mostly resets it to false.
  const single = entries.flatMap(([name, value]) =>
    only(name, value === false ? [{ kind: 'put', at: at(name), value: true }] : []),
  );
  const removing = entries.flatMap(([name]) =>
    Object.hasOwn(needed, name) ? [] : only(name, [{ kind: 'put', at: at(name), value: null }]),
  );
  // Parts of an object come first, while the object is whole.
  return distinctBodies([...inner.slice(0, 8), ...single, ...removing]);
}

/** Returns the properties that the responses to an operation must have. */
function requiredIn(operation: Operation): JsonObject {
  const { kind } = operation;
  if (!('response' in kind) || kind.response === undefined) return {};
  const content = jsonSchemaOf(findSuccessResponse(operation)?.media);
  const schema = schemaAt(content, propertiesPath(content, kind.response));
  const names = [...schemaProperties(schema)].flatMap(([name, { required }]) => (required ? [name] : []));
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** Returns full bodies of an operation with the first value of each flag and state, and with the second. */
export function stateBodies(operation: Operation | undefined): readonly Body[] {
  const body = plainBodyOf(operation);
  if (operation === undefined || body === undefined) return [];
  const { at, own, path } = representationOf(operation, body.fullest);
  return [0, 1].flatMap((which) => {
    const edits = Object.keys(own).flatMap((name): readonly BodyEdit[] => {
      const schema = schemaAt(body.schema?.schema, [...path, name]);
      const values = schema === undefined ? [] : statesOf(schema);
      const value = values[which];
      return value === undefined || isIdPlace(body, at(name)) ? [] : [put(at(name), value)];
    });
    return edits.length === 0 ? [] : editedBodies(body, edits);
  });
}

/** Returns two full bodies of an operation. Each property has another value in the second, if its schema allows one. */
export function alternatingBodies(operation: Operation): readonly Body[] {
  const body = plainBodyOf(operation);
  if (body === undefined) return [];
  const { at, own, path } = representationOf(operation, body.fullest);
  const edits = Object.entries(own).map(([name, value]) => {
    const values = statesOf(schemaAt(body.schema?.schema, [...path, name]) ?? true);
    // An update sets a flag to true.
    const first = typeof value === 'boolean' ? true : value;
    const second = values.find((each) => !jsonEqual(each, first)) ?? leastOf(value) ?? first;
    return [first, second].map((each) => put(at(name), each));
  });
  const isFine = (edit: BodyEdit): boolean => isEditedTo(body, { base: body.fullest, edits: [edit] });
  return [0, 1].flatMap((which) =>
    editedBodies(
      body,
      edits.flatMap((each) => each.slice(which, which + 1)).filter((edit) => isFine(edit)),
    ),
  );
}

/** Returns the names of the flags and states in the body of an operation. */
export function stateNames(operation: Operation): readonly string[] {
  const body = plainBodyOf(operation);
  if (body === undefined) return [];
  const { own, path } = representationOf(operation, body.fullest);
  return Object.keys(own).filter((name) => {
    const schema = schemaAt(body.schema?.schema, [...path, name]);
    return schema !== undefined && statesOf(schema).length > 0;
  });
}

/** Returns the values of a flag or a state; none for another schema. */
export function statesOf(schema: JsonSchema): readonly JsonValue[] {
  const parts = schemasInPlace(schema, schema);
  const values = parts.map((part) => part['enum']).find((each) => Array.isArray(each));
  if (Array.isArray(values)) return values.filter((value) => value !== null);
  return schemaTypes(schema).has('boolean') ? [false, true] : [];
}

/** Returns the paths to the members of objects, at any depth. */
function memberPaths(value: JsonValue | undefined): readonly (readonly string[])[] {
  return !isJsonObject(value)
    ? []
    : Object.entries(value).flatMap(([name, member]) => [
        [name],
        ...memberPaths(member).map((path) => [name, ...path]),
      ]);
}

/** Returns a value without the member at a path. */
function withoutMember(
  value: JsonValue | undefined,
  [name, ...rest]: readonly string[],
): JsonValue | undefined {
  if (!isJsonObject(value) || name === undefined || !(name in value)) return value;
  const inner = withoutMember(value[name], rest);
  const others = Object.entries(value).filter(([other]) => other !== name);
  return Object.fromEntries(rest.length === 0 || inner === undefined ? others : [...others, [name, inner]]);
}

/** Yields related requests with smaller bodies: without a member in all of them, then in one. Bodies stay valid. */
export function* withoutMembers(
  requests: readonly RequestCase[],
  contract: Contract,
): Generator<readonly RequestCase[]> {
  const bodies = requests.map(({ body, operationId }) => {
    const marks = createSlotMarks();
    const operation = contract.operations.find(({ id }) => id === operationId);
    return { marks, operation, value: body && marks.toValue(body) };
  });
  const without = (request: RequestCase, index: number, path: readonly string[]): RequestCase => {
    const { marks, operation, value } = bodies[index] ?? {};
    const smaller = withoutMember(value, path);
    if (operation === undefined || smaller === undefined || smaller === value) return request;
    const made = { ...request, body: marks?.toBody(smaller) };
    return hasValidBody(made, operation) ? made : request;
  };
  const all = bodies.flatMap(({ value }) => memberPaths(value).map((path) => path.join('\0')));
  const paths = [...new Set(all)].map((path) => path.split('\0'));
  for (const path of paths) {
    yield requests.map((request, index) => without(request, index, path));
  }
  for (const path of paths) {
    for (const [index, request] of requests.entries())
      yield requests.with(index, without(request, index, path));
  }
}
