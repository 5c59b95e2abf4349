import type { RequestCase } from '../arbitrary/request-case.ts';
import type { CheckContext } from '../check/classify/subject.ts';
import { createRouter, type Route } from '../contract/router.ts';
import { createTokenWatch, type TokenWatch } from './cannot-judge.ts';
import { type CreateLimit, createCreateLimit } from './create-limit.ts';
import { openCredentials, openOtherCredentials, type SessionCredentials } from './credentials.ts';
import { otherCredentials } from './given-headers.ts';
import { NoItem } from './items.ts';
import type { KeyAllocator } from './keys.ts';
import { createLagWaits } from './lag-waits.ts';
import { createRunMemory, type RunMemory } from './memory.ts';
import { createPendingItems, type PendingItems } from './pending-items.ts';
import type { ServiceSettings } from './target.ts';
import { createThrottle } from './throttle.ts';

/** A service that a run sends requests to, and the state of the run about it. */
export interface OpenService {
  readonly settings: ServiceSettings;
  readonly allocator: KeyAllocator;
  readonly memory: RunMemory;
  readonly pending: PendingItems;
  readonly openLagWaits: ReturnType<typeof createLagWaits>;
  readonly creates: CreateLimit;
  readonly watchToken: TokenWatch;
  /** The facts for checks; each read returns the current state. */
  readonly context: CheckContext;
  /** Returns the credentials of the user that sends a request. @throws NoItem if there is no such user */
  readonly credentialsOf: (request: Pick<RequestCase, 'credentials'>) => SessionCredentials;
  /** Whether every request carries a header field with credentials that the document does not declare. */
  readonly hasOtherCredentials: boolean;
  readonly route: (path: string) => Route | undefined;
  /** All sends that it wraps share one rate limit. */
  readonly throttle: ReturnType<typeof createThrottle>;
}

/**
 * Opens a service with empty state. If a run has two services, both receive the same ids.
 *
 * @param on.wait - called for each response that requires waiting
 * @param on.limited - called with each operation that returns 429 for too long while others succeed, and the reason
 */
export function openService(
  settings: ServiceSettings,
  allocator: KeyAllocator,
  on: {
    readonly wait?: (status: number, ms: number) => void;
    readonly limited?: (operation: string, reason: string) => void;
  } = {},
): OpenService {
  const { contract, policy, enforced, echo, name, rate, rateWaitMs, clock, sleep } = settings;
  const memory = createRunMemory();
  const credentials = openCredentials(settings, memory);
  const otherUser = openOtherCredentials(settings, credentials);
  const route = createRouter(contract);
  const context: CheckContext = {
    contract,
    policy,
    enforced,
    echo,
    get goodTokens() {
      const good = credentials.goodTokens();
      return otherUser === undefined ? good : [...good, ...otherUser.goodTokens()];
    },
    taken: memory.taken,
    acceptsEqual: memory.acceptsEqual,
    wasSent: (operationId, text) => memory.sentTexts.find(operationId, text) !== undefined,
    get longestPlainBody() {
      return memory.longestPlainBody;
    },
    cursors: memory.cursors,
    maxResponseMs: settings.maxResponseMs,
    mayBeMadeAgain: memory.sentMakes.isRepeated,
    isConcurrent: memory.sentMakes.isConcurrent,
    elapsedMs: memory.sentMakes.elapsedMs,
    isMock: settings.isMock,
  };
  return {
    settings,
    allocator,
    memory,
    pending: createPendingItems(),
    openLagWaits: createLagWaits(context, settings.signal),
    creates: createCreateLimit(settings.maxCreates, (path) => memory.made.has(path)),
    watchToken: createTokenWatch(settings, credentials.given),
    context,
    credentialsOf(request) {
      if (request.credentials.user === undefined) return credentials;
      if (otherUser === undefined) throw new NoItem('there is no second user');
      return otherUser;
    },
    hasOtherCredentials: otherCredentials(settings).length > 0,
    route,
    throttle: createThrottle({
      target: name,
      rate,
      rateWaitMs,
      ...(clock && { clock }),
      ...(sleep && { sleep }),
      onWait: on.wait ?? (() => undefined),
      operationOf: ({ method, target }) => route(target.split('?', 1)[0] ?? '')?.operations.get(method)?.id,
      giveUp(operation, reason) {
        on.limited?.(operation, reason);
        return new NoItem(`${operation} is limited: ${reason}`);
      },
    }),
  };
}
