import type { Delay, Fault, ForcedAnswer } from './fault-rule.ts';
import { isForcibleStatus, isRetryAfter } from './check-forced-answer.ts';
import { parseDelay } from './parse-delay.ts';
import { parseMembers } from './parse-members.ts';

/** What a Cloche-Fault field says. */
export type FaultFieldReading =
  | { readonly kind: 'fault'; readonly fault: Fault }
  /** What is wrong with it, as a part of a sentence. */
  | { readonly kind: 'problem'; readonly reason: string };

const wanted =
  'it takes delay=MS or delay=FROM..TO, status=CODE, example=NAME, retry-after=SECONDS, drop, truncate';

const known = ['delay', 'status', 'example', 'retry-after', 'drop', 'truncate'];

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : /^\d{1,9}$/u.test(text) ? Number(text) : Number.NaN;
}

/** What a field says, as far as it can be read. */
interface Members {
  readonly names: readonly string[];
  /** The names of those that have a value. */
  readonly valued: readonly string[];
  readonly delay: Delay | undefined;
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  readonly example: string | undefined;
}

function findProblem({ names, valued, delay, status, retryAfter, example }: Members): string | undefined {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined || names.length === 0) {
    return `${unknown === undefined ? 'it is empty' : `it says "${unknown}"`}: ${wanted}`;
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    return `it says "${twice}" twice`;
  }
  const told = valued.find((name) => name === 'drop' || name === 'truncate');
  if (told !== undefined) {
    return `"${told}" takes no value`;
  }
  if (names.includes('delay') && delay === undefined) {
    return 'a delay is milliseconds from 0 to 3600000, or a range as in 200..400';
  }
  if (status !== undefined && !isForcibleStatus(status)) {
    return 'a status is a whole number from 200 to 599';
  }
  if (retryAfter !== undefined && !isRetryAfter(retryAfter)) {
    return 'retry-after takes whole seconds from 0 to 31536000';
  }
  if (example !== undefined && status === undefined) {
    return 'an example needs a status';
  }
  return names.includes('drop') && (status !== undefined || names.includes('truncate'))
    ? 'what is dropped has no answer'
    : undefined;
}

function toAnswer({ status, example, retryAfter }: Members): { readonly answer?: ForcedAnswer } {
  return status === undefined
    ? {}
    : {
        answer: {
          status,
          ...(example === undefined ? {} : { example }),
          ...(retryAfter === undefined ? {} : { retryAfter }),
        },
      };
}

/**
 * Reads a Cloche-Fault field, by which a request says itself what is to go wrong with its answer:
 * `delay=200..400, status=503, retry-after=3`, `drop`, `truncate`. `retry-after` without a status is one of 429.
 */
export function parseFaultField(field: string): FaultFieldReading {
  const parsed = parseMembers(field);
  const written = new Map(parsed.map(([name, value]) => [name, value]));
  const retryAfter = toNumber(written.get('retry-after'));
  const members: Members = {
    names: parsed.map(([name]) => name),
    valued: parsed.filter(([, value]) => value !== undefined).map(([name]) => name),
    delay: parseDelay(written.get('delay') ?? ''),
    status: toNumber(written.get('status')) ?? (retryAfter === undefined ? undefined : 429),
    retryAfter,
    example: written.get('example'),
  };
  const reason = findProblem(members);
  if (reason !== undefined) {
    return { kind: 'problem', reason };
  }
  const late = members.delay === undefined ? {} : { delay: members.delay };
  if (written.has('drop')) {
    return { kind: 'fault', fault: { ...late, connection: 'drop' } };
  }
  const cut = written.has('truncate') ? ({ connection: 'truncate' } as const) : {};
  return { kind: 'fault', fault: { ...late, ...toAnswer(members), ...cut } };
}
