import { decodeContent } from '../../http/decode-content.ts';
import { usualResponseLimit } from '../../http/send-target.ts';
import type { Traffic } from '../traffic.ts';

/** Exchanges that wait to be judged. */
export interface JudgingQueue {
  add(traffic: Traffic): void;
  /** Judges all that waits. */
  flush(): void;
}

/** So long it judges before it lets what has come in the meantime pass, in milliseconds. */
const longestTurnMs = 1;
/** So many exchanges may wait; past it, traffic waits for the judge, as memory is not without end. */
const mostWaiting = 1_000;

/** Takes the content coding off an answer, which it travelled in. */
function decode(traffic: Traffic): Traffic {
  const { exchange } = traffic;
  if (traffic.unjudged !== undefined || exchange.answer.kind !== 'response') {
    return traffic;
  }
  const { answer } = exchange;
  return {
    ...traffic,
    exchange: {
      ...exchange,
      answer: { ...answer, response: decodeContent(answer.response, usualResponseLimit) },
    },
  };
}

/**
 * Creates a queue that judges between the events of the network, so that no answer waits for the judgement of
 * another.
 *
 * @param judge - takes an exchange with its content coding taken off; it does not throw
 */
export function createJudgingQueue(judge: (traffic: Traffic) => void): JudgingQueue {
  let waiting: Traffic[] = [];
  let isDue = false;

  function judgeUntil(isEnough: (judged: number) => boolean): void {
    let judged = 0;
    for (const traffic of waiting) {
      judged += 1;
      judge(decode(traffic));
      if (isEnough(judged)) {
        break;
      }
    }
    waiting = waiting.slice(judged);
  }

  function turn(): void {
    isDue = false;
    const endsAt = performance.now() + longestTurnMs;
    judgeUntil((judged) => waiting.length - judged < mostWaiting && performance.now() >= endsAt);
    plan();
  }

  function plan(): void {
    if (!isDue && waiting.length > 0) {
      isDue = true;
      setImmediate(turn);
    }
  }

  return {
    add(traffic) {
      waiting.push(traffic);
      plan();
    },
    flush() {
      judgeUntil(() => false);
    },
  };
}
