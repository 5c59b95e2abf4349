import type { Contract, Operation } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { withDocumentAnswers } from '../../policy/document-answers.ts';
import { checkPolicy } from '../../policy/policy-file.ts';
import { createPolicy, type Policy } from '../../policy/policy.ts';
import type { Sampler } from '../act/samples.ts';
import type { Act } from '../act/stored-form.ts';
import { exemplifyPatterns } from '../answer/patterns.ts';
import type { MockClock } from '../clock.ts';
import type { FaultBook } from '../faults/fault-rules.ts';
import type { FaultRules } from '../faults/fault.ts';
import type { RequestLog } from '../log/filter.ts';
import type { RequestLogEntry } from '../log/log-line.ts';
import type { RawRequest } from '../log/ring-buffer.ts';
import { type Mounted, type ResetPart, resetParts } from '../message.ts';
import type { CorsOptions } from '../request/cors.ts';
import { toTokens } from '../request/credentials.ts';
import { createResponder, logAnswers, type Responder } from '../responder.ts';
import type { GivenRows } from '../state/collections.ts';
import type { HeldState } from '../state/state.ts';
import type { Store } from '../store/store.ts';
import { type ChangeReport, type Prepared, setAsideName, type Turns } from './migrate-state.ts';

/** What a mock is to change to. */
export interface MockChange {
  readonly contract?: Contract;
  /**
   * Answers in place of all those that the mock was given, or what makes them of those: then no change that comes at the
   * same time is lost.
   */
  readonly policy?: Partial<Policy> | ((given: Partial<Policy>) => Partial<Policy>);
  /** Whether reset() is to come back to these answers. @defaultValue false */
  readonly isStart?: boolean;
  /**
   * Other data to start from: rows that changed are put, and rows that are not in it any more are taken away unless they
   * were changed since.
   */
  readonly data?: GivenRows;
}

/** What of a mock's options decides how it answers, whatever its contract. */
interface AnsweringOptions {
  readonly tokens?: readonly string[];
  readonly log?: (entry: RequestLogEntry) => void;
  readonly cors?: CorsOptions | false;
  /** The control token is hidden in the log, as the others are. */
  readonly control?: { readonly token?: string } | false;
}

/** Makes ready what answers by a contract, and by answers to what it leaves open. */
type Preparer = (contract: Contract, answers: Partial<Policy>) => Promise<Prepared>;

function toPolicy(input: {
  readonly contract: Contract;
  readonly answers: Partial<Policy>;
  readonly tokens: readonly string[] | undefined;
}): Policy {
  const { contract, answers, tokens } = input;
  const listed = tokens === undefined ? {} : ({ 'accepted-tokens': 'listed' } as const);
  return withDocumentAnswers(createPolicy({ ...listed, ...checkPolicy(answers, contract) }), contract);
}

async function toSamples(
  contract: Contract,
  createSampler: (contract: Contract) => Promise<Sampler>,
): Promise<ReadonlyMap<Operation, Act>> {
  if (contract.operations.every(({ kind }) => kind.kind !== 'sample')) return new Map();
  const { makeSamples } = await import('../act/samples.ts');
  return makeSamples(contract, await createSampler(contract));
}

/**
 * Creates what makes a contract and a policy ready to answer by, again with each change.
 *
 * @param input.record - keeps each request
 * @throws ClocheError OPTION_INVALID for a token that no header can carry
 */
export function createPreparer(input: {
  readonly options: AnsweringOptions;
  /** Makes the sampler that is asked for the answers of operations that no state can answer. */
  readonly createSampler: (contract: Contract) => Promise<Sampler>;
  readonly store: Store;
  readonly faults: FaultBook;
  readonly clock: MockClock;
  readonly record: (raw: RawRequest) => void;
}): Preparer {
  const { options, createSampler, store, faults, clock, record } = input;
  const tokens = toTokens(options.tokens);
  const control = options.control === false ? undefined : options.control?.token;
  const secrets = [...tokens, ...(control === undefined ? [] : [control])];

  return async (contract, answers) => {
    const policy = toPolicy({ contract, answers, tokens: options.tokens });
    const answering = await exemplifyPatterns(contract);
    const responder = createResponder(answering, {
      policy,
      store,
      tokens,
      operations: answering.operations,
      samples: await toSamples(answering, createSampler),
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
        record,
        log: options.log,
        clock,
        context: { contract, tokens: secrets },
      }),
    };
  };
}

/**
 * Creates what takes up another contract, other answers or other data, one change after the other. Where the store
 * fails on the way, the mock goes on as it was.
 *
 * @param input.inTurn - shared with whatever else must not meet a change on its way
 * @param input.current - what is answered by now
 * @param input.take - has requests answered by something else from now on
 */
export function createChange(input: {
  readonly store: Store;
  readonly held: HeldState;
  readonly prepare: Preparer;
  readonly inTurn: Turns;
  readonly current: () => Prepared;
  readonly take: (prepared: Prepared, change: { readonly isStart: boolean }) => void;
}): (next: MockChange) => Promise<ChangeReport> {
  const { store, held, prepare, inTurn, current, take } = input;
  /** Whether the state may hold what does not fit, as a change was broken off. */
  let isInDoubt = false;

  async function refit(before: Prepared, now: Prepared): Promise<ChangeReport> {
    const { keepWhatFits } = await import('./migrate-state.ts');
    try {
      const former = isInDoubt ? undefined : before.basis;
      const report = await keepWhatFits({ store, before: former, now: now.basis });
      isInDoubt = false;
      return report;
    } catch (error) {
      isInDoubt = true;
      take(before, { isStart: false });
      throw error;
    }
  }

  return ({ contract, policy, data, isStart = false }) =>
    inTurn(async () => {
      const before = current();
      const isOther = contract !== undefined || policy !== undefined;
      const answers = typeof policy === 'function' ? policy(before.answers) : policy;
      const now = isOther ? await prepare(contract ?? before.contract, answers ?? before.answers) : before;
      if (data !== undefined) {
        await held.check(data, now.basis);
      }
      // Requests come in by the new rules from now on, so that nothing is added that would not fit.
      take(now, { isStart: false });
      const report = await refit(before, now);
      take(now, { isStart });
      return data === undefined ? report : { ...report, data: await held.change(data) };
    });
}

/** A responder whose steps can be changed while it runs. */
interface LiveResponder {
  /** Stays the same; requests that are under way end as they began. */
  readonly responder: Responder;
  /** Has the next requests answered by other steps. */
  readonly change: (responder: Responder) => void;
}

/**
 * Makes a responder whose steps can be changed while it runs.
 *
 * @param mounted - stays the same
 */
export function createLiveResponder(first: Responder, mounted?: Mounted): LiveResponder {
  let current = first;
  return {
    responder: {
      mounted,
      get contentLimit() {
        return current.contentLimit;
      },
      admit: (head) => current.admit(head),
      // What was admitted carries its operation, so that any steps may answer it.
      respond: (admitted, content) => current.respond(admitted, content),
      conclude: (answered, content) => current.conclude(answered, content),
      refuse: (rejection) => current.refuse(rejection),
    },
    change(responder) {
      current = responder;
    },
  };
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
 * Creates what brings the parts of a mock back to how they were at the start.
 *
 * @param input.resetPolicy - has the answers of the start given again
 */
export function createReset(input: {
  readonly store: Store;
  readonly held: HeldState;
  readonly inTurn: Turns;
  readonly faults: FaultRules;
  readonly requests: RequestLog;
  readonly clock: MockClock;
  readonly resetPolicy: () => Promise<void>;
}): (parts?: readonly ResetPart[]) => Promise<void> {
  const { store, held, inTurn, faults, requests, clock, resetPolicy } = input;
  return async (parts = resetParts) => {
    checkParts(parts);
    if (parts.includes('policy')) {
      await resetPolicy();
    }
    if (parts.includes('state')) {
      // A change on its way would bring back what it has seen before.
      await inTurn(async () => {
        await held.reset();
        await store.deleteSnapshot(setAsideName);
      });
    }
    if (parts.includes('faults')) {
      faults.reset();
    }
    if (parts.includes('requests')) {
      requests.clear();
    }
    if (parts.includes('clock')) {
      clock.reset();
    }
  };
}
