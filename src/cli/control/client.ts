import { readVersion } from '../../document/package-manifest.ts';
import { collectBytes, readFileBytes } from '../../document/read-file.ts';
import { ClocheError, describeReadFailure } from '../../errors/cloche-error.ts';
import { escapeControls } from '../../errors/console-text.ts';
import { describeConnectionFailure } from '../../http/failures.ts';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import {
  type ControlOperationId,
  type GivenOf,
  readControlError,
  type ShownOf,
  toControlTarget,
} from '../../mock/control/calls.ts';
import { controlPrefix } from '../../mock/control/operation.ts';
import type { BadRow } from '../../mock/state/rows.ts';
import { parseServiceUrl, readArguments, readToken } from '../arguments.ts';
import type { Given, Picked } from '../options.ts';
import { printJson, printLines, printText } from '../terminal.ts';

/** The response of a call: its JSON with every digit, and the value that the operation declares. */
export interface Called<Shown> {
  readonly value: JsonValue | undefined;
  readonly shown: Shown;
}

/** A running mock, driven over its control interface. */
export interface MockClient {
  /**
   * Calls an operation of the control interface.
   *
   * @throws ClocheError CONTROL_FAILED, with the sentence of the mock if it refuses
   */
  readonly call: <Id extends ControlOperationId>(
    id: Id,
    ...given: GivenOf<Id>
  ) => Promise<Called<ShownOf<Id>>>;
  /** The version of Cloche that the mock is of; undefined before the first call. */
  readonly version: () => string | undefined;
}

/** What came of something that was done to a running mock. */
export interface ActionResult {
  /** For programs. @defaultValue an empty object */
  readonly value?: JsonValue | undefined;
  /** For people. */
  readonly lines: readonly string[];
  /** For people too, on stderr. @defaultValue nothing */
  readonly notes?: readonly string[];
  /** Whether what was asked is so. @defaultValue true */
  readonly holds?: boolean;
}

/** Waits for a change of the mock, and says what it did. */
export async function tell(change: Promise<unknown>, line: string): Promise<ActionResult> {
  await change;
  return { lines: [line] };
}

/** What a running mock refuses, in its own words, as it knows best what is wrong. */
export class ControlRefusal extends ClocheError {
  /** What it names each bad row by, where it refuses data. */
  readonly rows: readonly BadRow[];

  constructor(
    mock: string,
    { status, sentence, rows = [] }: { status: number; sentence: string; rows?: readonly BadRow[] },
  ) {
    super('CONTROL_FAILED', {
      attempt: 'drive the mock',
      subject: mock,
      reason: `it answered ${status}`,
      remedy: 'Do as it says',
    });
    this.message = escapeControls(sentence);
    this.rows = rows;
  }
}

/** A mock that takes longer than this for one answer hangs, in milliseconds. */
const patienceMs = 30_000;

interface Received {
  readonly status: number;
  /** Undefined where it is no JSON, or there is none. */
  readonly value: JsonValue | undefined;
  readonly isUndeclared: boolean;
}

interface MockAddress {
  /** `http://127.0.0.1:4010` */
  readonly mock: string;
  readonly token: string | undefined;
}

function toReason(error: unknown, mock: string): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `it did not answer within ${patienceMs / 1_000} seconds`;
  }
  // fetch hides what happened one error deeper.
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return describeConnectionFailure({ error: cause, place: new URL(mock).host });
}

async function receive(
  { mock, token }: MockAddress,
  { method, target }: ReturnType<typeof toControlTarget>,
  body?: JsonValue,
): Promise<Received> {
  try {
    const response = await fetch(`${mock}${controlPrefix}${target}`, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        ...(token === undefined ? {} : { 'cloche-control-token': token }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(patienceMs),
      ...(body === undefined ? {} : { body: stringifyJson(body) }),
    });
    const read = parseJson(await response.text(), { explains: false });
    return {
      status: response.status,
      value: read.kind === 'json' ? read.value : undefined,
      isUndeclared: response.headers.has('cloche-undeclared'),
    };
  } catch (error) {
    throw fail(mock, {
      reason: toReason(error, mock),
      remedy: 'Start one with cloche mock, or say with --mock where it is',
    });
  }
}

function fail(mock: string, why: { readonly reason: string; readonly remedy: string }): ClocheError {
  return new ClocheError('CONTROL_FAILED', { attempt: 'drive the mock', subject: mock, ...why });
}

/** The refusal of the mock in its own words; undefined if the response is not one. */
function toRefusal(mock: string, { status, value }: Received): ControlRefusal | undefined {
  const { code, message, rows } = readControlError(value);
  return code === status && message !== undefined
    ? new ControlRefusal(mock, { status, sentence: message, rows })
    : undefined;
}

/** Makes sure that a mock listens there, as nothing is changed at a stranger's, and gives its version. */
async function greet(address: MockAddress): Promise<string> {
  const { mock } = address;
  const received = await receive(address, toControlTarget('getService', {}));
  const { status, value, isUndeclared } = received;
  if (status === 200 && isJsonObject(value) && typeof value['cloche'] === 'string') return value['cloche'];
  if (isUndeclared) {
    throw fail(mock, {
      reason: 'its control interface is switched off',
      remedy: 'Start it without --no-control',
    });
  }
  const refusal = status === 401 || status === 403 ? toRefusal(mock, received) : undefined;
  throw (
    refusal ??
    fail(mock, {
      reason: `what listens there is no mock of Cloche: it answered ${status} where a mock names its service`,
      remedy: 'Say with --mock where the mock is',
    })
  );
}

/**
 * Connects with the first call, which throws CONTROL_FAILED where there is no mock, where its control
 * interface is switched off, and where it wants another token.
 */
function connectToMock(address: MockAddress): MockClient {
  const { mock } = address;
  let greeted: Promise<string> | undefined;
  let version: string | undefined;
  return {
    version: () => version,
    async call(id, ...[parameters = {}, body]) {
      greeted ??= greet(address);
      version = await greeted;
      const line = toControlTarget(id, parameters);
      // `as`: bodies are JSON; an undefined member is none of theirs.
      const received = await receive(address, line, body as JsonValue | undefined);
      const { status, value } = received;
      // `as`: the document of the control interface says so.
      if (status >= 200 && status < 300) return { value, shown: value as never };
      throw (
        toRefusal(mock, received) ??
        fail(mock, {
          reason: `it answered ${status} to ${line.method} ${controlPrefix}${line.target.split('?')[0] ?? ''}`,
          remedy: 'Look at what the mock itself prints',
        })
      );
    },
  };
}

/** What the mock says itself is clear, and so is what is wrong with a command. */
function isClear(error: unknown): boolean {
  return error instanceof ControlRefusal || (error instanceof ClocheError && error.code !== 'CONTROL_FAILED');
}

/**
 * Acts on a running mock, which may be of another version of Cloche: most answers are the same in all.
 *
 * @throws ClocheError CONTROL_FAILED where there is no mock to do it to, it refuses, or it is too different
 */
export async function actOnMock(
  address: MockAddress,
  handle: (client: MockClient) => Promise<ActionResult>,
): Promise<ActionResult> {
  const client = connectToMock(address);
  try {
    return await handle(client);
  } catch (error) {
    const own = readVersion();
    const version = client.version() ?? own;
    if (version === own || isClear(error)) throw error;
    throw new ClocheError('CONTROL_FAILED', {
      attempt: 'drive the mock',
      subject: address.mock,
      reason: `it is of Cloche ${version}, this is ${own}, and they do not understand each other here`,
      remedy: 'Use one version for both',
      cause: error,
    });
  }
}

const inlineJson = /^\s*[[{"]/u;

async function readText(argument: string): Promise<{ readonly name: string; readonly text: string }> {
  if (inlineJson.test(argument)) return { name: argument, text: argument };
  const isInput = argument === '-';
  try {
    const bytes = await (isInput ? collectBytes(process.stdin) : readFileBytes(argument));
    return { name: isInput ? 'standard input' : argument, text: new TextDecoder().decode(bytes) };
  } catch (cause) {
    throw new ClocheError('DATA_INVALID', {
      attempt: 'read',
      subject: isInput ? 'standard input' : argument,
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
  if (read.kind === 'json') return read.value;
  throw new ClocheError('JSON_SYNTAX', {
    attempt: 'read',
    subject: name,
    reason: `${read.line}:${read.column}: ${read.reason}`,
    remedy: 'Correct the JSON',
  });
}

const defaultMock = 'http://127.0.0.1:4010';

/**
 * Acts on the mock that a command names and prints what came of it; the exit code is 1 where what was asked
 * is not so.
 *
 * @throws ClocheError CONTROL_FAILED where there is no mock to do it to, or it refuses
 */
export async function runAction(
  handle: (client: MockClient, input: never) => Promise<ActionResult>,
  given: Given<Picked<'mock' | 'control-token' | 'json'>>,
): Promise<void> {
  const input = readArguments(given);
  const mock = parseServiceUrl(input.mock ?? (process.env['CLOCHE_MOCK'] || defaultMock));
  const token = readToken(input['control-token'], 'CLOCHE_CONTROL_TOKEN');
  // `as`: what was read is what the options of the action say, and what it takes follows from them.
  const result = await actOnMock({ mock, token }, (client) => handle(client, input as never));
  const { value, lines, notes = [], holds = true } = result;
  if (input.json) {
    printJson(value ?? {});
  } else {
    // A body is shown on its own lines.
    lines.forEach((line) => printText(process.stdout, line));
    printLines(process.stderr, notes);
  }
  process.exitCode = holds ? 0 : 1;
}
