import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { ClocheError } from '../../errors/cloche-error.ts';
import { describeReadFailure } from '../../errors/describe-read-failure.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { parseJson } from '../../json/parse-json.ts';

/** A text that is JSON itself, and no name of a file. */
const inlineJson = /^\s*[[{"]/u;

async function readText(argument: string): Promise<{ readonly name: string; readonly text: string }> {
  if (inlineJson.test(argument)) {
    return { name: argument, text: argument };
  }
  if (argument === '-') {
    return { name: 'standard input', text: await readAll(process.stdin) };
  }
  try {
    return { name: argument, text: await readFile(argument, 'utf8') };
  } catch (cause) {
    throw new ClocheError('DATA_INVALID', {
      attempt: 'read',
      subject: argument,
      reason: describeReadFailure(cause),
      remedy: 'Give JSON, the name of a file that holds it, or - for standard input',
      cause,
    });
  }
}

/**
 * Reads JSON that an argument holds, or the file that it names, or standard input where it is `-`.
 *
 * @throws ClocheError DATA_INVALID where it cannot be read, JSON_SYNTAX where it is no JSON
 */
export async function readJsonArgument(argument: string): Promise<JsonValue> {
  const { name, text } = await readText(argument);
  const read = parseJson(text);
  if (read.kind === 'json') {
    return read.value;
  }
  throw new ClocheError('JSON_SYNTAX', {
    attempt: 'read',
    subject: name,
    reason: `${read.line}:${read.column}: ${read.reason}`,
    remedy: 'Correct the JSON',
  });
}
