import { appendPointer } from '../../json/json-pointer.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { Policy } from '../../policy/policy.ts';
import { valueKey } from '../../schema/value-key.ts';
import { policyClause } from '../content/policy-clause.ts';
import { shorten } from '../content/shorten.ts';
import type { RequestProblem } from '../log/logged-request.ts';
import { type MaybePromise, whenThere } from '../maybe-promise.ts';
import type { Refuse } from '../refusals/create-refuser.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';
import type { Store, StoreOutcome } from '../store/store.ts';
import { toStoreKey } from '../store/to-store-key.ts';
import type { Creation } from './creation.ts';
import type { Keeping } from './prepare-keeping.ts';

/** Brings a resource into the store, and answers. */
export interface Inserter {
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
export function createInserter(input: {
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
      if (outcome instanceof Promise) {
        return outcome.then((later) => settle(attempt, later));
      }
      if (outcome.kind !== 'key-taken') {
        return settle(attempt, outcome);
      }
      number = store.nextNumber(creation.collection);
    }
    return number.then((later) => insert(numbered(creation, later)));
  }

  return { insert, insertMade };
}
