import type { Operation } from '../../contract/contract.ts';
import { escapeControls } from '../../errors/console-text.ts';
import type { LoggedMessage, LoggedRequest, RequestProblem, Undeclared } from '../message.ts';

/** A line of the request log, without credentials. Method and target are `-` if the request could not be read. */
export interface RequestLogEntry extends Omit<
  LoggedRequest,
  'undeclared' | 'message' | 'problems' | 'item' | 'request' | 'response' | 'curl'
> {
  /** The behaviour or condition that decided a response that the document does not declare. */
  readonly undeclared?: Undeclared | undefined;
  /** The message of the error body. */
  readonly message?: string | undefined;
  /** Returns the problems in the request. */
  readonly problems?: (() => readonly RequestProblem[]) | undefined;
}

/** The maximum length of an explanation in a line, in characters. */
const longestMessage = 160;
/** The beginnings of messages that only repeat the condition or the columns before it. */
const lead =
  /^(?:The (?:body|request) is not (?:valid|JSON): |There is nothing at \S+: |\S+ is not declared for \S+: |Th(?:is|e) answer was )/u;
/** The maximum width of the path column; a longer path shifts the columns after it. */
const widestPath = 32;

/** Characters two columns wide in a terminal (Unicode Standard Annex #11), approximated by whole blocks. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;

/** Cuts a text to a number of columns. */
function cut(text: string, width: number): string {
  // No character is wider than two columns.
  if (2 * text.length <= width || (text.length <= width && !wide.test(text))) return text;
  let [columns, end, kept] = [0, 0, 0];
  for (const character of text) {
    columns += wide.test(character) ? 2 : 1;
    if (columns > width) return `${text.slice(0, kept)}…`;
    end += character.length;
    if (columns < width) kept = end;
  }
  return text;
}

/** Describes the outcome of a request: the reason for its refusal, or the operation that answered, and any fault. */
function describeOutcome(entry: RequestLogEntry): string {
  const { condition, undeclared, sample, message = '', operation, fault, handler } = entry;
  const isNamed = fault === undefined || message.includes(`"${fault}"`);
  const words = `${cut(message.replace(lead, ''), longestMessage)}${isNamed ? '' : ` (the rule "${fault}")`}`;
  if (condition === undefined) {
    const origin = sample === undefined ? handler && 'handler' : 'sample';
    const subject = origin === undefined ? operation : `${operation} (${origin})`;
    return [subject, words].filter((part) => part !== undefined && part !== '').join(': ');
  }
  return `${undeclared === undefined ? '' : 'undeclared '}${condition}: ${words}`;
}

/** Creates a function that formats the local time of day; it formats once per second. */
function createClock(): (time: number) => string {
  let second = Number.NaN;
  let text = '';
  return (time) => {
    const current = Math.floor(time / 1000);
    if (current !== second) {
      second = current;
      text = new Date(time).toTimeString().slice(0, 8);
    }
    return text;
  };
}

/**
 * Creates a function that formats a request as one line with a limited number of columns. The path column is as wide as
 * the paths of the contract: `12:30:01 POST    /orders 400   1.2 ms  duplicate-key: /id 1 is taken: …`. A dropped
 * connection has no status.
 */
export function createLogRenderer(input: {
  readonly operations: readonly Pick<Operation, 'path'>[];
  readonly columns: () => number | undefined;
}): (entry: RequestLogEntry) => string {
  const templates = input.operations.map(({ path }) => path.template.length);
  const pathWidth = Math.min(widestPath, Math.max(0, ...templates));
  const clock = createClock();
  return (entry) => {
    const { time, method, target, status, durationMs } = entry;
    const columns = input.columns();
    const path = columns === undefined ? target : cut(target, Math.max(pathWidth, columns >> 1));
    const head = `${clock(time)} ${method.padEnd(7)} ${path.padEnd(pathWidth)} ${status === 0 ? '---' : status}`;
    const line = escapeControls(`${head} ${durationMs.toFixed(1).padStart(5)} ms  ${describeOutcome(entry)}`);
    return columns === undefined ? line : cut(line, columns);
  };
}

/**
 * Formats a request as one line of JSON (`spec/log.schema.json`); it omits members without information.
 *
 * @param messages - the header fields and contents to add, without credentials. @defaultValue none
 */
export function renderJsonLine(
  entry: RequestLogEntry,
  messages?: Pick<LoggedRequest, 'request' | 'response'>,
): string {
  return JSON.stringify({
    ...entry,
    time: new Date(entry.time).toISOString(),
    durationMs: Math.round(entry.durationMs * 1000) / 1000,
    problems: entry.problems?.(),
    request: messages?.request,
    response: messages?.response,
  });
}

/** Explains in a sentence why existing content of a message is not shown. */
export function explainMissing({ missing }: Pick<LoggedMessage, 'missing'>): string {
  return missing === undefined ? 'It is no UTF-8 text.' : missingReasons[missing];
}

const missingReasons: Readonly<Record<NonNullable<LoggedMessage['missing']>, string>> = {
  'not-read': 'It was not read: what came before it decided the answer.',
  'too-large': 'It was not read to its end: it is larger than the policy allows.',
  'not-kept': 'It is larger than what the log keeps.',
};
