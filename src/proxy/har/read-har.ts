import { ClocheError } from '../../errors/cloche-error.ts';
import { toSyntaxProblem } from '../../json/json-syntax-problem.ts';
import type { HarExchange } from './har-exchange.ts';
import { memberOf } from './har-value.ts';
import { readHarEntry } from './read-har-entry.ts';

function unreadable(name: string, reason: string, remedy: string): ClocheError {
  return new ClocheError('TRAFFIC_UNREADABLE', {
    attempt: 'read the traffic',
    subject: name,
    reason,
    remedy,
  });
}

/**
 * Decodes a file that is mostly UTF-8, and UTF-16 where a shell of Windows wrote it, as its byte order mark says.
 */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

/**
 * Reads a HAR 1.2 file, whoever wrote it. No digit of a body is lost: bodies are texts in it.
 *
 * @param name - how the file is called in what is printed
 * @returns its entries, in the order of the file
 * @throws ClocheError TRAFFIC_UNREADABLE where it is no JSON, with line and column, or no HAR
 */
export function readHar(bytes: Uint8Array, name: string): readonly HarExchange[] {
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const { reason, line, column } = toSyntaxProblem(text, error);
    throw unreadable(
      `${name}:${line}:${column}`,
      reason,
      'Save the recording again, as HAR 1.2, which is JSON',
    );
  }
  const entries = memberOf(memberOf(value, 'log'), 'entries');
  if (!Array.isArray(entries)) {
    throw unreadable(name, 'it has no list log.entries, so that it is no HAR file', 'Name a HAR 1.2 file');
  }
  return entries.map((entry: unknown, index) => readHarEntry(entry, `entry ${index + 1} of ${name}`));
}
