import type { Operation } from '../../contract/operation.ts';
import type { ResourceKey } from '../../contract/operation-kind.ts';
import { isJsonObject } from '../../contract/resolve-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { Policy } from '../../policy/policy.ts';
import type { SchemaReading } from '../../schema/schema-reading.ts';
import { valueKey } from '../../schema/value-key.ts';
import { createProjection } from '../bodies/create-projection.ts';
import { declaredNames } from '../bodies/declared-names.ts';
import { hideProperties } from '../bodies/hide-properties.ts';
import { setOwn } from '../bodies/set-own.ts';
import { shorten } from '../content/shorten.ts';
import { type MaybePromise, whenThere } from '../maybe-promise.ts';
import type { Refuse } from '../refusals/create-refuser.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';
import type { Store, StoredResource, StoreKey, StoreOutcome } from '../store/store.ts';
import { toStoreKey } from '../store/to-store-key.ts';
import type { Act, ValidRequest } from './act.ts';
import { createKeyMaker } from './create-key-maker.ts';
import { createAnswerWriter } from './create-answer-writer.ts';
import { findSuccessResponse } from './success-response.ts';

/** What a create is prepared from. */
export interface CreateInput {
  readonly operation: Operation;
  readonly key: ResourceKey;
  readonly policy: Policy;
  readonly reading: SchemaReading;
  readonly store: Store;
  readonly refuse: Refuse;
}

/** A resource on its way into the store, with what its answer needs. */
interface Creation {
  readonly request: ValidRequest;
  readonly resource: JsonObject;
  readonly exact: boolean;
  readonly key: JsonValue;
  /** What the client sent beyond what the request declares. */
  readonly undeclared: JsonObject | undefined;
}

/** What a document that declares 409 says of a key that is taken, no policy can unsay. */
function duplicateAnswer({ operation, policy }: CreateInput): Policy['duplicate-key'] {
  const declaresConflict = operation.responses.some(({ status }) => status.kind === 'exact' && status.status === 409);
  return declaresConflict ? 'refuse' : policy['duplicate-key'];
}

/** The texts that no two resources may share. */
function claimsOf(resource: JsonObject, unique: readonly string[]): readonly string[] {
  return unique.flatMap((name) => {
    const value = Object.hasOwn(resource, name) ? resource[name] : undefined;
    return value === undefined ? [] : [`${name} ${valueKey(value)}`];
  });
}

function hasOnly(value: JsonObject, names: ReadonlySet<string> | undefined): boolean {
  if (names !== undefined) {
    for (const name of Object.keys(value)) {
      if (!names.has(name)) {
        return false;
      }
    }
  }
  return true;
}

/**
 * Prepares the create of a resource: it is kept under the concrete URL of its collection and its key, once,
 * and the answer is the declared success with what it shows of the resource.
 *
 * @throws ClocheError SCHEMA_UNUSABLE where a schema cannot be compiled
 */
export function prepareCreate(input: CreateInput): Act {
  const { operation, key, policy, store, refuse } = input;
  const bodySchema = operation.requestBody?.media.find(({ isJson }) => isJson)?.schema?.schema ?? true;
  const project = createProjection(bodySchema, 'readOnly');
  const requestNames = declaredNames(bodySchema);
  const hidesNothing = hideProperties(bodySchema, 'readOnly') === undefined;
  const storesUndeclared = policy['undeclared-properties'] === 'store';
  const echoes = policy.echo === 'exact';
  const unique = policy['unique-properties'];
  const duplicates = duplicateAnswer(input);
  const success = findSuccessResponse(operation);
  const { writeAnswer, schema: answerSchema } = createAnswerWriter(input, success);
  const makeKey = createKeyMaker(key.kind === 'none' ? '' : key.property, answerSchema);

  /** What is left of a resource in an answer that does not echo it. */
  function madeKey(value: JsonValue): JsonObject {
    const shown: JsonObject = {};
    if (key.kind === 'server') {
      setOwn(shown, key.property, value);
    }
    return shown;
  }

  /** What a client sent is new and nobody else's, so that it need not be copied where all of it is kept. */
  function toResource(value: JsonObject): JsonObject {
    return hidesNothing && hasOnly(value, requestNames) ? value : project(value);
  }

  function pickUndeclared(value: JsonObject): JsonObject | undefined {
    if (requestNames === undefined || !storesUndeclared) {
      return undefined;
    }
    const entries = Object.entries(value).filter(([name]) => !requestNames.has(name));
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }

  function answer({ request, resource: kept, exact, key: value, undeclared: further }: Creation): MockAnswer {
    const resource = echoes ? kept : madeKey(value);
    const undeclared = echoes ? further : undefined;
    const showsKey = policy['response-extras'] === 'id' && key.kind === 'client';
    const extras = showsKey ? { ...undeclared, [key.property]: value } : undeclared;
    return writeAnswer({ request, resource, exact, key: value, extras });
  }

  function toStored({ request, resource, key: value, undeclared }: Creation, storeKey: StoreKey): StoredResource {
    return {
      collection: request.path,
      key: storeKey,
      value: undeclared === undefined ? resource : { ...resource, ...undeclared },
      claims: unique.length === 0 ? noClaims : claimsOf(resource, unique),
    };
  }

  function refuseClaim(claim: string): MockAnswer {
    const name = claim.slice(0, claim.indexOf(' '));
    const message = `The value of "${name}" is taken: another resource has it, and it must be unique.`;
    return refuse({ condition: 'duplicate-value', message });
  }

  function settleTaken(creation: Creation, present: JsonObject): MaybePromise<MockAnswer> {
    switch (duplicates) {
      case 'replace':
        return whenThere(store.replace(toStored(creation, toStoreKey(creation.key))), (outcome) =>
          outcome.kind === 'claim-taken' ? refuseClaim(outcome.claim) : answer(creation),
        );
      case 'keep-first':
        return answer({ ...creation, resource: present, exact: true, undeclared: pickUndeclared(present) });
      case 'accept':
        return insertNumbered(creation);
      case 'refuse':
      case 'conflict':
      case 'unprocessable': {
        const place = key.kind === 'none' ? 'the key' : `/${key.property}`;
        const message = `${place} ${shorten(stringifyJson(creation.key))} is taken: a resource with it exists already.`;
        return refuse({ condition: 'duplicate-key', message });
      }
    }
  }

  /** Keeps a resource beside the one that has its key. */
  function insertNumbered(creation: Creation): MaybePromise<MockAnswer> {
    const { path } = creation.request;
    return whenThere(store.nextNumber(path), (number) =>
      whenThere(store.insertIfAbsent(toStored(creation, `${valueKey(creation.key)} ${number}`)), (outcome) =>
        outcome.kind === 'claim-taken' ? refuseClaim(outcome.claim) : answer(creation),
      ),
    );
  }

  function insert(creation: Creation): MaybePromise<MockAnswer> {
    function settle(outcome: StoreOutcome): MaybePromise<MockAnswer> {
      switch (outcome.kind) {
        case 'stored':
          return answer(creation);
        case 'claim-taken':
          return refuseClaim(outcome.claim);
        case 'key-taken':
          return key.kind === 'client' ? settleTaken(creation, outcome.value) : insertMade(creation);
      }
    }
    return whenThere(store.insertIfAbsent(toStored(creation, toStoreKey(creation.key))), settle);
  }

  /** Keeps a resource under the next key that the service makes; one that is taken already is passed over. */
  function insertMade(creation: Omit<Creation, 'key'>): MaybePromise<MockAnswer> {
    return whenThere(store.nextNumber(creation.request.path), (number) => {
      const made = makeKey(number);
      const resource = { ...creation.resource };
      if (key.kind === 'server') {
        setOwn(resource, key.property, made);
      }
      return insert({ ...creation, resource, key: made });
    });
  }

  return (request) => {
    const { content } = request;
    if (content.kind !== 'value') {
      // Nothing was read that could be kept: the answer is a sample.
      return writeAnswer({ request, resource: {}, exact: false, key: makeKey(1), extras: undefined });
    }
    const { value, exact } = content;
    if (!isJsonObject(value)) {
      return refuse({ condition: 'invalid-body', message: 'The body is not valid: the body must be an object.' });
    }
    const resource = toResource(value);
    const undeclared = pickUndeclared(value);
    if (key.kind !== 'client') {
      return insertMade({ request, resource, exact, undeclared });
    }
    const sent = Object.hasOwn(value, key.property) ? value[key.property] : undefined;
    if (sent === undefined) {
      return refuse({ condition: 'invalid-body', message: `The body is not valid: /${key.property} is required, but missing.` });
    }
    return insert({ request, resource, exact, key: sent, undeclared });
  };
}

const noClaims: readonly string[] = [];
