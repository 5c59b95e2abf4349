import type { Contract, Operation } from '../contract/contract.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { escapeLine } from '../errors/console-text.ts';
import type { DispatcherOptions, HttpDispatcher } from '../http/dispatcher.ts';
import type { DeliverCallback } from './callbacks/callback.ts';
import { CallbackSender } from './callbacks/callbacks.ts';
import { createDelays, createMockClock, type MockClock } from './clock.ts';
import { openControl } from './control/control.ts';
import { controlPrefix } from './control/operation.ts';
import { FaultMatcher } from './faults/fault-rules.ts';
import { IdempotencyKeys } from './handlers/idempotency-keys.ts';
import { createFetch, createSend } from './in-process.ts';
import { createRequestLog, toLogBytes } from './log/request-log.ts';
import type { Fallback } from './message.ts';
import { checkMockOptions, type Listener, type ListenOptions, type Mock, type MockOptions } from './mock.ts';
import {
  bringBack,
  createPreparer,
  createReload,
  listSecrets,
  openRecording,
  type Prepared,
} from './reload.ts';
import type { Recording } from './replay/recording.ts';
import { createResponder, type Responder } from './responder.ts';
import { createSampling } from './sampler.ts';
import { listPaths, type MockState } from './state/rows.ts';
import { IssuedTokens } from './request/issued-tokens.ts';
import { holdState } from './state/state.ts';
import { type OuterStoreUrl, parseStoreUrl } from './store/driver.ts';
import { createMemoryStore } from './store/memory-store.ts';
import { HandlerRegistry } from './user-handlers/handler.ts';
import { type OpenedStore, type Store, sumCounts } from './store/store.ts';

/** Functions that depend on the platform, Node or a browser. The rest of the mock runs on both. */
export interface MockPlatform {
  readonly readVersion: () => Promise<string>;
  /**
   * Opens a store that outlives the mock.
   *
   * @param tell - receives a sentence when the store becomes unavailable, and when it is available again
   * @throws ClocheError STORE_UNUSABLE if it cannot be opened
   */
  readonly openStore: (url: OuterStoreUrl, tell: (sentence: string) => void) => Promise<OpenedStore>;
  /**
   * Serves the mock over HTTP.
   *
   * @param shared - the parts of the mock that other processes follow if they answer for it
   * @throws ClocheError PORT_UNAVAILABLE if it cannot listen on the port
   */
  readonly listen: (
    responder: Responder,
    where: ListenOptions | undefined,
    shared: SharedParts,
  ) => Promise<Listener>;
  /**
   * Creates the dispatcher through which `fetch` reaches the mock.
   *
   * @throws ClocheError OPTION_INVALID for an invalid origin
   */
  readonly createDispatcher: (responder: Responder, which?: DispatcherOptions) => Promise<HttpDispatcher>;
  /**
   * Opens the service that answers what the mock does not; undefined in a browser.
   *
   * @throws ClocheError OPTION_INVALID for an invalid URL
   */
  readonly openFallback?: (url: string) => Promise<Fallback>;
  /** Sends a callback; undefined in a browser. */
  readonly deliverCallback?: DeliverCallback;
}

/** The parts of a mock that other processes follow if they answer for it. */
export interface SharedParts {
  readonly options: MockOptions;
  readonly prepared: () => Prepared;
  readonly clock: MockClock;
  readonly faults: FaultMatcher;
  readonly handlers: HandlerRegistry;
  readonly issued: IssuedTokens;
}

interface Transports extends Pick<Mock, 'fetch' | 'send' | 'listen' | 'dispatcher'> {
  /** Closes everything that was opened. Delayed responses are sent immediately; later calls are rejected. */
  readonly close: () => Promise<void>;
}

function refuseClosed(name: string): Promise<never> {
  return Promise.reject(
    new ClocheError('MOCK_CLOSED', {
      attempt: 'call',
      subject: name,
      reason: 'the mock is closed',
      remedy: 'Create another, or close it when it is no longer needed',
    }),
  );
}

function createTransports(platform: MockPlatform, responder: Responder, shared: SharedParts): Transports {
  const opened = new Set<{ readonly close: () => Promise<void> }>();
  const delays = createDelays();
  const fetch = createFetch(responder, delays);
  const send = createSend(responder, delays);
  let isClosed = false;

  /** Registers an opened transport for closing. If the mock was closed in the meantime, closes it immediately. */
  async function keep<T>(made: T, name: string, close: () => Promise<void>): Promise<T> {
    if (isClosed) {
      await close();
      return refuseClosed(name);
    }
    opened.add({ close });
    return made;
  }

  return {
    fetch: (input, init) => (isClosed ? refuseClosed('fetch') : fetch(input, init)),
    send: (request, options) => (isClosed ? refuseClosed('send') : send(request, options)),
    async listen(where) {
      if (isClosed) return refuseClosed('listen');
      const listener = await platform.listen(responder, where, shared);
      return keep(listener, 'listen', () => listener.close());
    },
    async dispatcher(which) {
      if (isClosed) return refuseClosed('dispatcher');
      const dispatcher = await platform.createDispatcher(responder, which);
      return keep(dispatcher, 'dispatcher', () => dispatcher.destroy());
    },
    async close() {
      isClosed = true;
      delays.endAll();
      await Promise.all([...opened].map((each) => each.close()));
    },
  };
}

/** Shows a warning; without the option `warn`, the user still has to see it. */
function warnOnConsole(sentence: string): void {
  // oxlint-disable-next-line no-console -- there is no other place for it
  console.warn(escapeLine(sentence));
}

/** Opens the store for the state of a mock. A store that the caller passed in is closed by the caller. */
async function chooseStore({ contract, options, platform }: MockParts): Promise<OpenedStore> {
  const { store = 'memory:', warn = warnOnConsole } = options;
  if (typeof store !== 'string') {
    const found = sumCounts(await store.collections());
    return { kind: 'own', place: 'a store of its own', found, store, close: () => Promise.resolve() };
  }
  const url = parseStoreUrl(store, contract.title);
  if (url.kind !== 'memory') {
    return platform.openStore(url, warn);
  }
  const memory = createMemoryStore();
  return { ...url, found: 0, store: memory, close: async () => memory.close() };
}

interface MockParts {
  readonly contract: Contract;
  readonly options: MockOptions;
  readonly platform: MockPlatform;
}

/** Lists the collections that are filled by something other than requests: the store and the initial data. */
async function listFilled(store: Store, { data }: MockOptions): Promise<readonly string[]> {
  const found = (await store.collections()).map(({ name }) => name);
  return [...found, ...(data === undefined || data === 'none' ? [] : listPaths(data))];
}

/**
 * Opens the parts of a mock that stay when its contract changes. Errors in options are reported in the order of the parts.
 *
 * @param now.contract - returns the current contract
 * @param now.state - returns the state, which does not exist yet
 */
async function openParts(
  { options, platform }: MockParts,
  store: Store,
  now: { readonly contract: () => Contract; readonly state: () => MockState },
) {
  const { seed = 1 } = options;
  const operations = (): readonly Operation[] => now.contract().operations;
  const clock = createMockClock(options.clock);
  const requests = createRequestLog(toLogBytes(options.logBytes), operations);
  const faults = new FaultMatcher({ seed, operations, rules: options.faults ?? [] });
  const handlers = new HandlerRegistry({ operations, tools: () => ({ state: now.state(), clock, seed }) });
  handlers.replaceStart(options.handlers ?? {});
  const fallback =
    options.fallback === undefined ? undefined : await platform.openFallback?.(options.fallback);
  const sampling = createSampling(seed, clock);
  const callbacks = new CallbackSender({
    mode: options.callbacks ?? 'off',
    contract: now.contract,
    clock,
    sampling,
    controlPrefix,
    secrets: listSecrets(options),
    deliver: platform.deliverCallback,
    log: options.logCallback,
  });
  const issued = new IssuedTokens(clock.now);
  const keys = new IdempotencyKeys();
  return { options, store, clock, requests, faults, handlers, fallback, sampling, callbacks, issued, keys };
}

async function putTogether(input: MockParts, opened: OpenedStore): Promise<Mock> {
  const { contract, options, platform } = input;
  const { store, close: closeStore, ...place } = opened;
  let contractNow = contract;
  const parts = await openParts(input, store, { contract: () => contractNow, state: () => mock.state });
  const { clock, faults, handlers, callbacks, issued, requests } = parts;
  const prepare = createPreparer({ ...parts, record: requests.record });
  const filled = await listFilled(store, options);
  const prepareRecording = await openRecording(options.replay);
  const start = prepare({ contract, answers: options.policy ?? {}, filled, prepareRecording });
  let current = start;
  const facts = { startedAt: clock.now(), store: place.kind, issued, givenPolicy: () => current.answers };
  const mounted = openControl({
    options: options.control ?? {},
    inspector: options.inspector,
    // The version is read when it is requested.
    context: async () => {
      const hasTokens = (options.tokens ?? []).length > 0;
      const sendsCallbacks = (options.callbacks ?? 'off') !== 'off';
      return { mock, facts: { ...facts, version: await platform.readVersion(), hasTokens, sendsCallbacks } };
    },
  });
  const responder = createResponder(start.mockContext, mounted);
  const shared = { ...parts, prepared: () => current };
  const { close: closeTransports, ...transports } = createTransports(platform, responder, shared);
  const held = holdState({ store, mockContext: () => current.mockContext, start: options, clock: clock.now });
  if (place.kind !== 'memory') await bringBack(store, start.mockContext);
  await held.startData.begin();
  const storeRecorded = async (recording: Recording | undefined): Promise<void> =>
    recording?.storeItems(held.state, place.kind === 'memory' && options.data === undefined);
  await storeRecorded(start.recording);
  const reportRecorded = (recording: Recording | undefined): void =>
    recording?.report().forEach(options.warn ?? warnOnConsole);
  reportRecorded(start.recording);
  const { change, reset, state } = createReload({
    ...parts,
    start,
    prepare,
    take(prepared) {
      current = prepared;
      contractNow = prepared.contract;
      responder.change(prepared.mockContext);
    },
    isStoreInMemory: place.kind === 'memory',
    held,
    storeRecorded,
    reportRecorded,
    requests: requests.log,
  });
  let closed: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    callbacks.close();
    await closeTransports();
    await parts.fallback?.close();
    requests.close();
    await closeStore();
  }
  const mock: Mock = {
    get contract() {
      return current.contract;
    },
    get policy() {
      return current.mockContext.policy;
    },
    notices: [],
    store: place,
    clock,
    state,
    get dataReport() {
      return held.startData.report;
    },
    requests: requests.log,
    callbacks,
    faults,
    answer: (operation, answer) => handlers.set(operation, answer),
    ...transports,
    close() {
      closed ??= closeAll();
      return closed;
    },
    [Symbol.asyncDispose]: () => mock.close(),
    change,
    reset,
  };
  return mock;
}

/**
 * Creates a mock from platform-independent parts and those of a platform.
 *
 * @throws ClocheError if an option, the policy, a token, the data or the store cannot be used
 */
export async function composeMock(parts: MockParts): Promise<Mock> {
  checkMockOptions(parts.options);
  const opened = await chooseStore(parts);
  try {
    return await putTogether(parts, opened);
  } catch (error) {
    // An open connection would keep the process alive.
    await opened.close();
    throw error;
  }
}
