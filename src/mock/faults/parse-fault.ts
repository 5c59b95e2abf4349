import { type Delay, type Fault, isForcibleStatus } from './fault.ts';

/** The longest delay, an hour; no client waits longer. */
const longestDelay = 3_600_000;

function isDelayTime(time: unknown): time is number {
  return typeof time === 'number' && time >= 0 && time <= longestDelay;
}

/** Parses a delay in milliseconds from a command line or a header field: `200`, or `200..400` for a range. */
export function parseDelay(text: string): Delay | undefined {
  const [, first, last] = /^(\d+(?:\.\d+)?)(?:\.\.(\d+(?:\.\d+)?))?$/u.exec(text.trim()) ?? [];
  const from = Number(first ?? Number.NaN);
  if (last === undefined) return isDelayTime(from) ? from : undefined;
  const to = Number(last);
  return isDelayTime(from) && isDelayTime(to) && from <= to ? [from, to] : undefined;
}

/** The text between separators; separators in quotes do not count. */
const memberForm = /(?:[^,;"]|"(?:[^"\\]|\\.)*"?)+/gu;

/** A name, optionally with a value. The matching time does not grow with the number of spaces. */
const pairForm = /^([!#$%&'*+\-.^_`|~\w]+)(?:\s*=(?:\s*"((?:[^"\\]|\\.)*)"|([^"]*)))?$/u;

/** A name in lower case and its value, if any; unreadable text becomes a name that is no token. */
type Member = readonly [name: string, value: string | undefined];

/** Decodes a field as UTF-8, as curl sends it, or else as Latin-1 (RFC 9110 §5.5). */
function decode(field: string): string {
  if (!/[\u0080-\u00FF]/u.test(field)) return field;
  const bytes = Uint8Array.from(field, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return field;
  }
}

/**
 * Splits a field like `code=404, example="not there"` into its members. A value may be in quotes, and need not be a
 * token, as an example may have a name with spaces. A semicolon separates members like a comma.
 */
export function parseMembers(field: string): readonly Member[] {
  return (decode(field).match(memberForm) ?? [])
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text): Member => {
      const [, name, quoted, plain] = pairForm.exec(text) ?? [];
      return name === undefined
        ? [text, undefined]
        : [name.toLowerCase(), quoted?.replaceAll(/\\(.)/gu, '$1') ?? plain?.trim()];
    });
}

/** The fault of a Cloche-Fault field, or the problem with the field, as a part of a sentence. */
type FaultFieldReading =
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'problem'; readonly reason: string };

const directives = ['delay', 'status', 'example', 'retry-after', 'drop', 'truncate'];
const wanted =
  'it takes delay=MS or delay=FROM..TO, status=CODE, example=NAME, retry-after=SECONDS, drop, truncate';

/**
 * Parses a Cloche-Fault field, with which a request chooses its fault: `delay=200..400, status=503, retry-after=3`,
 * `drop`, `truncate`. `retry-after` without a status implies 429.
 */
export function parseFaultField(field: string): FaultFieldReading {
  const members = parseMembers(field);
  const names = members.map(([name]) => name);
  const written = new Map(members);
  const delay = parseDelay(written.get('delay') ?? '');
  const retryAfter = toNumber(written.get('retry-after'));
  const status = toNumber(written.get('status')) ?? (retryAfter === undefined ? undefined : 429);
  const example = written.get('example');
  const refuse = (reason: string): FaultFieldReading => ({ kind: 'problem', reason });

  if (names.length === 0) return refuse(`it is empty: ${wanted}`);
  const unknown = names.find((name) => !directives.includes(name));
  if (unknown !== undefined) return refuse(`it says "${unknown}": ${wanted}`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return refuse(`it says "${twice}" twice`);
  const valued = names.find((name) => /^(?:drop|truncate)$/u.test(name) && written.get(name) !== undefined);
  if (valued !== undefined) return refuse(`"${valued}" takes no value`);
  if (written.has('delay') && delay === undefined) {
    return refuse('a delay is milliseconds from 0 to 3600000, or a range as in 200..400');
  }
  if (status !== undefined && !isForcibleStatus(status)) {
    return refuse('a status is a whole number from 200 to 599');
  }
  if (retryAfter !== undefined && !isRetryAfter(retryAfter)) {
    return refuse('retry-after takes whole seconds from 0 to 31536000');
  }
  if (example !== undefined && status === undefined) return refuse('an example needs a status');
  if (written.has('drop') && (status !== undefined || written.has('truncate'))) {
    return refuse('what is dropped has no answer');
  }

  const late = delay === undefined ? {} : { delay };
  if (written.has('drop')) return { kind: 'fault', fault: { ...late, connection: 'drop' } };
  const answer = status !== undefined && {
    status,
    ...(example !== undefined && { example }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
  const cut = written.has('truncate') && ({ connection: 'truncate' } as const);
  return { kind: 'fault', fault: { ...late, ...(answer && { answer }), ...cut } };
}

function toNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d{1,9}$/u.test(text) ? Number(text) : Number.NaN;
}

/** Returns true if Retry-After can carry a number (RFC 9110 §10.2.3), up to a year. */
function isRetryAfter(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= 31_536_000;
}
