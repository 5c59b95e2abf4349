import type { Traffic } from '../traffic.ts';
import { WatchedExchange, type WatchedRequest } from './watched-exchange.ts';

/** Notes the exchanges that pass. */
export interface Watch {
  begin(request: Pick<WatchedRequest, 'method' | 'target' | 'fields' | 'framing'>): WatchedExchange;
  /**
   * Notes a request that reaches nobody.
   *
   * @param why - in words
   */
  turnAway(request: Pick<WatchedRequest, 'method' | 'target'>, why: string): void;
}

/**
 * Creates what numbers exchanges and sees which of them are under way side by side.
 *
 * @param options.limit - the most bytes of content that are kept of each side
 * @param options.take - takes an exchange when it has ended
 */
export function createWatch(options: {
  readonly limit: number;
  readonly take: (traffic: Traffic) => void;
}): Watch {
  const { limit, take } = options;
  let count = 0;
  let underWay = 0;
  let alone: WatchedExchange | undefined;

  function onEnd(exchange: WatchedExchange, traffic: Traffic): void {
    underWay -= 1;
    if (alone === exchange) {
      alone = undefined;
    }
    take(traffic);
  }

  return {
    begin(request) {
      count += 1;
      underWay += 1;
      const exchange = new WatchedExchange({ ...request, number: count, limit, onEnd });
      if (underWay === 1) {
        alone = exchange;
        return exchange;
      }
      exchange.isSideBySide = true;
      if (alone !== undefined) {
        alone.isSideBySide = true;
        alone = undefined;
      }
      return exchange;
    },
    turnAway(request, why) {
      count += 1;
      const exchange = new WatchedExchange({
        ...request,
        fields: [],
        framing: 'content-length',
        number: count,
        limit,
        // It is never beside another, as the service does not see it.
        onEnd: (_, traffic) => take(traffic),
      });
      exchange.end({ kind: 'left', why });
    },
  };
}
