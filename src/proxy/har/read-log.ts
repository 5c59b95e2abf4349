import { type Answer, type HeaderList, headerValue } from '../../http/message.ts';
import { redacted } from '../../http/redact.ts';
import { toSyntaxProblem } from '../../json/parse.ts';
import {
  decodeText,
  type HarExchange,
  itemsOf,
  memberOf,
  numberOf,
  readHar,
  textOf,
  unreadable,
} from './read-har.ts';

/**
 * Reads the exchanges of a recording, a HAR 1.2 file or the lines of `cloche mock --log exchanges`, by its content.
 * `name` is the file name to print.
 *
 * @throws ClocheError TRAFFIC_UNREADABLE if it is neither, with the line
 */
export function readRecording(bytes: Uint8Array, name: string): readonly HarExchange[] {
  const text = decodeText(bytes);
  return isLog(text) ? readLog(text, name) : readHar(bytes, name);
}

/** Returns whether the first line of a text is a line of a request log. */
function isLog(text: string): boolean {
  const [first = ''] = /\S[^\n]*/u.exec(text) ?? [];
  // A HAR file may be one long line, which is not to be parsed twice. Within its texts the quotes are escaped.
  if (!first.includes('"verdict":')) return false;
  try {
    return isLine(JSON.parse(first));
  } catch {
    return false;
  }
}

function isLine(value: unknown): boolean {
  return ['method', 'target', 'verdict', 'time'].every((member) => textOf(value, member) !== undefined);
}

/** Reads the lines of a request log (`spec/log.schema.json`). */
function readLog(text: string, name: string): readonly HarExchange[] {
  const lines = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const value = parseLine(line, `${name}:${index + 1}`);
    return [{ value, place: `line ${index + 1} of ${name}` }];
  });
  if (lines.every(({ value }) => memberOf(value, 'request') === undefined)) {
    const reason = 'its lines have neither header fields nor contents, so that nothing in it can be judged';
    throw unreadable(name, reason, 'Record it with cloche mock --log exchanges');
  }
  // All lines are of one mock, by whichever name its clients call it.
  const hosts = lines.map(({ value }) => headerValue(headersOf(memberOf(value, 'request')), 'host'));
  const origin = `http://${hosts.find((host) => host !== undefined) ?? 'localhost'}`.toLowerCase();
  return lines.map(({ value, place }) => toExchange(value, place, origin));
}

function parseLine(line: string, place: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    const { reason, column } = toSyntaxProblem(line, error);
    throw unreadable(`${place}:${column}`, reason, 'Each line must be one JSON text, as the mock writes it');
  }
  if (isLine(value)) return value;
  throw unreadable(
    place,
    'it is no line of a request log',
    'Leave out the lines that the mock did not write',
  );
}

/** Reads a text in which the mock replaced credentials. */
function reveal(text: string): string {
  return text.replaceAll('***', redacted);
}

function headersOf(message: unknown): HeaderList {
  return itemsOf(message, 'headers').flatMap((field) => {
    // `as`: a list.
    const [name, value] = Array.isArray(field) ? (field as readonly unknown[]) : [];
    return typeof name === 'string' && typeof value === 'string' ? [[name, reveal(value)] as const] : [];
  });
}

function bodyOf(message: unknown): Uint8Array | undefined {
  const text = textOf(message, 'body');
  return text === undefined || text === '' ? undefined : new TextEncoder().encode(reveal(text));
}

/** Returns why a line cannot be judged; undefined if it can. */
function whyUnchecked(line: unknown): string | undefined {
  const [request, response] = [memberOf(line, 'request'), memberOf(line, 'response')];
  const isLost = (message: unknown): boolean =>
    textOf(message, 'body') === undefined &&
    (numberOf(message, 'bytes') !== 0 || memberOf(message, 'missing') !== undefined);
  if (textOf(line, 'method') === '-') return 'its request is not HTTP';
  if (numberOf(line, 'status') === 0) return 'no answer was recorded';
  if (textOf(line, 'verdict') === 'forced')
    return 'a fault or a preference of the request decided its answer';
  if (request === undefined || response === undefined) return 'its header fields are not in the file';
  if (isLost(request)) return 'the content of its request is not in the file';
  return isLost(response) ? 'the content of its answer is not in the file' : undefined;
}

function toExchange(line: unknown, place: string, origin: string): HarExchange {
  const [request, response] = [memberOf(line, 'request'), memberOf(line, 'response')];
  const status = numberOf(line, 'status') ?? 0;
  const unjudged = whyUnchecked(line);
  const answer: Answer =
    status === 0
      ? { kind: 'unreachable', reason: unjudged ?? '' }
      : {
          kind: 'response',
          response: { status, headers: headersOf(response), body: bodyOf(response) ?? new Uint8Array() },
        };
  return {
    place,
    origin,
    exchange: {
      request: {
        method: textOf(line, 'method') ?? '',
        target: reveal(textOf(line, 'target') ?? ''),
        headers: headersOf(request),
        body: bodyOf(request),
      },
      answer,
      durationMs: numberOf(line, 'durationMs') ?? 0,
    },
    startedAt: Date.parse(textOf(line, 'time') ?? '') || 0,
    unjudged,
  };
}
