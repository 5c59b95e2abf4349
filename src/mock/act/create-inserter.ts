import type { ResourceKey } from '../../contract/operation-kind.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { Policy } from '../../policy/policy.ts';
import { valueKey } from '../../schema/value-key.ts';
import { setOwn } from '../bodies/set-own.ts';
import { shorten } from '../content/shorten.ts';
import { type MaybePromise, whenThere } from '../maybe-promise.ts';
import type { Refuse } from '../refusals/create-refuser.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';
import type { Store, StoredResource, StoreKey, StoreOutcome } from '../store/store.ts';
import { toStoreKey } from '../store/to-store-key.ts';
import type { MakeKey } from './create-key-maker.ts';
import type { Creation } from './creation.ts';

/** Brings a resource into the store, and answers. */
export interface Inserter {
  /** Under the key that the client sent. */
  readonly insert: (creation: Creation) => MaybePromise<MockAnswer>;
  /** Under the next key that the service makes. */
  readonly insertMade: (creation: Omit<Creation, 'key'>) => MaybePromise<MockAnswer>;
}

const noClaims: readonly string[] = [];

/**
 * Prepares the keeping of resources, once for each key, as the policy says.
 *
 * @param input.answer - answers a create that was kept
 * @param input.answerStored - answers with the resource that has the key already
 */
export function createInserter(input: {
  readonly key: ResourceKey;
  readonly policy: Policy;
  readonly store: Store;
  readonly refuse: Refuse;
  readonly makeKey: MakeKey;
  readonly answer: (creation: Creation) => MockAnswer;
  readonly answerStored: (creation: Creation, text: string) => MockAnswer;
}): Inserter {
  const { key, policy, store, refuse, makeKey, answer, answerStored } = input;
  const unique = policy['unique-properties'];
  const duplicates = policy['duplicate-key'];

  /** The texts that no two resources may share: a name, a NUL and the value. */
  function claimsOf(resource: JsonObject): readonly string[] {
    return unique.flatMap((name) => {
      const value = Object.hasOwn(resource, name) ? resource[name] : undefined;
      return value === undefined ? [] : [`${name}\0${valueKey(value)}`];
    });
  }

  function toStored(creation: Creation, storeKey: StoreKey): StoredResource {
    const { request, resource, text } = creation;
    return {
      collection: request.path,
      key: storeKey,
      text: text ?? stringifyJson({ ...resource, ...creation.undeclared }),
      claims: unique.length === 0 ? noClaims : claimsOf(resource),
    };
  }

  function refuseClaim(claim: string): MockAnswer {
    const name = shorten(claim.slice(0, claim.indexOf('\0')));
    const message = `The value of "${name}" is taken: another resource has it, and it must be unique.`;
    return refuse({ condition: 'duplicate-value', message });
  }

  function replace(creation: Creation): MaybePromise<MockAnswer> {
    return whenThere(store.replace(toStored(creation, toStoreKey(creation.key))), (outcome) =>
      outcome.kind === 'claim-taken' ? refuseClaim(outcome.claim) : answer(creation),
    );
  }

  /** Keeps a resource beside the one that has its key. */
  function insertBeside(creation: Creation): MaybePromise<MockAnswer> {
    return whenThere(store.nextNumber(creation.request.path), (number) =>
      whenThere(store.insertIfAbsent(toStored(creation, `${valueKey(creation.key)} ${number}`)), (outcome) =>
        outcome.kind === 'claim-taken' ? refuseClaim(outcome.claim) : answer(creation),
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
        const place = key.kind === 'none' ? 'the key' : `/${key.property}`;
        const message = `${place} ${shorten(stringifyJson(creation.key))} is taken: a resource with it exists already.`;
        return refuse({ condition: 'duplicate-key', message });
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

  return { insert, insertMade };
}
