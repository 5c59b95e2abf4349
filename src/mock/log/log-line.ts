import type { Operation } from '../../contract/contract.ts';
import { escapeControls } from '../../errors/console-text.ts';
import type { LoggedMessage, LoggedRequest, RequestProblem, Undeclared } from '../message.ts';

/** A line of the request log, without credentials. Method and target are `-` if the request could not be read. */
export interface RequestLogEntry extends Pick<
  LoggedRequest,
  | 'id'
  | 'time'
  | 'durationMs'
  | 'method'
  | 'target'
  | 'operation'
  | 'status'
  | 'verdict'
  | 'condition'
  | 'fault'
  | 'sample'
> {
  /** What decided an answer that the document does not declare. */
  readonly undeclared?: Undeclared | undefined;
  /** What the error body says. */
  readonly message?: string | undefined;
  /** What of the request speaks against it, made when it is asked for. */
  readonly problems?: (() => readonly RequestProblem[]) | undefined;
}

/** The longest explanation that a line of the log carries, in characters. */
const longestMessage = 160;
/** How messages begin that say again what the condition, or the columns before it, have said. */
const lead =
  /^(?:The (?:body|request) is not (?:valid|JSON): |There is nothing at \S+: |\S+ is not declared for \S+: |Th(?:is|e) answer was )/u;
/** A path that is longer is not waited for: the columns behind it give way. */
const widestPath = 32;

/** Characters that take two columns of a terminal (Unicode Standard Annex #11), as far as whole blocks tell. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;

/** Cuts a text to so many columns. */
function cut(text: string, width: number): string {
  // No character takes more than two.
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

/** What came of a request, in words: why it was refused, or which operation answered, and what interfered. */
function describeOutcome(entry: RequestLogEntry): string {
  const { condition, undeclared, sample, message = '', operation, fault } = entry;
  const isNamed = fault === undefined || message.includes(`"${fault}"`);
  const words = `${cut(message.replace(lead, ''), longestMessage)}${isNamed ? '' : ` (the rule "${fault}")`}`;
  if (condition === undefined) {
    const subject = sample === undefined ? operation : `${operation} (sample)`;
    return [subject, words].filter((part) => part !== undefined && part !== '').join(': ');
  }
  return `${undeclared === undefined ? '' : 'undeclared '}${condition}: ${words}`;
}

/** Gives the time of the day where the mock runs, which changes once a second. */
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
 * Prepares the writing of a request as one line of so many characters at most, its columns as wide as the paths of the
 * contract ask for: `12:30:01 POST    /orders 400   1.2 ms  duplicate-key: /id 1 is taken: …`. A connection that was
 * dropped has no status.
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

/** Writes a request as one line of JSON (`spec/log.schema.json`); it omits members without information. */
export function renderJsonLine(entry: RequestLogEntry): string {
  return JSON.stringify({
    ...entry,
    time: new Date(entry.time).toISOString(),
    durationMs: Math.round(entry.durationMs * 1000) / 1000,
    problems: entry.problems?.(),
  });
}

/** Says why the content of a message is not shown where there is some, as a sentence. */
export function explainMissing({ missing }: Pick<LoggedMessage, 'missing'>): string {
  return missing === undefined ? 'It is no UTF-8 text.' : missingReasons[missing];
}

const missingReasons: Readonly<Record<NonNullable<LoggedMessage['missing']>, string>> = {
  'not-read': 'It was not read: what came before it decided the answer.',
  'too-large': 'It was not read to its end: it is larger than the policy allows.',
  'not-kept': 'It is larger than what the log keeps.',
};
