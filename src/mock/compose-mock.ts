import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { createPolicy, type Policy } from '../policy/policy.ts';
import { checkPolicy } from '../policy/check-policy.ts';
import { withDocumentAnswers } from '../policy/with-document-answers.ts';
import type { Act } from './act/act.ts';
import type { Mock } from './mock.ts';
import type { MockOptions } from './mock-options.ts';
import { openControl } from './control/open-control.ts';
import { resetParts } from './control/reset-part.ts';
import { createMockClock } from './clock/create-mock-clock.ts';
import { createLiveResponder } from './live/create-live-responder.ts';
import { createTurns } from './live/create-turns.ts';
import { setAsideName } from './live/set-aside-name.ts';
import { createFaultRules } from './faults/create-fault-rules.ts';
import type { MockPlatform } from './platform/mock-platform.ts';
import { exemplifyPatterns } from './samples/exemplify-patterns.ts';
import { createResponder } from './steps/create-responder.ts';
import { createRequestLog } from './log/create-request-log.ts';
import { toLogBytes } from './log/to-log-bytes.ts';
import type { Responder } from './steps/responder.ts';
import { logAnswers } from './steps/log-answers.ts';
import { holdState } from './state/hold-state.ts';
import { chooseStore } from './store/choose-store.ts';
import type { OpenedStore } from './store/opened-store.ts';
import { createFetch } from './transport/create-fetch.ts';
import { createSend } from './transport/create-send.ts';

/** What a contract and a policy come to. */
interface Prepared {
  readonly contract: Contract;
  readonly policy: Policy;
  /** Those that were given. */
  readonly answers: Partial<Policy> | undefined;
  /** What answers are made by: the contract has an example more, maybe. */
  readonly basis: { readonly contract: Contract; readonly policy: Policy };
  readonly responder: Responder;
}

function toPolicy(
  policy: Partial<Policy> = {},
  tokens: readonly string[] | undefined,
  contract: Contract,
): Policy {
  const listed = tokens === undefined ? {} : ({ 'accepted-tokens': 'listed' } as const);
  const given = createPolicy({ ...listed, ...checkPolicy(policy, contract) });
  return withDocumentAnswers(given, contract);
}

function toTokens(tokens: readonly string[] = []): ReadonlySet<string> {
  const position = tokens.findIndex((token) => token === '' || /^[ \t]|[ \t]$|[\r\n\0]/u.test(token));
  if (position !== -1) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'use as a token',
      // The token itself is a secret.
      subject: `tokens[${position}]`,
      reason: 'no header can carry an empty token, or one with white space at its ends or a line break in it',
      remedy: 'Pass the token alone, without "Bearer"',
    });
  }
  return new Set(tokens);
}

async function toSamples(contract: Contract, platform: MockPlatform): Promise<ReadonlyMap<Operation, Act>> {
  if (contract.operations.every(({ kind }) => kind.kind !== 'sample')) {
    return new Map();
  }
  const { makeSamples } = await import('./samples/make-samples.ts');
  return makeSamples(contract, await platform.createSampler(contract));
}

/** What a mock is made of. */
export interface MockParts {
  readonly contract: Contract;
  readonly options: MockOptions;
  readonly platform: MockPlatform;
}

/**
 * Puts a mock together of parts that run anywhere, and those of where it runs.
 *
 * @throws ClocheError where the policy, a token, the data or the store cannot be used
 */
export async function composeMock(parts: MockParts): Promise<Mock> {
  const opened = await chooseStore({
    store: parts.options.store,
    title: parts.contract.title,
    platform: parts.platform,
    // oxlint-disable-next-line no-console -- whoever runs the mock and asks for no more is to know
    tell: parts.options.tell ?? ((sentence) => console.warn(sentence)),
  });
  try {
    return await putTogether(parts, opened);
  } catch (error) {
    // Its connection would keep the process.
    await opened.close();
    throw error;
  }
}

async function putTogether(
  { contract: first, options, platform }: MockParts,
  { store, close: closeStore, ...place }: OpenedStore,
): Promise<Mock> {
  const tokens = toTokens(options.tokens);
  const clock = createMockClock(options.clock ?? Date.now);
  const requests = createRequestLog(toLogBytes(options.logBytes));

  const { token: controlToken } =
    options.control === undefined || options.control === false ? {} : options.control;
  const secrets = [...(options.tokens ?? []), ...(controlToken === undefined ? [] : [controlToken])];
  let { operations } = first;
  const faults = createFaultRules({
    seed: options.seed ?? 1,
    operations: () => operations,
    rules: options.faults ?? [],
  });

  async function prepare(contract: Contract, answers: Partial<Policy> | undefined): Promise<Prepared> {
    const policy = toPolicy(answers, options.tokens, contract);
    const answering = await exemplifyPatterns(contract);
    const responder = createResponder(answering, {
      policy,
      store,
      tokens,
      operations: answering.operations,
      samples: await toSamples(answering, platform),
      faults,
      cors: options.cors ?? {},
      clock: clock.now,
      timer: () => performance.now(),
    });
    return {
      contract,
      policy,
      answers,
      basis: { contract: answering, policy },
      responder: logAnswers(responder, {
        record: requests.record,
        log: options.log,
        clock: clock.now,
        context: { contract, tokens: secrets },
      }),
    };
  }

  let answersAtStart = options.policy ?? {};
  let current = await prepare(first, answersAtStart);
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
        givenPolicy: () => current.answers ?? {},
      },
    }),
  });
  const { responder, change } = createLiveResponder(current.responder, mounted);
  const inTurn = createTurns();
  const held = holdState({
    store,
    isShared: place.kind !== 'memory',
    basis: () => current.basis,
    start: options,
  });
  try {
    await held.begin();
  } catch (error) {
    await closeStore();
    throw error;
  }
  const opened = new Set<{ readonly close: () => Promise<void> }>();
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
    state: held.state,
    get data() {
      return held.report();
    },
    requests: requests.log,
    faults,
    fetch: createFetch(responder),
    send: createSend(responder),
    async listen(where) {
      const listener = await platform.listen(responder, where);
      opened.add(listener);
      return listener;
    },
    async dispatcher(which) {
      const dispatcher = await platform.createDispatcher(responder, which);
      opened.add({ close: () => dispatcher.destroy() });
      return dispatcher;
    },
    async close() {
      await Promise.all([...opened].map((each) => each.close()));
      requests.close();
      await closeStore();
    },
    change: (next) =>
      inTurn(async () => {
        const before = current;
        const isOther = next.contract !== undefined || next.policy !== undefined;
        const now = isOther
          ? await prepare(next.contract ?? before.contract, next.policy ?? before.answers)
          : before;
        if (next.data !== undefined) {
          await held.check(next.data, now.basis);
        }
        if (now !== before) {
          current = now;
          ({ operations } = now.contract);
          change(now.responder);
        }
        if (next.isStart === true) {
          answersAtStart = current.answers ?? {};
        }
        // Requests come in by the new rules from now on, so that nothing is added that would not fit.
        const { keepWhatFits } = await import('./live/keep-what-fits.ts');
        const report = await keepWhatFits({ store, before: before.basis, now: current.basis });
        return next.data === undefined ? report : { ...report, data: await held.change(next.data) };
      }),
    async reset(parts = resetParts) {
      // A change takes time, and a reset between two tests shall take none.
      if (parts.includes('policy') && current.answers !== answersAtStart) {
        await mock.change({ policy: answersAtStart });
      }
      if (parts.includes('state')) {
        await held.reset();
        await store.deleteSnapshot(setAsideName);
      }
      if (parts.includes('faults')) {
        faults.reset();
      }
      if (parts.includes('requests')) {
        requests.log.clear();
      }
      if (parts.includes('clock')) {
        clock.reset();
      }
    },
  };
  return mock;
}
