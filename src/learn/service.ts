import type { RequestCase } from '../arbitrary/request-case.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { type Answer, type Exchange, isSafeMethod, type Send } from '../http/message.ts';
import { isSuccessStatus } from '../http/status.ts';
import { Unanswered } from '../policy/behaviour.ts';
import { createPolicy } from '../policy/policy.ts';
import { remedyOfUnreachable } from '../session/cannot-judge.ts';
import { deleteItems } from '../session/clean-up.ts';
import { CreatesSpent, NoItem } from '../session/items.ts';
import { createKeyAllocator, type KeyAllocator } from '../session/keys.ts';
import { type OpenService, openService } from '../session/open-service.ts';
import { type CaseSession, Sender } from '../session/send-case.ts';
import type { Session } from '../session/session.ts';
import { cannotJudge, waitFor } from '../session/throttle.ts';
import type { LearnOptions } from './events.ts';
import type { SampleForm } from './sample.ts';

/** Error that learning has to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Error that the maximum number of requests, or of created items, was reached. Its message is the reason. */
export class OutOfRequests extends Error {
  override readonly name = 'OutOfRequests';
}

/** The sessions of one trial of a probe. */
export interface Trial {
  /** Sends the requests about items. @throws Unanswered if a request needs an item that cannot be created */
  readonly session: Pick<Session, 'openIdContext' | 'send'>;
  /** Sends another request. With `waits`, it is repeated after 429. */
  readonly send: (request: RequestCase, options: { readonly waits: boolean }) => Promise<Exchange>;
  /** Deletes the items that the trial created, if DELETE is declared. */
  readonly cleanUp: () => Promise<void>;
}

/** The maximum time for deleting created items, in milliseconds. */
const cleaningMs = { usual: 60_000, interrupted: 4_000 };

/**
 * The service that `learn` probes. It counts the requests, and ends them at the limits of the options: they throw
 *
 * - OutOfRequests if the maximum number of requests, or of created items, was reached
 * - Interrupted if the signal of the options has aborted
 * - ClocheError CANNOT_JUDGE if the service is unreachable, or still postpones requests after the maximum wait
 */
export class LearntService {
  readonly contract: Contract;
  readonly tally: Record<'requests' | 'creates' | 'waits', number> = { requests: 0, creates: 0, waits: 0 };
  /** The forms of bodies that the service has accepted. */
  readonly forms: Map<Operation, SampleForm> = new Map();
  readonly allocator: KeyAllocator;
  readonly clock: () => number;
  readonly hasOtherUser: boolean;
  readonly #options: LearnOptions;
  readonly #service: OpenService;
  readonly #waiting: Sender;
  readonly #direct: Sender;
  #onExchange: (exchange: Exchange) => void = () => undefined;
  /** The signal that ends the deletion of created items. It may take more requests and more time than the probes. */
  #cleaning: AbortSignal | undefined;

  constructor(options: LearnOptions) {
    const { contract, target = 'the service', emit = () => undefined } = options;
    this.#options = options;
    this.contract = contract;
    this.clock = options.clock ?? Date.now;
    this.hasOtherUser = options.users?.other !== undefined;
    this.allocator = createKeyAllocator(options.keys);
    const service = openService(
      {
        contract,
        name: target,
        send: this.#transmit,
        socketSend: undefined,
        isMock: false,
        policy: createPolicy({}),
        enforced: new Set(),
        echo: undefined,
        // What the service does is learnt, and not judged.
        judges: [],
        token: options.token,
        credentials: options.credentials,
        users: options.users,
        credentialHeaders: options.credentialHeaders ?? [],
        excluded: [],
        unsafeMethods: false,
        readOnly: false,
        maxCreates: options.maxCreates ?? Infinity,
        maxResponseMs: undefined,
        rate: options.rate,
        rateWaitMs: options.rateWaitMs ?? 300_000,
        signal: undefined,
        clock: this.clock,
        sleep: this.sleep,
      },
      this.allocator,
      {
        wait: (status, ms) => {
          this.tally.waits += 1;
          emit({ kind: 'waiting', status, ms });
        },
      },
    );
    // Probes may provoke rejections of good credentials.
    this.#service = { ...service, watchToken: () => Promise.resolve() };
    const onJudged: NonNullable<ConstructorParameters<typeof Sender>[1]>['onJudged'] = ({ exchange }) =>
      this.#onExchange(exchange);
    this.#waiting = new Sender(this.#service, { onJudged });
    this.#direct = new Sender(this.#service, { onJudged, waits: false });
  }

  /** Waits for a number of milliseconds of the clock. */
  readonly sleep = async (ms: number): Promise<void> => {
    const { sleep = (time) => waitFor(time, this.#signal()) } = this.#options;
    await sleep(ms);
    this.#refuseWhenInterrupted();
  };

  /** Lists the credentials of both users, which no exchange may show. */
  secrets(): readonly string[] {
    const { token, secrets = [] } = this.#options;
    const tokensOf = (user?: 'other'): readonly string[] =>
      this.#service.credentialsOf({ credentials: { kind: 'good', ...(user && { user }) } }).goodTokens();
    const own = token === undefined ? tokensOf() : [token];
    const other = this.hasOtherUser ? tokensOf('other') : [];
    return [...new Set([...own, ...other, ...secrets])].filter((secret) => secret !== '');
  }

  /** Opens the sessions of one trial. `onExchange` is called for each of its exchanges. */
  open(onExchange: (exchange: Exchange) => void): Trial {
    this.#onExchange = onExchange;
    const waiting = this.#waiting.open();
    const direct = this.#direct.open();
    const keys = waiting.openIdContext();
    return {
      session: {
        openIdContext: (...above) => waiting.openIdContext(...above),
        send: (request, own) => orUnanswered(waiting, request, own),
      },
      async send(request, { waits }) {
        return (await orUnanswered(waits ? waiting : direct, request, keys)).exchange;
      },
      cleanUp: () => this.#waiting.cleanUp.takeAway(waiting.records, () => false),
    };
  }

  /** Deletes the created items that still exist. If this fails, the result still contains what was learnt before. */
  async takeAway(): Promise<void> {
    const isInterrupted = this.#options.signal?.aborted === true;
    const signal = AbortSignal.timeout(isInterrupted ? cleaningMs.interrupted : cleaningMs.usual);
    this.#cleaning = signal;
    await deleteItems({
      list: () => [...this.#service.memory.made.values()].map((item) => ({ item })),
      remove: ({ item }) => this.#waiting.cleanUp.deleteItem(item, signal),
      atOnce: 1,
      signal,
    });
  }

  /** Sends a request once. Each transmission counts, including those of postponed requests. */
  readonly #transmit: Send = async (request, sendOptions) => {
    const { send, target = 'the service', mostRequests = 5_000 } = this.#options;
    const signal = this.#signal();
    this.#refuseWhenInterrupted();
    if (this.#cleaning === undefined) {
      if (this.tally.requests >= mostRequests)
        throw new OutOfRequests('as many requests were sent as may be');
      this.tally.requests += 1;
    }
    const answer = await send(request, { ...sendOptions, ...(signal && { signal }) });
    // An aborted request shows nothing about the service.
    this.#refuseWhenInterrupted();
    if (answer.kind === 'unreachable') {
      const reason = `${answer.reason} (at ${request.method} ${request.target})`;
      throw cannotJudge(target, reason, answer.remedy ?? remedyOfUnreachable);
    }
    const isChange = !isSafeMethod(request.method) && request.method !== 'PROPFIND';
    this.tally.creates += isChange && isAccepted(answer) && this.#cleaning === undefined ? 1 : 0;
    return answer;
  };

  #signal(): AbortSignal | undefined {
    return this.#cleaning ?? this.#options.signal;
  }

  #refuseWhenInterrupted(): void {
    if (this.#signal()?.aborted === true) throw new Interrupted();
  }
}

function isAccepted(answer: Answer): boolean {
  return answer.kind === 'response' && isSuccessStatus(answer.response.status);
}

/** Sends a request of a probe. */
async function orUnanswered(
  session: CaseSession,
  ...request: Parameters<CaseSession['send']>
): ReturnType<CaseSession['send']> {
  try {
    return await session.send(...request);
  } catch (error) {
    if (error instanceof CreatesSpent) throw new OutOfRequests(error.message);
    throw error instanceof NoItem ? new Unanswered(error.message) : error;
  }
}
