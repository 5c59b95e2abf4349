import type { Operation, ResourceKey } from '../../contract/contract.ts';
import { findSuccessResponse } from '../../contract/responses.ts';
import { normalizePath } from '../../http/path.ts';
import { parseJson } from '../../json/parse.ts';
import { appendPointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Policy } from '../../policy/policy.ts';
import type { SchemaReading } from '../../schema/compile.ts';
import { valueKey } from '../../schema/walk.ts';
import type { Refuse } from '../answer/refusal.ts';
import { setOwn } from '../answer/sample-value.ts';
import {
  type MaybePromise,
  type MockAnswer,
  policyClause,
  type RequestProblem,
  shorten,
  whenThere,
} from '../message.ts';
import { type Store, type StoreOutcome, toStoreKey } from '../store/store.ts';
import { type Act, type Keeping, type KeptBody, prepareKeeping, type ValidRequest } from './stored-form.ts';
import { createAnswerWriter } from './success-answer.ts';

/** A resource that is being created. */
interface Creation extends KeptBody {
  readonly request: ValidRequest;
  /** Whether an exact number is among what was sent. */
  readonly exact: boolean;
  readonly key: JsonValue;
}

/** Brings a resource into the store, and answers. */
interface Inserter {
  /** Under the key that the client sent. */
  readonly insert: (creation: Creation) => MaybePromise<MockAnswer>;
  /** Under the next key that the service makes. */
  readonly insertMade: (creation: Omit<Creation, 'key'>) => MaybePromise<MockAnswer>;
}

/**
 * Prepares the keeping of resources, once for each key, as the policy says.
 *
 * @param input.answer - answers a create that was kept
 * @param input.answerStored - answers with the resource that has the key already
 */
function createInserter(input: {
  readonly keeping: Keeping;
  readonly policy: Policy;
  readonly store: Store;
  readonly refuse: Refuse;
  readonly answer: (creation: Creation) => MockAnswer;
  readonly answerStored: (creation: Creation, text: string) => MockAnswer;
}): Inserter {
  const { keeping, policy, store, refuse, answer, answerStored } = input;
  const { key, makeKey, withMadeKey, toStored } = keeping;
  const duplicates = policy['duplicate-key'];
  const unique = policy['unique-properties'];

  function refuseClaim(claim: string): MockAnswer {
    const name = claim.slice(0, claim.indexOf('\0'));
    const reason = `The value of "${shorten(name)}" is taken: another resource has it, and it must be unique`;
    const problems = (): readonly RequestProblem[] => [
      { pointer: appendPointer('', name), reason, clause: policyClause('unique-properties', [...unique]) },
    ];
    return refuse({ condition: 'duplicate-value', message: `${reason}.`, problems });
  }

  function replace(creation: Creation): MaybePromise<MockAnswer> {
    return whenThere(store.replace(toStored(creation, toStoreKey(creation.key))), (outcome) =>
      outcome.kind === 'claim-taken' ? refuseClaim(outcome.claim) : answer(creation),
    );
  }

  function settleBeside(creation: Creation, outcome: StoreOutcome): MaybePromise<MockAnswer> {
    switch (outcome.kind) {
      case 'stored':
        return answer(creation);
      case 'claim-taken':
        return refuseClaim(outcome.claim);
      case 'key-taken':
        // Data that was brought in may have the number.
        return insertBeside(creation);
    }
  }

  /** Keeps a resource beside the one that has its key. */
  function insertBeside(creation: Creation): MaybePromise<MockAnswer> {
    return whenThere(store.nextNumber(creation.collection), (number) =>
      whenThere(store.insertIfAbsent(toStored(creation, `${valueKey(creation.key)} ${number}`)), (outcome) =>
        settleBeside(creation, outcome),
      ),
    );
  }

  function settleTaken(creation: Creation, present: string): MaybePromise<MockAnswer> {
    switch (duplicates) {
      case 'replace':
        return replace(creation);
      case 'keep-first':
        return answerStored(creation, present);
      case 'accept':
        return insertBeside(creation);
      case 'refuse':
      case 'conflict':
      case 'unprocessable': {
        const pointer = key.kind === 'none' ? undefined : appendPointer('', key.property);
        const reason = `${pointer ?? 'the key'} ${shorten(stringifyJson(creation.key))} is taken: a resource with it exists already`;
        const problems = (): readonly RequestProblem[] => [
          { pointer, reason, clause: policyClause('duplicate-key', duplicates) },
        ];
        return refuse({ condition: 'duplicate-key', message: `${reason}.`, problems });
      }
    }
  }

  function settle(creation: Creation, outcome: StoreOutcome): MaybePromise<MockAnswer> {
    switch (outcome.kind) {
      case 'stored':
        return answer(creation);
      case 'claim-taken':
        return refuseClaim(outcome.claim);
      case 'key-taken':
        // A key that the service made and that is taken all the same is passed over.
        return key.kind === 'client' ? settleTaken(creation, outcome.text) : insertMade(creation);
    }
  }

  function insert(creation: Creation): MaybePromise<MockAnswer> {
    const outcome = store.insertIfAbsent(toStored(creation, toStoreKey(creation.key)));
    return outcome instanceof Promise
      ? outcome.then((later) => settle(creation, later))
      : settle(creation, outcome);
  }

  function numbered(creation: Omit<Creation, 'key'>, number: number): Creation {
    const made = makeKey(number);
    return { ...creation, resource: withMadeKey(creation.resource, made), key: made };
  }

  function insertMade(creation: Omit<Creation, 'key'>): MaybePromise<MockAnswer> {
    let number = store.nextNumber(creation.collection);
    // Data to start from may hold thousands of keys in a row: a call for each would be too deep.
    while (!(number instanceof Promise)) {
      const attempt = numbered(creation, number);
      const outcome = store.insertIfAbsent(toStored(attempt, toStoreKey(attempt.key)));
      if (outcome instanceof Promise) return outcome.then((later) => settle(attempt, later));
      if (outcome.kind !== 'key-taken') return settle(attempt, outcome);
      number = store.nextNumber(creation.collection);
    }
    return number.then((later) => insert(numbered(creation, later)));
  }

  return { insert, insertMade };
}

/**
 * Prepares the create of a resource: it is kept under the concrete URL of its collection and its key, once,
 * and the answer is the declared success with what it shows of the resource.
 *
 * @param input.key - where the key comes from
 * @throws ClocheError SCHEMA_UNUSABLE where a schema cannot be compiled
 */
export function prepareCreate(input: {
  readonly operation: Operation;
  readonly key: ResourceKey;
  readonly policy: Policy;
  readonly reading: SchemaReading;
  readonly store: Store;
  readonly refuse: Refuse;
}): Act {
  const { operation, key, policy, refuse } = input;
  const keeping = prepareKeeping({ operation, key, policy });
  const { split, makeKey } = keeping;
  const echoes = policy.echo === 'exact';
  const showsKey = policy['response-extras'] === 'id' && key.kind === 'client';
  const writeAnswer = createAnswerWriter(input, findSuccessResponse(operation));

  /** What is left of a resource in an answer that does not echo it. */
  function madeKey(value: JsonValue): JsonObject {
    const shown: JsonObject = {};
    if (key.kind === 'server') {
      setOwn(shown, key.property, value);
    }
    return shown;
  }

  function answer({ request, resource, exact, key: value, undeclared }: Creation): MockAnswer {
    const further = echoes ? undeclared : undefined;
    const extras = showsKey ? { ...further, [key.property]: value } : further;
    return writeAnswer({ request, resource: echoes ? resource : madeKey(value), exact, key: value, extras });
  }

  function answerStored(creation: Creation, text: string): MockAnswer {
    const stored = parseJson(text);
    // What is stored is an object that was valid once.
    const isObject = stored.kind === 'json' && isJsonObject(stored.value);
    return answer(isObject ? { ...creation, ...split(stored.value), exact: stored.exact } : creation);
  }

  const { insert, insertMade } = createInserter({ ...input, keeping, answer, answerStored });

  return (request) => {
    const { content } = request;
    if (content.kind !== 'value') {
      // Nothing was read that could be kept: the answer is a sample.
      return writeAnswer({ request, resource: {}, exact: false, key: makeKey(1), extras: undefined });
    }
    const { value, exact } = content;
    if (!isJsonObject(value)) {
      const message = 'The body is not valid: the body must be an object.';
      return refuse({ condition: 'invalid-body', message });
    }
    const { resource, undeclared } = split(value);
    // A path that is percent-encoded needlessly is the same place.
    const collection = normalizePath(request.path);
    if (key.kind !== 'client') {
      return insertMade({ request, collection, resource, undeclared, text: undefined, exact });
    }
    const sent = Object.hasOwn(value, key.property) ? value[key.property] : undefined;
    if (sent === undefined) {
      const pointer = appendPointer('', key.property);
      const reason = `${pointer} is required, but missing`;
      const message = `The body is not valid: ${reason}.`;
      return refuse({ condition: 'invalid-body', message, problems: () => [{ pointer, reason }] });
    }
    const text = resource === value ? content.text : undefined;
    return insert({ request, collection, resource, undeclared, text, exact, key: sent });
  };
}
