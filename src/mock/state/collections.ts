import { createParameterCheck, type ParameterCheck } from '../../contract/check-parameters.ts';
import type { Contract, Operation, ResourceKey } from '../../contract/contract.ts';
import { findSuccessResponse } from '../../contract/responses.ts';
import { createRouter } from '../../contract/router.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { closestWord } from '../../errors/suggest.ts';
import { normalizePath } from '../../http/path.ts';
import { parseJson } from '../../json/parse.ts';
import { appendPointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type Policy, policyOf } from '../../policy/policy.ts';
import { describeSchemaProblem } from '../../schema/describe-problem.ts';
import { declaredNames } from '../../schema/properties.ts';
import {
  type StoredForm,
  type KeptBody,
  prepareStoredForm,
  toValidationMode,
} from '../handlers/stored-form.ts';
import { chooseSentMedia } from '../answer/representation.ts';
import { createEventLoopYield } from '../clock.ts';
import { shorten } from '../message.ts';
import { createBodyCheck } from '../request/body.ts';
import { type Store, type StoredResource, type StoreKey, toStoreKey } from '../store/store.ts';
import { type BadRow, fileOfRow, placeOfRow, type StateRows } from './rows.ts';

/** A row that a collection takes. */
export interface TakenRow extends KeptBody {
  /** Undefined where the service makes it. */
  readonly key: JsonValue | undefined;
}

/** A collection of the contract, by its concrete path, and how rows come into it. */
export interface Collection {
  readonly name: string;
  readonly operation: Operation;
  readonly key: ResourceKey;
  /** Whether a resource may have the key of another. */
  readonly takesDuplicates: boolean;
  readonly storedForm: StoredForm;
  /** Takes a row as a create takes a body; a text says why it does not, in words without a full stop. */
  readonly take: (row: unknown) => TakenRow | string;
}

/** The collections of a contract. */
export interface Collections {
  /** The paths of those without parameters, in the order of the document. */
  readonly names: readonly string[];
  /** The collection at a concrete path; a text says why there is none, in words without a full stop. */
  readonly find: (path: string) => Collection | string;
}

/**
 * Finds the collections of a contract: the paths that its create operations post to. What each needs is made ready
 * when it is first asked for.
 */
export function createCollections(contract: Pick<Contract, 'operations'>, policy: Policy): Collections {
  const route = createRouter(contract);
  const creates = contract.operations.filter(({ kind }) => kind.kind === 'create');
  const names = creates
    .filter(({ path }) => path.segments.every(({ kind }) => kind === 'literal'))
    .map(({ path }) => path.template);
  const known = new Map<Operation, Prepared | undefined>();

  function prepareOnce(operation: Operation, key: ResourceKey): Prepared | undefined {
    if (!known.has(operation)) {
      known.set(operation, prepare(operation, key, policy));
    }
    return known.get(operation);
  }

  function explainMissing(path: string): string {
    const templates = creates.map((operation) => operation.path.template);
    if (templates.length === 0) return 'the contract has no collection: no operation creates anything';
    const near = templates.length === 1 ? undefined : closestWord(path, templates);
    const meant = near === undefined ? '' : `, where perhaps ${near} was meant`;
    const more = templates.length > 10 ? ' …' : '';
    return `the contract has no such collection${meant}; it has ${templates.slice(0, 10).join(', ')}${more}`;
  }

  return {
    names,
    find(path) {
      const name = normalizePath(path);
      const found = name.includes('{') ? undefined : route(name);
      const operation = found?.operations.get('POST');
      if (found === undefined || operation === undefined || operation.kind.kind !== 'create') {
        const isTemplate = creates.some(({ path: { template } }) => template === path);
        return isTemplate && !names.includes(path)
          ? 'it has parameters: name the concrete path'
          : explainMissing(path);
      }
      const { key } = operation.kind;
      const prepared = prepareOnce(operation, key);
      if (prepared === undefined) return 'its create takes no body';
      const { storedForm, checkParameters, takesDuplicates, take } = prepared;
      const source = { path: found.parameters, query: [], header: () => undefined };
      const problem = checkParameters.map((check) => check(source)).find((each) => each !== undefined);
      if (problem !== undefined) return `${shorten(path)} is no such collection: ${problem.reason}`;
      return { name, operation, key, takesDuplicates, storedForm, take: (row) => take(row, name) };
    },
  };
}

interface Prepared extends Pick<Collection, 'storedForm' | 'takesDuplicates'> {
  readonly checkParameters: readonly ParameterCheck[];
  readonly take: (row: unknown, collection: string) => TakenRow | string;
}

function prepare(operation: Operation, key: ResourceKey, whole: Policy): Prepared | undefined {
  const { requestBody, parameters } = operation;
  const media = requestBody?.media.find(({ isJson }) => isJson) ?? requestBody?.media[0];
  if (requestBody === undefined || media === undefined) return undefined;
  const policy = policyOf(whole, operation.id);
  const reading = toValidationMode(policy);
  const names = declaredNames(media.schema?.schema ?? true);
  const answer = chooseSentMedia(findSuccessResponse(operation)?.media ?? [])?.media.schema;
  const storedForm = prepareStoredForm(operation, key, policy);
  const { split, withMadeKey } = storedForm;
  const checkBody = createBodyCheck(requestBody, policy, reading);
  // Judges the key of a row where the body of a request has no place for it.
  const checkAnswer = key.kind === 'server' ? answer?.validator(reading) : undefined;
  const bodyHoldsKey = key.kind !== 'server' || names === undefined || names.has(key.property);

  const take = (row: unknown, collection: string): TakenRow | string => {
    const read = readRow(row);
    if (typeof read === 'string') return read;
    const { value, exact, text } = read;
    const own = key.kind !== 'none' && Object.hasOwn(value, key.property) ? value[key.property] : undefined;
    const body =
      key.kind === 'server' && own !== undefined && !bodyHoldsKey ? without(value, key.property) : value;
    const problem = checkBody(body, exact, media);
    if (problem !== undefined) return toReason(problem.message);
    if (key.kind === 'client') {
      const { resource, undeclared } = split(value);
      return own === undefined
        ? `/${key.property} is required, but missing`
        : { collection, resource, undeclared, text: resource === value ? text : undefined, key: own };
    }
    if (key.kind === 'none' || own === undefined) {
      return { collection, ...split(body), text: undefined, key: undefined };
    }
    const place = `${appendPointer('', key.property)}/`;
    const wrong = checkAnswer?.(value, exact).find(({ pointer }) => `${pointer}/`.startsWith(place));
    if (wrong !== undefined) return describeSchemaProblem({ problem: wrong, value });
    const { resource, undeclared } = split(body);
    return { collection, resource: withMadeKey(resource, own), undeclared, text: undefined, key: own };
  };

  return {
    storedForm,
    checkParameters: parameters
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => createParameterCheck(parameter, reading)),
    takesDuplicates: key.kind === 'client' && policy['duplicate-key'] === 'accept',
    take,
  };
}

/** An object without one of its members. */
export function without(value: JsonObject, property: string): JsonObject {
  const { [property]: _left, ...rest } = value;
  return rest;
}

/** The words of a sentence about a body, which a row is not. */
function toReason(sentence: string): string {
  return sentence
    .replace(/^The body is not valid: /u, '')
    .replace(/^The body has /u, 'it has ')
    .replace(/\.$/u, '');
}

/** A row as a client would have sent it, or why it is none. */
function readRow(
  row: unknown,
): { readonly value: JsonObject; readonly exact: boolean; readonly text: string } | string {
  let text: string | undefined;
  try {
    // `as`: what is no JSON value makes no JSON text, which is seen below.
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

/** Says that the value of a unique property is taken, without a full stop; a claim is its name, a NUL and the value. */
export function describeClaim(claim: string): string {
  const name = shorten(claim.slice(0, claim.indexOf('\0')));
  return `the value of "${name}" is taken: another resource has it, and it must be unique`;
}

/**
 * Keeps a row in place of the resource that has its key; one without a key under the next one that is free, as a create
 * does. Gives what is kept, or a text that says why it is not, in words without a full stop.
 *
 * @param known - what is kept of a row with an id, where that is known
 */
export async function keepRow(
  store: Store,
  { storedForm, name }: Collection,
  taken: TakenRow,
  known?: StoredResource,
): Promise<StoredResource | string> {
  if (taken.key !== undefined) {
    const stored = known ?? storedForm.toStored(taken, toStoreKey(taken.key));
    const outcome = await store.replace(stored);
    return outcome.kind === 'claim-taken' ? describeClaim(outcome.claim) : stored;
  }
  for (;;) {
    const made = storedForm.makeKey(await store.nextNumber(name));
    const resource = storedForm.withMadeKey(taken.resource, made);
    const stored = storedForm.toStored({ ...taken, resource }, toStoreKey(made));
    const outcome = await store.insertIfAbsent(stored);
    if (outcome.kind !== 'key-taken') {
      return outcome.kind === 'stored' ? stored : describeClaim(outcome.claim);
    }
  }
}

/** A row that its collection takes. */
export interface RowCandidate {
  readonly collection: Collection;
  /** Its place among the rows of the collection, from 0. */
  readonly index: number;
  readonly row: unknown;
  readonly taken: TakenRow;
  /** Undefined where the service makes its key. */
  readonly key: StoreKey | undefined;
}

/** Checks each row as a create checks a body, and lets requests in now and then. */
export async function takeRows(
  rows: StateRows,
  collections: Collections,
): Promise<{ readonly candidates: readonly RowCandidate[]; readonly bad: readonly BadRow[] }> {
  const breathe = createEventLoopYield();
  const candidates: RowCandidate[] = [];
  const bad: BadRow[] = [];
  for (const [path, list] of Object.entries(rows)) {
    const collection = collections.find(path);
    if (typeof collection === 'string') {
      bad.push({ collection: path, index: 0, place: placeOfRow(list[0]), reason: collection });
      continue;
    }
    for (const [index, row] of list.entries()) {
      await breathe();
      const taken = collection.take(row);
      if (typeof taken === 'string') {
        bad.push({ collection: path, index, place: placeOfRow(row), reason: taken });
      } else {
        const key = taken.key === undefined ? undefined : toStoreKey(taken.key);
        candidates.push({ collection, index, row, taken, key });
      }
    }
  }
  return { candidates, bad };
}

/** Rows by the path of their collection; or alone, where there is one collection that they can belong to. */
export type GivenRows = StateRows | readonly JsonObject[];

/** `as` cannot be spared: Array.isArray does not tell a read-only list. */
function isList(rows: GivenRows): rows is readonly JsonObject[] {
  return Array.isArray(rows);
}

function unusable(subject: string, reason: string, names: readonly string[]): ClocheError {
  const [name = '/orders'] = names;
  return new ClocheError('DATA_INVALID', {
    attempt: 'take the data of',
    subject,
    reason,
    remedy: `Give rows by the path of their collection: { "${name}": [ … ] }`,
  });
}

/**
 * Rows by the path of their collection, of whatever came from outside.
 *
 * @throws ClocheError DATA_INVALID where it has another shape, or where rows alone may belong to several collections
 */
export function toStateRows(given: GivenRows, { names }: Collections): StateRows {
  if (isList(given)) {
    const [name] = names;
    if (name !== undefined && names.length === 1) return { [name]: given };
    const reason =
      names.length === 0
        ? 'they are rows alone, and the contract has no collection without parameters'
        : `they are rows alone, and may belong to ${names.slice(0, 10).join(' or ')}`;
    throw unusable(fileOfRow(given[0]) ?? 'a list of rows', reason, names);
  }
  if (typeof given !== 'object' || given === null) {
    throw unusable(String(given), 'it is neither a list of rows nor an object of such lists', names);
  }
  for (const [path, list] of Object.entries(given)) {
    if (!Array.isArray(list)) throw unusable(path, 'it is not a list of rows', names);
  }
  return given;
}
