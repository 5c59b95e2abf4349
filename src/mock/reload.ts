import type { Contract } from '../contract/contract.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { isReadable } from '../http/codecs/registry.ts';
import { addDocumentAnswers, withDocumentAnswers } from '../policy/document-answers.ts';
import { checkPolicy } from '../policy/policy-file.ts';
import { unparsedLimit } from '../policy/behaviours/body-limit.ts';
import { createPolicy, type Policy } from '../policy/policy.ts';
import type { Sampling } from './answer/sample-body.ts';
import type { CallbackSender } from './callbacks/callbacks.ts';
import type { MockClock } from './clock.ts';
import type { FaultMatcher } from './faults/fault-rules.ts';
import type { RequestLog } from './log/filter.ts';
import type { RequestLogEntry } from './log/log-line.ts';
import type { RawRequest } from './log/ring-buffer.ts';
import type { IdempotencyKeys } from './handlers/idempotency-keys.ts';
import { type ResetPart, resetParts, setAsideName } from './message.ts';
import type { RecordedExchange, Recording } from './replay/recording.ts';
import type { CorsOptions } from './request/cors.ts';
import type { AuthorizationServer } from './login/authorization-server.ts';
import { toTokens } from './request/credentials.ts';
import type { IssuedTokens } from './request/issued-tokens.ts';
import { type MockContext, type MockContextSettings, prepareMockContext } from './mock-context.ts';
import { createSampler } from './sampler.ts';
import { type CatalogueOptions, listCatalogues } from './state/catalogues.ts';
import { createCollections, keepFilled } from './state/collections.ts';
import { type GivenRows, listPaths, type MockState } from './state/rows.ts';
import type { HeldState } from './state/state.ts';
import { createShallowStore, hasShallowRoutes } from './store/shallow-store.ts';
import type { Store } from './store/store.ts';
import type { ChangeReport } from './state/migrate-state.ts';
import type { Validation } from './tolerance.ts';
import type { HandlerRegistry, Handlers } from './user-handlers/handler.ts';

/** A change of a mock. */
export interface MockChange {
  readonly contract?: Contract;
  /** The new policy, or a function of the current one, which loses no concurrent change. */
  readonly policy?: Partial<Policy> | ((given: Partial<Policy>) => Partial<Policy>);
  /** Whether reset() restores this policy. @defaultValue false */
  readonly isStart?: boolean;
  /** New initial data: changed rows are stored; rows that it lacks are removed unless a client changed them. */
  readonly data?: GivenRows;
  /** New initial handlers, which replace all others. */
  readonly handlers?: Handlers;
  /** New recorded exchanges, which replace all others. Their items are stored as at the start. */
  readonly replay?: readonly RecordedExchange[];
}

/** The options that decide how a mock answers, whatever its contract. */
export interface AnsweringOptions extends CatalogueOptions {
  readonly tokens?: readonly string[];
  readonly log?: (entry: RequestLogEntry) => void;
  readonly cors?: CorsOptions | false;
  readonly validate?: Validation;
  /** The log hides the control token, like the other tokens. */
  readonly control?: { readonly token?: string } | false;
}

/** A contract and a policy, ready for use. */
export interface Prepared {
  readonly contract: Contract;
  /** The configured policy values. */
  readonly answers: Partial<Policy>;
  /** The paths of the collections that are filled by something other than requests. */
  readonly filled: readonly string[];
  /** Prepares the recorded exchanges; undefined without any. */
  readonly prepareRecording: PrepareRecording | undefined;
  /** The mock context prepared from them. */
  readonly mockContext: MockContext;
  /** The recorded exchanges of its operations; undefined without any. */
  readonly recording: Recording | undefined;
}

type PrepareRecording = (contract: Contract, policy: Policy) => Recording;

/** Returns the function that prepares recorded exchanges. Loaded late: most mocks replay nothing. */
export async function openRecording(
  exchanges: readonly RecordedExchange[] | undefined,
): Promise<PrepareRecording | undefined> {
  if (exchanges === undefined) return undefined;
  const { prepareRecording } = await import('./replay/recording.ts');
  return (contract, policy) => prepareRecording(exchanges, contract, policy);
}

type Prepare = (input: Omit<Prepared, 'mockContext' | 'recording'>) => Prepared;

/** The parts of a mock that stay when its contract or policy changes. */
interface LastingParts extends Pick<
  MockContextSettings,
  'store' | 'keys' | 'faults' | 'handlers' | 'fallback' | 'callbacks'
> {
  readonly options: AnsweringOptions;
  readonly clock: MockClock;
  readonly sampling: Sampling;
  readonly issued: IssuedTokens;
  readonly record: (raw: RawRequest) => void;
}

/** Returns the tokens that no log may show: those of the mock and of its control interface. */
export function listSecrets({ tokens = [], control }: AnsweringOptions): readonly string[] {
  return control === false || control?.token === undefined ? tokens : [...tokens, control.token];
}

/**
 * Creates a function that prepares a contract and a policy at the start and at each change.
 *
 * @throws ClocheError OPTION_INVALID for a token that no header can carry
 */
export function createPreparer({ options, clock, issued, record, ...parts }: LastingParts): Prepare {
  const { cors = {}, log } = options;
  const { store, sampling } = parts;
  const tokens = toTokens(options.tokens);
  const secrets = listSecrets(options);
  const listed = options.tokens === undefined ? {} : ({ 'accepted-tokens': 'listed' } as const);

  let server: Promise<AuthorizationServer> | undefined;
  function loadServer(): Promise<AuthorizationServer> {
    server ??= import('./login/authorization-server.ts').then((login) =>
      login.createAuthorizationServer(issued),
    );
    return server;
  }

  return ({ contract, answers, filled, prepareRecording }) => {
    const given = createPolicy({ ...listed, ...checkPolicy(answers, contract) });
    const policy = withDocumentAnswers(given, contract);
    // OpenAPI has no keyword for a body limit, so no schema needs to be read.
    const { operations: ofOperations = {}, ...ofService } = addDocumentAnswers(given, contract);
    const takesFiles = contract.operations.some(({ requestBody }) =>
      requestBody?.media.some((each) => !isReadable(each)),
    );
    const limits = [ofService, ...Object.values(ofOperations)].map(({ 'body-limit': limit }) =>
      limit === undefined ? 0 : Math.max(limit.bytes, takesFiles ? unparsedLimit(limit) : 0),
    );
    const answering = keepFilled(contract, [...filled, ...listCatalogues(contract, policy, options)]);
    const recording = prepareRecording?.(answering, policy);
    const mockContext = prepareMockContext(answering, {
      ...parts,
      policy,
      contentLimit: Math.max(...limits),
      store: hasShallowRoutes(answering.operations)
        ? createShallowStore(store, () => answering.operations)
        : store,
      tokens,
      logins: { issued, loadServer },
      samples: createSampler(answering, sampling),
      clock: clock.now,
      date: clock.date,
      validation: options.validate,
      recording,
      cors,
      log: { record, log, clock, context: { contract, tokens: secrets } },
    });
    return { contract, answers, filled, prepareRecording, mockContext, recording };
  };
}

interface Reload {
  readonly change: (next: MockChange) => Promise<ChangeReport>;
  readonly reset: (parts?: readonly ResetPart[]) => Promise<void>;
  /**
   * The state. Restoring a snapshot keeps the resources that fit, as it may be older than the contract or the policy.
   * The others are set aside, as at a change, and replace those set aside before.
   */
  readonly state: MockState;
}

/** The parts of a mock that change, or that a reset clears. */
interface ReloadedParts {
  readonly start: Prepared;
  readonly prepare: Prepare;
  /** Replaces the mock context for the next requests. */
  readonly take: (prepared: Prepared) => void;
  readonly store: Store;
  readonly isStoreInMemory: boolean;
  readonly held: HeldState;
  /** Stores the items of a recording. */
  readonly storeRecorded: (recording: Recording | undefined) => Promise<void>;
  /** Reports the recorded exchanges that do not fit the contract. */
  readonly reportRecorded: (recording: Recording | undefined) => void;
  readonly faults: FaultMatcher;
  readonly handlers: HandlerRegistry;
  readonly requests: RequestLog;
  readonly callbacks: CallbackSender;
  readonly keys: IdempotencyKeys;
  readonly clock: MockClock;
}

/** Creates the functions that change the contract, policy or data, one change at a time, and that reset the mock. */
export function createReload(input: ReloadedParts): Reload {
  const { start, prepare, store } = input;
  const { startData } = input.held;
  const runExclusive = createMutex();
  let current = start;
  let { answers: answersAtStart, filled: filledAtStart } = start;
  /** Whether the state may hold resources that do not fit, because a change failed midway. */
  let isInDoubt = false;

  function take(prepared: Prepared): void {
    current = prepared;
    input.take(prepared);
  }

  async function refit(before: Prepared): Promise<ChangeReport> {
    const { keepWhatFits } = await import('./state/migrate-state.ts');
    try {
      const former = isInDoubt ? undefined : before.mockContext;
      const report = await keepWhatFits({ store, before: former, now: current.mockContext });
      isInDoubt = false;
      return report;
    } catch (error) {
      isInDoubt = true;
      // If the store fails midway, the mock continues with the old contract and policy.
      take(before);
      throw error;
    }
  }

  function change(next: MockChange): Promise<ChangeReport> {
    return runExclusive(async () => {
      const { data, handlers, replay, isStart = false } = next;
      const before = current;
      const now = prepareChange(before, { ...next, recording: await openRecording(replay) }, prepare);
      if (data !== undefined) {
        const { contract, policy } = now.mockContext;
        await startData.check(data, createCollections(contract, policy));
      }
      // From now on, requests follow the new rules. They add no resources that do not fit.
      take(now);
      if (next.contract !== undefined) input.keys.clear();
      const report = await refit(before);
      if (now.recording !== before.recording) await input.storeRecorded(now.recording);
      if (replay !== undefined) input.reportRecorded(now.recording);
      if (handlers !== undefined) input.handlers.replaceStart(handlers);
      if (isStart) answersAtStart = now.answers;
      if (data === undefined) return report;
      filledAtStart = listPaths(data);
      return { ...report, data: await startData.change(data) };
    });
  }

  async function reset(parts: readonly ResetPart[] = resetParts): Promise<void> {
    checkParts(parts);
    // A change takes time, so a reset between two tests avoids it if the policy is unchanged.
    const isOtherPolicy = parts.includes('policy') && current.answers !== answersAtStart;
    if (isOtherPolicy) await change({ policy: answersAtStart });
    if (parts.includes('state')) {
      // A concurrent change would restore the resources that it has read before.
      await runExclusive(async () => {
        if (current.filled !== filledAtStart) take(prepare({ ...current, filled: filledAtStart }));
        await startData.reset();
        input.keys.clear();
        await store.deleteSnapshot(setAsideName);
        await input.storeRecorded(current.recording);
      });
    }
    if (parts.includes('faults')) input.faults.reset();
    if (parts.includes('handlers')) input.handlers.reset();
    if (parts.includes('requests')) {
      input.requests.clear();
      input.callbacks.clear();
    }
    if (parts.includes('clock')) input.clock.reset();
  }

  /** Makes collections that no request can fill visible to requests, then fills them. */
  async function widen<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = current;
    const { contract } = before.mockContext;
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

/** Makes changes of the state wait for changes of the mock, and keeps only what fits of a restored snapshot. */
function guardState(
  { held: { state }, store, start, isStoreInMemory, keys }: ReloadedParts,
  reload: {
    readonly runExclusive: Exclusively;
    readonly widen: <T>(paths: readonly string[], work: () => Promise<T>) => Promise<T>;
    readonly current: () => Prepared;
  },
): MockState {
  return {
    ...state,
    // An import of many rows takes a while, and the rules must not change in the meantime.
    import: (rows, mode) =>
      reload.runExclusive(() => reload.widen(listPaths(rows), () => state.import(rows, mode))),
    put: (collection, value) => {
      const { contract } = reload.current().mockContext;
      return keepFilled(contract, [collection]) === contract
        ? state.put(collection, value)
        : reload.runExclusive(() => reload.widen([collection], () => state.put(collection, value)));
    },
    async save(name) {
      checkName('save the snapshot', name);
      await state.save(name);
    },
    async restore(name) {
      checkName('restore the snapshot', name);
      return reload.runExclusive(async () => {
        const isThere = await state.restore(name);
        if (isThere) keys.clear();
        const names = (await store.collections()).map((each) => each.name);
        await reload.widen(names, () => Promise.resolve());
        const isKnownToFit = isStoreInMemory && reload.current() === start;
        if (!isThere || isKnownToFit) return isThere;
        const { keepWhatFits } = await import('./state/migrate-state.ts');
        await store.deleteSnapshot(setAsideName);
        await keepWhatFits({ store, before: undefined, now: reload.current().mockContext });
        return isThere;
      });
    },
  };
}

/** Prepares the contract and the policy after a change. */
function prepareChange(
  before: Prepared,
  next: MockChange & { readonly recording: PrepareRecording | undefined },
  prepare: Prepare,
): Prepared {
  const { contract, policy, data, recording } = next;
  if ([contract, policy, data, recording].every((each) => each === undefined)) return before;
  const answers = typeof policy === 'function' ? policy(before.answers) : policy;
  return prepare({
    contract: contract ?? before.contract,
    answers: answers ?? before.answers,
    filled: data === undefined ? before.filled : [...before.filled, ...listPaths(data)],
    prepareRecording: recording ?? before.prepareRecording,
  });
}

type Exclusively = <T>(handle: () => Promise<T>) => Promise<T>;

/** Creates a function that runs tasks one after the other. A task that fails does not stop the next ones. */
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

/** Reports an unknown part, which would be ignored; callers in JavaScript have no compiler. */
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
 * Restores the resources that an earlier mock on the same store set aside, if they fit again. Runs before the initial
 * data is imported: changes that clients made to a row take precedence over the row.
 */
export async function bringBack(store: Store, mockContext: MockContext): Promise<void> {
  const snapshots = await store.snapshots();
  if (snapshots.some(({ name }) => name === setAsideName)) {
    const { keepWhatFits } = await import('./state/migrate-state.ts');
    await keepWhatFits({ store, before: mockContext, now: mockContext });
  }
}
