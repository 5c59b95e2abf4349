import type { MediaTypeContract, Operation, Resource } from '../../contract/contract.ts';
import { findReadable } from '../../http/codecs/registry.ts';
import { parseJson } from '../../json/parse.ts';
import { memberAt, pointerTokens } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { type Policy, policyOf } from '../../policy/policy.ts';
import { type CompiledSchema, compileSchema } from '../../schema/compile.ts';
import { describeSchemaProblem } from '../../schema/describe-problem.ts';
import { declaredNames, namedProperties, schemaProperties } from '../../schema/properties.ts';
import { memberSchema } from '../answer/representation.ts';
import { describeIdProblem, holdsPlainItems, plainMember, shownItems } from '../answer/shown-item.ts';
import { prepareMadeValues } from '../handlers/made-values.ts';
import {
  type KeptBody,
  prepareStoredForm,
  type StoredForm,
  toValidationMode,
} from '../handlers/stored-form.ts';
import { createBodyCheck } from '../request/body.ts';

/** A row that a collection accepts. */
export interface TakenRow extends KeptBody {
  /** Undefined if the service generates it. */
  readonly key: JsonValue | undefined;
}

/** The check and the stored form of rows of a resource. */
export interface RowForm {
  /** The operation whose body has the form of a row: the create, else the replace; else one that shows the resource. */
  readonly operation: Operation;
  /** The schema of the resource in requests, without an envelope; undefined if no client sends it. */
  readonly sent: CompiledSchema | undefined;
  /** The schema of the resource in responses, without an envelope; undefined if no JSON response shows it. */
  readonly shown: CompiledSchema | undefined;
  readonly storedForm: StoredForm;
  /** Whether items are not objects; a row has the item in `value` then. */
  readonly isPlain: boolean;
  /** The name of the id in a row, if only the path of an item has it. */
  readonly pathKey: string | undefined;
  /** Accepts a row, or returns the reason for its rejection, in words without a full stop. */
  readonly take: (row: unknown, collection: string) => TakenRow | string;
  /**
   * Adds the values that the service sets when an item is created: times, a version, members required by responses.
   *
   * @param now - in milliseconds since 1970
   */
  readonly complete: (taken: TakenRow, now: number) => TakenRow;
}

/**
 * Prepares the check of rows of a resource. The part that a client would send is checked like the body of its create,
 * or else of its replace. The part that only the service sets (`readOnly`, or only declared in responses) is checked
 * against the responses, and is stored too.
 *
 * @param operations - all operations on the resource
 * @throws ClocheError SCHEMA_UNUSABLE if a schema cannot be compiled
 */
export function prepareRows(
  resource: Resource,
  operations: readonly [Operation, ...Operation[]],
  whole: Policy,
): RowForm {
  const { key, parameter } = resource;
  const writer = findWriter(operations);
  const operation = writer ?? operations[0];
  const policy = policyOf(whole, operation.id);
  const reading = toValidationMode(policy);
  const sent = writer === undefined ? undefined : findSent(writer);
  const [shown] = shownItems(operations);
  const isPlain = key.kind === 'none' && holdsPlainItems(operations);
  const storedForm = prepareStoredForm(operation, { key, policy, siblings: operations });
  const checkSent =
    sent === undefined || writer?.requestBody === undefined
      ? undefined
      : createBodyCheck({ ...writer.requestBody, media: [sent] }, policy, reading);
  const sentSchema = sent?.schema?.schema ?? true;
  const declared = declaredNames(sentSchema);
  const named = namedProperties(sentSchema);
  const properties = schemaProperties(sentSchema);
  const shownNames = namedProperties(shown?.schema ?? true);
  const keepsUndeclared = policy['undeclared-properties'] === 'store';
  let time = 0;
  const made = prepareMadeValues({ operation, siblings: operations, clock: () => time });
  const pathKey =
    key.kind === 'none' && parameter !== undefined && !named.has(parameter) && !shownNames.has(parameter)
      ? parameter
      : undefined;

  const keyProperty = key.kind === 'none' ? pathKey : key.property;

  /** Returns whether a client cannot set a property. */
  function isOfService(name: string): boolean {
    if (sent === undefined || properties.get(name)?.readOnly === true) return true;
    if (named.has(name)) return false;
    return shownNames.has(name) || (key.kind !== 'none' && name === keyProperty);
  }

  function findProblem(value: JsonObject, exact: boolean): string | undefined {
    if (isPlain && Object.hasOwn(value, plainMember)) {
      const plain = value[plainMember] ?? null;
      const problem = sent && checkSent?.(plain, exact, sent);
      return problem && toReason(problem.message);
    }
    const body: JsonObject = {};
    const others = new Set<string>();
    for (const [name, member] of Object.entries(value)) {
      if (isOfService(name)) others.add(name);
      else setOwn(body, name, member);
    }
    const problem = sent && checkSent?.(others.size === 0 ? value : body, exact, sent);
    if (problem !== undefined) return toReason(problem.message);
    if (others.size === 0 && sent !== undefined) return undefined;
    const wrong = shown
      ?.validator(reading)(value, exact)
      .find(({ pointer, params }) => {
        const name = pointerTokens(pointer)[0] ?? ('property' in params ? params.property : '');
        return sent === undefined || others.has(name);
      });
    return wrong && describeSchemaProblem({ problem: wrong, value });
  }

  const isDeclared = (name: string): boolean =>
    declared === undefined || declared.has(name) || isOfService(name);

  return {
    operation,
    sent: sent?.schema,
    shown,
    storedForm,
    isPlain,
    pathKey,
    complete(taken, now) {
      time = now;
      const resource = made.complete(taken.resource, taken.collection);
      return resource === taken.resource ? taken : { ...taken, resource, text: undefined };
    },
    take(row, collection) {
      const read = readRow(row);
      if (typeof read === 'string') return read;
      const own = keyProperty === undefined ? undefined : memberAt(read.value, [keyProperty]);
      const value = own !== undefined && pathKey !== undefined ? without(read.value, pathKey) : read.value;
      const problem = findProblem(value, read.exact);
      if (problem !== undefined) return problem;
      const idProblem =
        own === undefined || parameter === undefined ? undefined : describeIdProblem(own, collection);
      if (idProblem !== undefined) return `/${keyProperty} ${idProblem}`;
      if (key.kind === 'client' && own === undefined) return `/${key.property} is required, but missing`;
      const { resource: kept, undeclared } = splitRow(value, isDeclared, keepsUndeclared);
      const text = kept === read.value ? read.text : undefined;
      return { collection, resource: kept, undeclared, text, key: own };
    },
  };
}

/** Returns the stored form of a row: in the order of its members, with undeclared ones separate. */
function splitRow(
  value: JsonObject,
  isDeclared: (name: string) => boolean,
  keepsUndeclared: boolean,
): Pick<KeptBody, 'resource' | 'undeclared'> {
  if (Object.keys(value).every(isDeclared)) return { resource: value, undeclared: undefined };
  const entries = Object.entries(value);
  const rest = keepsUndeclared ? entries.filter(([name]) => !isDeclared(name)) : [];
  return {
    resource: Object.fromEntries(entries.filter(([name]) => isDeclared(name))),
    undeclared: rest.length === 0 ? undefined : Object.fromEntries(rest),
  };
}

/** Returns the operation whose body contains a whole item: an update declares only the members that may change. */
function findWriter(operations: readonly Operation[]): Operation | undefined {
  return ['create', 'replace']
    .flatMap((role) => operations.filter(({ kind }) => kind.kind === role))
    .find(({ requestBody }) => requestBody !== undefined);
}

/** Returns the media type that a client would send, with the schema of the resource only. */
function findSent({ requestBody, kind }: Operation): MediaTypeContract | undefined {
  const media = findReadable(requestBody?.media) ?? requestBody?.media[0];
  const path = 'request' in kind ? kind.request : [];
  if (media?.schema === undefined || path.length === 0) return media;
  const { schema, pointer } = media.schema;
  return { ...media, schema: compileSchema({ schema: memberSchema(schema, path), pointer }) };
}

/** Returns an object without one of its members. */
export function without(value: JsonObject, property: string): JsonObject {
  const { [property]: _left, ...rest } = value;
  return rest;
}

/** Converts an error message for a body to words for a row. */
function toReason(sentence: string): string {
  return sentence
    .replace(/^The body is not valid: /u, '')
    .replace(/^The body has /u, 'it has ')
    .replace(/\.$/u, '');
}

/** Parses a row as if a client had sent it, or returns why it is invalid. */
function readRow(
  row: unknown,
): { readonly value: JsonObject; readonly exact: boolean; readonly text: string } | string {
  let text: string | undefined;
  try {
    // `as`: a value that is not JSON has no JSON text, which is checked below.
    text = stringifyJson(row as JsonValue) as string | undefined;
  } catch {
    return 'it is no JSON value';
  }
  if (text === undefined) return 'it is no JSON value';
  const parsed = parseJson(text, { explains: false });
  if (parsed.kind === 'syntax') return 'it is no JSON value';
  return isJsonObject(parsed.value)
    ? { value: parsed.value, exact: parsed.exact, text }
    : 'a row must be an object';
}
