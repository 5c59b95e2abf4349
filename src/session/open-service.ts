import type { CheckContext } from '../check/reading/subject.ts';
import { createRouter, type Route } from '../contract/router.ts';
import { createTokenWatch, type TokenWatch } from './cannot-judge.ts';
import { openCredentials, type SessionCredentials } from './credentials.ts';
import { otherCredentials } from './given-headers.ts';
import { NoItem } from './items.ts';
import type { KeyAllocator } from './keys.ts';
import { createRunMemory, type RunMemory } from './memory.ts';
import { createPendingItems, type PendingItems } from './pending-items.ts';
import type { RunSettings } from './target.ts';
import { createThrottle } from './throttle.ts';

/** A service that a run sends requests to, and what is known of it by now. */
export interface OpenService {
  readonly settings: RunSettings;
  readonly allocator: KeyAllocator;
  readonly memory: RunMemory;
  readonly pending: PendingItems;
  readonly watchToken: TokenWatch;
  /** What checks may know: it shows what is known when it is read. */
  readonly context: CheckContext;
  readonly credentials: SessionCredentials;
  /** Whether every request carries a header field with credentials that the document does not declare. */
  readonly hasOtherCredentials: boolean;
  readonly route: (path: string) => Route | undefined;
  /** All that it wraps keeps to one rate. */
  readonly throttle: ReturnType<typeof createThrottle>;
}

/**
 * Opens a service, of which nothing is known yet. Where a run has two, both are sent the same keys.
 *
 * @param on.wait - is given each answer that asks to wait
 * @param on.limited - is given each operation that answers 429 for too long while others are answered, and the reason
 */
export function openService(
  settings: RunSettings,
  allocator: KeyAllocator,
  on: {
    readonly wait?: (status: number, ms: number) => void;
    readonly limited?: (operation: string, reason: string) => void;
  } = {},
): OpenService {
  const { contract, policy, enforced, echo, name, rate, rateWaitMs } = settings;
  const memory = createRunMemory();
  const credentials = openCredentials(settings, memory);
  const route = createRouter(contract);
  return {
    settings,
    allocator,
    memory,
    pending: createPendingItems(),
    watchToken: createTokenWatch(settings, credentials.given),
    context: {
      contract,
      policy,
      enforced,
      echo,
      get goodTokens() {
        return credentials.goodTokens();
      },
      taken: memory.taken,
      takesEqual: memory.takesEqual,
      wasSent: (operationId, text) => memory.sentTexts.find(operationId, text) !== undefined,
      get longestPlainBody() {
        return memory.longestPlainBody;
      },
      cursors: memory.cursors,
      mayBeMadeAgain: memory.sentMakes.isRepeated,
      // What has no connection is the mock in the process.
      isMock: settings.socketSend === undefined,
    },
    credentials,
    hasOtherCredentials: otherCredentials(settings).length > 0,
    route,
    throttle: createThrottle({
      target: name,
      rate,
      rateWaitMs,
      onWait: on.wait ?? (() => undefined),
      operationOf: ({ method, target }) => route(target.split('?', 1)[0] ?? '')?.operations.get(method)?.id,
      giveUp(operation, reason) {
        on.limited?.(operation, reason);
        return new NoItem(`${operation} is limited: ${reason}`);
      },
    }),
  };
}
