import { checkToken } from '../check-token.ts';
import { checkText } from '../check-text.ts';
import { parseServiceUrl } from '../parse-service-url.ts';
import { printJson, printLines, printText } from '../terminal.ts';
import type { Action, ActionResult } from './action.ts';
import { actOnMock } from './act-on-mock.ts';
import { createActionArguments } from './create-action-arguments.ts';

const defaultMock = 'http://127.0.0.1:4010';

function fromEnvironment(name: string): string | undefined {
  const value = process.env[name];
  return value === '' ? undefined : value;
}

function readMock(given: unknown): string {
  return parseServiceUrl(
    given === undefined ? (fromEnvironment('CLOCHE_MOCK') ?? defaultMock) : checkText('mock', given),
  );
}

function readToken(given: unknown): string | undefined {
  if (given !== undefined) {
    return checkToken('--control-token', given);
  }
  const token = fromEnvironment('CLOCHE_CONTROL_TOKEN');
  return token === undefined ? undefined : checkToken('CLOCHE_CONTROL_TOKEN', token);
}

function print({ value, lines, notes = [], holds = true }: ActionResult, isForPrograms: boolean): void {
  if (isForPrograms) {
    printJson(value ?? {});
  } else {
    // A body is shown on its own lines.
    lines.forEach((line) => printText(process.stdout, line));
    printLines(process.stderr, notes);
  }
  process.exitCode = holds ? 0 : 1;
}

/**
 * Does something to the mock that a command names, and prints what came of it. The exit code is 1 where what was asked
 * is not so.
 *
 * @param input - as yargs gives it
 * @throws ClocheError CONTROL_FAILED where there is no mock to do it to, or it refuses
 */
export async function runAction(action: Action, input: Readonly<Record<string, unknown>>): Promise<void> {
  const mock = readMock(input['mock']);
  const token = readToken(input['control-token']);
  // A reader that has seen enough is no failure.
  process.stdout.on('error', () => undefined);
  const result = await actOnMock({ action, address: { mock, token }, given: createActionArguments(input) });
  print(result, input['json'] === true);
}
