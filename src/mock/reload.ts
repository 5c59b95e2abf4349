import type { MakeUp } from '../schema/value/sample-value.ts';
import { findSuccessResponse } from '../contract/responses.ts';
import { keptRole } from '../contract/resources.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { isReadable } from '../http/codecs/registry.ts';
import { addDocumentAnswers, withDocumentAnswers } from '../policy/document-answers.ts';
import { checkPolicy } from '../policy/policy-file.ts';
import { unparsedLimit } from '../policy/questions/body-limit.ts';
import { createPolicy, type Policy } from '../policy/policy.ts';
import type { JsonValue } from '../json/value.ts';
import { prepareSampleChoice, type SampleChoice } from './handlers/sample-choice.ts';
import type { OperationHandler } from './handlers/stored-form.ts';
import { listSentMedia, type SentMedia } from './answer/representation.ts';
import type { MockClock } from './clock.ts';
import type { FaultMatcher } from './faults/fault-rules.ts';
import { createFaultRefuser } from './faults/inject.ts';
import type { RequestLog } from './log/filter.ts';
import type { RequestLogEntry } from './log/log-line.ts';
import type { RawRequest } from './log/ring-buffer.ts';
import {
  type MaybePromise,
  type MockResponse,
  type ResetPart,
  resetParts,
  setAsideName,
  whenThere,
} from './message.ts';
import { chooseAccepted } from './request/body.ts';
import type { CorsOptions } from './request/cors.ts';
import { toTokens } from './request/credentials.ts';
import { type Basis, prepareBasis } from './basis.ts';
import { type CatalogueOptions, listCatalogues } from './state/catalogues.ts';
import { keepFilled } from './state/collections.ts';
import { type GivenRows, listPaths, type MockState } from './state/rows.ts';
import type { HeldState } from './state/state.ts';
import { createShallowStore, hasShallowRoutes } from './store/shallow-store.ts';
import type { Store } from './store/store.ts';
import type { ChangeReport } from './state/migrate-state.ts';

/** What a mock is to change to. */
export interface MockChange {
  readonly contract?: Contract;
  /** The new policy, or a function that makes it of the current one, so that no concurrent change is lost. */
  readonly policy?: Partial<Policy> | ((given: Partial<Policy>) => Partial<Policy>);
  /** Whether reset() is to come back to these answers. @defaultValue false */
  readonly isStart?: boolean;
  /** New initial data: changed rows are stored; rows that it lacks are removed unless a client changed them. */
  readonly data?: GivenRows;
}

/** What of a mock's options decides how it answers, whatever its contract. */
interface AnsweringOptions extends CatalogueOptions {
  readonly tokens?: readonly string[];
  readonly log?: (entry: RequestLogEntry) => void;
  readonly cors?: CorsOptions | false;
  readonly seed?: number;
  /** The control token is hidden in the log, as the others are. */
  readonly control?: { readonly token?: string } | false;
}

/** What a mock goes by. */
interface Prepared {
  readonly contract: Contract;
  /** The answers that were given to what it does not specify. */
  readonly answers: Partial<Policy>;
  /** The paths of collections that something else than requests fills. */
  readonly filled: readonly string[];
  /** What requests are answered by under these. */
  readonly basis: Basis;
}

type Prepare = (input: Omit<Prepared, 'basis'>) => Prepared;

/**
 * Creates what makes a contract and a policy ready to answer by, again with each change.
 *
 * @throws ClocheError OPTION_INVALID for a token that no header can carry
 */
export function createPreparer(input: {
  readonly options: AnsweringOptions;
  readonly store: Store;
  readonly faults: FaultMatcher;
  readonly clock: MockClock;
  readonly record: (raw: RawRequest) => void;
}): Prepare {
  const { options, store, faults, clock, record } = input;
  const { cors = {}, log, control } = options;
  const tokens = toTokens(options.tokens);
  const accepted = new Set(tokens);
  const secrets =
    control === false || control?.token === undefined ? [...tokens] : [...tokens, control.token];
  const listed = options.tokens === undefined ? {} : ({ 'accepted-tokens': 'listed' } as const);

  let makeUp: Promise<MakeUp> | undefined;
  /** The words are many, and most documents that are made with care need none. */
  function loadMakeUp(): Promise<MakeUp> {
    makeUp ??= import('../schema/value/words.ts').then((madeUp) => madeUp.loadMakeUp(clock.now));
    return makeUp;
  }

  const sampling = { seed: options.seed ?? 1, loadMakeUp };

  /** Answers an operation that no state can answer by a sample, made when it is first asked for. */
  function createSampler(contract: Contract): Pick<ReadonlyMap<Operation, OperationHandler>, 'get'> {
    const refuse = createFaultRefuser(contract);

    async function make(operation: Operation, sent: SentMedia | undefined): Promise<MockResponse> {
      const { makeSample } = await import('./handlers/samples.ts');
      return makeSample({ operation, sent, sampling, refuse });
    }

    return {
      get(operation) {
        if (keptRole(operation) !== undefined) return undefined;
        const media = listSentMedia(findSuccessResponse(operation)?.media ?? []);
        const types = media.map(({ contentType }) => contentType);
        const answers = new Map<string, MaybePromise<MockResponse>>();
        const choices: SampleChoice[] = [];
        return (request) => {
          const at = types.length < 2 ? 0 : chooseAccepted(request.head.header('accept') ?? '*/*', types);
          const sent = media[at];
          const choice = (choices[at] ??= prepareSampleChoice(operation, sent?.media, contract.root));
          const example = choice.choose(request);
          const name = `${at} ${example?.name ?? ''}`;
          const made =
            answers.get(name) ??
            make(operation, sent && example ? showFirst(sent, example.value) : sent).then((answer) => {
              answers.set(name, answer);
              return answer;
            });
          answers.set(name, made);
          return whenThere(made, (answer) => choice.withId(answer, request));
        };
      },
    };
  }

  return ({ contract, answers, filled }) => {
    const given = createPolicy({ ...listed, ...checkPolicy(answers, contract) });
    const policy = withDocumentAnswers(given, contract);
    // OpenAPI has no words for it, so that no schema need be read.
    const { operations: ofOperations = {}, ...ofService } = addDocumentAnswers(given, contract);
    const takesFiles = contract.operations.some(({ requestBody }) =>
      requestBody?.media.some((each) => !isReadable(each)),
    );
    const limits = [ofService, ...Object.values(ofOperations)].map(({ 'body-limit': limit }) =>
      limit === undefined ? 0 : Math.max(limit.bytes, takesFiles ? unparsedLimit(limit) : 0),
    );
    const answering = keepFilled(contract, [...filled, ...listCatalogues(contract, policy, options)]);
    const basis = prepareBasis(answering, {
      policy,
      contentLimit: Math.max(...limits),
      store: hasShallowRoutes(answering.operations)
        ? createShallowStore(store, () => answering.operations)
        : store,
      tokens: accepted,
      samples: createSampler(answering),
      sampling,
      clock: clock.now,
      date: clock.date,
      faults,
      cors,
      log: { record, log, clock, context: { contract, tokens: secrets } },
    });
    return { contract, answers, filled, basis };
  };
}

/** A media type whose first example is this one. */
function showFirst(sent: SentMedia, example: JsonValue): SentMedia {
  return { ...sent, media: { ...sent.media, examples: [example, ...sent.media.examples] } };
}

interface Reload {
  readonly change: (next: MockChange) => Promise<ChangeReport>;
  readonly reset: (parts?: readonly ResetPart[]) => Promise<void>;
  /**
   * The state, whose snapshots come back as far as they fit: they may be older than the contract or the policy. What does
   * not fit is set aside, as at a change, in place of what was set aside before.
   */
  readonly state: MockState;
}

/** The parts of a mock that change, or that a reset clears. */
interface ReloadedParts {
  readonly start: Prepared;
  readonly prepare: Prepare;
  /** Has requests answered by something else from now on. */
  readonly take: (prepared: Prepared) => void;
  readonly store: Store;
  readonly isStoreInMemory: boolean;
  readonly held: HeldState;
  readonly faults: FaultMatcher;
  readonly requests: RequestLog;
  readonly clock: MockClock;
}

/** Creates the functions that change the contract, policy or data, one change at a time, and that reset the mock. */
export function createReload(input: ReloadedParts): Reload {
  const { start, prepare, store, held } = input;
  const runExclusive = createMutex();
  let current = start;
  let { answers: answersAtStart, filled: filledAtStart } = start;
  /** Whether the state may hold what does not fit, as a change was broken off. */
  let isInDoubt = false;

  function take(prepared: Prepared): void {
    current = prepared;
    input.take(prepared);
  }

  async function refit(before: Prepared): Promise<ChangeReport> {
    const { keepWhatFits } = await import('./state/migrate-state.ts');
    try {
      const former = isInDoubt ? undefined : before.basis;
      const report = await keepWhatFits({ store, before: former, now: current.basis });
      isInDoubt = false;
      return report;
    } catch (error) {
      isInDoubt = true;
      // Where the store fails on the way, the mock goes on as it was.
      take(before);
      throw error;
    }
  }

  function change(next: MockChange): Promise<ChangeReport> {
    return runExclusive(async () => {
      const { data, isStart = false } = next;
      const before = current;
      const now = prepareChange(before, next, prepare);
      if (data !== undefined) await held.check(data, now.basis);
      // Requests come in by the new rules from now on, so that nothing is added that would not fit.
      take(now);
      const report = await refit(before);
      if (isStart) answersAtStart = now.answers;
      if (data === undefined) return report;
      filledAtStart = listPaths(data);
      return { ...report, data: await held.change(data) };
    });
  }

  async function reset(parts: readonly ResetPart[] = resetParts): Promise<void> {
    checkParts(parts);
    // A change takes time, and a reset between two tests shall take none.
    const isOtherPolicy = parts.includes('policy') && current.answers !== answersAtStart;
    if (isOtherPolicy) await change({ policy: answersAtStart });
    if (parts.includes('state')) {
      // A change on its way would bring back what it has seen before.
      await runExclusive(async () => {
        if (current.filled !== filledAtStart) take(prepare({ ...current, filled: filledAtStart }));
        await held.reset();
        await store.deleteSnapshot(setAsideName);
      });
    }
    if (parts.includes('faults')) input.faults.reset();
    if (parts.includes('requests')) input.requests.clear();
    if (parts.includes('clock')) input.clock.reset();
  }

  /** Has requests see collections that no request can fill, before something else fills them. */
  async function widen<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = current;
    const { contract } = before.basis;
    if (keepFilled(contract, paths) === contract) return work();
    take(prepare({ ...before, filled: [...before.filled, ...paths] }));
    try {
      return await work();
    } catch (error) {
      take(before);
      throw error;
    }
  }

  return { change, reset, state: guardState(input, { runExclusive, widen, current: () => current }) };
}

/** Has changes of a state wait for changes of the mock, and what a snapshot restores fit. */
function guardState(
  { held: { state }, store, start, isStoreInMemory }: ReloadedParts,
  reload: {
    readonly runExclusive: Exclusively;
    readonly widen: <T>(paths: readonly string[], work: () => Promise<T>) => Promise<T>;
    readonly current: () => Prepared;
  },
): MockState {
  return {
    ...state,
    // It takes a while where rows are many, and is not to come in by rules that have changed meanwhile.
    import: (rows, mode) =>
      reload.runExclusive(() => reload.widen(listPaths(rows), () => state.import(rows, mode))),
    put: (collection, value) => {
      const { contract } = reload.current().basis;
      return keepFilled(contract, [collection]) === contract
        ? state.put(collection, value)
        : reload.runExclusive(() => reload.widen([collection], () => state.put(collection, value)));
    },
    async save(name) {
      checkName('keep a snapshot as', name);
      await state.save(name);
    },
    async restore(name) {
      checkName('restore the snapshot', name);
      return reload.runExclusive(async () => {
        const isThere = await state.restore(name);
        const names = (await store.collections()).map((each) => each.name);
        await reload.widen(names, () => Promise.resolve());
        const isKnownToFit = isStoreInMemory && reload.current() === start;
        if (!isThere || isKnownToFit) return isThere;
        const { keepWhatFits } = await import('./state/migrate-state.ts');
        await store.deleteSnapshot(setAsideName);
        await keepWhatFits({ store, before: undefined, now: reload.current().basis });
        return isThere;
      });
    },
  };
}

/** Prepares what a mock goes by after a change. */
function prepareChange(before: Prepared, { contract, policy, data }: MockChange, prepare: Prepare): Prepared {
  if (contract === undefined && policy === undefined && data === undefined) return before;
  const answers = typeof policy === 'function' ? policy(before.answers) : policy;
  return prepare({
    contract: contract ?? before.contract,
    answers: answers ?? before.answers,
    filled: data === undefined ? before.filled : [...before.filled, ...listPaths(data)],
  });
}

type Exclusively = <T>(handle: () => Promise<T>) => Promise<T>;

/** Creates a function that does one thing after the other, each when those before it have ended, however they ended. */
function createMutex(): Exclusively {
  let last: Promise<unknown> = Promise.resolve();
  return (handle) => {
    const done = last.then(handle, handle);
    last = done.catch(() => undefined);
    return done;
  };
}

function checkName(attempt: string, name: string): void {
  if (name === setAsideName) {
    throw new ClocheError('OPTION_INVALID', {
      attempt,
      subject: name,
      reason: 'it holds what does not fit the contract, which comes back by itself as soon as it fits',
      remedy: 'Choose another name',
    });
  }
}

/** Who writes JavaScript has no compiler that tells of a part that would be passed over. */
function checkParts(parts: unknown): void {
  const known: readonly unknown[] = resetParts;
  const listed: readonly unknown[] | undefined = Array.isArray(parts) ? parts : undefined;
  const wrong = listed === undefined ? parts : listed.find((part) => !known.includes(part));
  if (wrong !== undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'reset the part',
      subject: typeof wrong === 'string' ? wrong : typeof wrong,
      reason: listed === undefined ? 'it is no list of parts' : 'a mock has no such part',
      remedy: `Give a list of ${resetParts.join(', ')}, or nothing for all`,
    });
  }
}

/**
 * Brings back, as a mock starts on a store that outlives it, what a mock before it set aside and what fits again. It
 * comes before the data to start from: what clients made of a row counts for more than the row.
 */
export async function bringBack(store: Store, basis: Basis): Promise<void> {
  const snapshots = await store.snapshots();
  if (snapshots.some(({ name }) => name === setAsideName)) {
    const { keepWhatFits } = await import('./state/migrate-state.ts');
    await keepWhatFits({ store, before: basis, now: basis });
  }
}
