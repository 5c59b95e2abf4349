import { escapeLine } from '../errors/console-text.ts';
import type { Contract } from '../contract/contract.ts';
import { checkMockOptions } from './check-mock-options.ts';
import { createMockClock } from './clock/create-mock-clock.ts';
import { openControl } from './control/open-control.ts';
import { createFaultRules } from './faults/create-fault-rules.ts';
import { bringBack } from './live/bring-back.ts';
import { createChange } from './live/create-change.ts';
import { createLiveResponder } from './live/create-live-responder.ts';
import { createPreparer } from './live/create-preparer.ts';
import { createReset } from './live/create-reset.ts';
import { createTurns } from './live/create-turns.ts';
import { withFittingSnapshots } from './live/with-fitting-snapshots.ts';
import { createRequestLog } from './log/create-request-log.ts';
import { toLogBytes } from './log/to-log-bytes.ts';
import type { Mock } from './mock.ts';
import type { MockOptions } from './mock-options.ts';
import { createEntrances } from './platform/create-entrances.ts';
import type { MockPlatform } from './platform/mock-platform.ts';
import { holdState } from './state/hold-state.ts';
import { chooseStore } from './store/choose-store.ts';
import type { OpenedStore } from './store/opened-store.ts';

/** What a mock is made of. */
export interface MockParts {
  readonly contract: Contract;
  readonly options: MockOptions;
  readonly platform: MockPlatform;
}

async function putTogether(
  { contract: first, options, platform }: MockParts,
  { store, close: closeStore, ...place }: OpenedStore,
): Promise<Mock> {
  const clock = createMockClock(options.clock ?? (() => Date.now()));
  let { operations } = first;
  const requests = createRequestLog(toLogBytes(options.logBytes), () => operations);
  const faults = createFaultRules({
    seed: options.seed ?? 1,
    operations: () => operations,
    rules: options.faults ?? [],
  });
  const { record } = requests;
  const prepare = createPreparer({ options, platform, store, faults, clock, record });
  let answersAtStart = options.policy ?? {};
  const atStart = await prepare(first, answersAtStart);
  let current = atStart;
  const startedAt = clock.now();
  const mounted = openControl({
    options: options.control ?? {},
    inspector: options.inspector,
    context: async () => ({
      mock,
      facts: {
        version: await platform.readVersion(),
        startedAt,
        store: place.kind,
        givenPolicy: () => current.answers,
        hasTokens: (options.tokens ?? []).length > 0,
      },
    }),
  });
  const live = createLiveResponder(current.responder, mounted);
  const entrances = createEntrances(platform, live.responder);
  const held = holdState({
    store,
    basis: () => current.basis,
    start: options,
  });
  if (place.kind !== 'memory') {
    await bringBack({ store, basis: current.basis });
  }
  await held.begin();
  const inTurn = createTurns();
  const change = createChange({
    store,
    held,
    prepare,
    inTurn,
    current: () => current,
    take(prepared, { isStart }) {
      current = prepared;
      ({ operations } = prepared.contract);
      live.change(prepared.responder);
      answersAtStart = isStart ? prepared.answers : answersAtStart;
    },
  });
  let closed: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    await entrances.close();
    requests.close();
    await closeStore();
  }
  const mock: Mock = {
    get contract() {
      return current.contract;
    },
    get policy() {
      return current.policy;
    },
    notices: [],
    store: place,
    clock,
    state: withFittingSnapshots({
      state: held.state,
      store,
      inTurn,
      basis: () => current.basis,
      isKnownToFit: () => place.kind === 'memory' && current === atStart,
    }),
    get dataReport() {
      return held.report();
    },
    requests: requests.log,
    faults,
    fetch: entrances.fetch,
    send: entrances.send,
    listen: entrances.listen,
    dispatcher: entrances.dispatcher,
    close() {
      closed ??= closeAll();
      return closed;
    },
    [Symbol.asyncDispose]: () => mock.close(),
    change,
    reset: createReset({
      store,
      held,
      inTurn,
      faults,
      requests: requests.log,
      clock,
      async resetPolicy() {
        // A change takes time, and a reset between two tests shall take none.
        if (current.answers !== answersAtStart) {
          await change({ policy: answersAtStart });
        }
      },
    }),
  };
  return mock;
}

/**
 * Puts a mock together of parts that run anywhere, and those of where it runs.
 *
 * @throws ClocheError where an option, the policy, a token, the data or the store cannot be used
 */
export async function composeMock(parts: MockParts): Promise<Mock> {
  checkMockOptions(parts.options);
  const opened = await chooseStore({
    store: parts.options.store,
    title: parts.contract.title,
    platform: parts.platform,
    // oxlint-disable-next-line no-console -- whoever runs the mock and asks for no more is to know
    tell: parts.options.warn ?? ((sentence) => console.warn(escapeLine(sentence))),
  });
  try {
    return await putTogether(parts, opened);
  } catch (error) {
    // Its connection would keep the process.
    await opened.close();
    throw error;
  }
}
