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
import type { Given, Picked } from '../../config/command-options.ts';
import { printJson, printLines, printText } from '../terminal.ts';

/** The response of a call: its JSON with every digit, and the value with the type that the operation declares. */
export interface Called<Shown> {
  readonly value: JsonValue | undefined;
  readonly shown: Shown;
}

/** A running mock, driven over its control interface. */
export interface MockClient {
  /**
   * Calls an operation of the control interface.
   *
   * @throws ClocheError CONTROL_FAILED, with the message of the mock if it rejects the call
   */
  readonly call: <Id extends ControlOperationId>(
    id: Id,
    ...given: GivenOf<Id>
  ) => Promise<Called<ShownOf<Id>>>;
  /** Returns the mock's version of Cloche; undefined before the first call. */
  readonly version: () => string | undefined;
}

/** The result of an action on a running mock. */
export interface ActionResult {
  /** For programs. @defaultValue an empty object */
  readonly value?: JsonValue | undefined;
  /** For people. */
  readonly lines: readonly string[];
  /** For people too, on stderr. @defaultValue nothing */
  readonly notes?: readonly string[];
  /** Whether the checked condition holds. @defaultValue true */
  readonly holds?: boolean;
}

/** Waits for a change of the mock, and returns a line that describes it. */
export async function tell(change: Promise<unknown>, line: string): Promise<ActionResult> {
  await change;
  return { lines: [line] };
}

/** An error with the message of a running mock that rejected a request, because the mock knows best what is wrong. */
export class ControlRefusal extends ClocheError {
  /** The bad rows, if the mock rejected data. */
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

/** Time limit of one response of a mock, in milliseconds. */
const patienceMs = 30_000;

interface Received {
  readonly status: number;
  /** Undefined if there is no body, or it is not JSON. */
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
  // fetch wraps the actual error in another one.
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

/** Converts an error response of the mock to an error with its message; undefined for any other response. */
function toRefusal(mock: string, { status, value }: Received): ControlRefusal | undefined {
  const { code, message, rows } = readControlError(value);
  return code === status && message !== undefined
    ? new ControlRefusal(mock, { status, sentence: message, rows })
    : undefined;
}

/** Checks that a mock listens there, and returns its version. No other service is ever changed. */
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
 * Connects with the first call. It throws CONTROL_FAILED if there is no mock, if its control interface is disabled,
 * or if it requires another token.
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
      // `as`: bodies are JSON, without undefined members.
      const received = await receive(address, line, body as JsonValue | undefined);
      const { status, value } = received;
      // `as`: the document of the control interface specifies it.
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

/**
 * Runs an action on a mock, which may be of another version of Cloche: most responses are the same in all versions.
 *
 * @throws ClocheError CONTROL_FAILED if there is no mock, if it rejects the action, or if its version is too different
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
    const isAboutCommand = error instanceof ClocheError && error.code !== 'CONTROL_FAILED';
    if (version === own || isAboutCommand || error instanceof ControlRefusal) throw error;
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
 * Reads JSON from an argument, from the file that it names, or from standard input if it is `-`.
 *
 * @throws ClocheError DATA_INVALID if it cannot be read, JSON_SYNTAX if it is not JSON
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

/**
 * Runs an action on the mock of a command, and prints the result. The exit code is 1 if the checked condition does
 * not hold.
 *
 * @throws ClocheError CONTROL_FAILED if there is no mock, or it rejects the action
 */
export async function runAction(
  handle: (client: MockClient, input: never) => Promise<ActionResult>,
  given: Given<Picked<'mock' | 'control-token' | 'json'>>,
): Promise<void> {
  const input = readArguments(given);
  const { configuredMock } = await import('../configured.ts');
  const mock = parseServiceUrl(input.mock ?? (process.env['CLOCHE_MOCK'] || (await configuredMock())));
  const token = readToken(input['control-token'], 'CLOCHE_CONTROL_TOKEN');
  // `as`: the arguments were read with the options of the action, which determine their type.
  const result = await actOnMock({ mock, token }, (client) => handle(client, input as never));
  const { value, lines, notes = [], holds = true } = result;
  if (input.json) {
    printJson(value ?? {});
  } else {
    // A body is printed on separate lines.
    lines.forEach((line) => printText(process.stdout, line));
    printLines(process.stderr, notes);
  }
  process.exitCode = holds ? 0 : 1;
}
