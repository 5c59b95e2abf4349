import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import type { Options } from 'yargs';
import { readVersion } from '../../document/package-manifest.ts';
import { ClocheError, describeReadFailure } from '../../errors/cloche-error.ts';
import { escapeControls } from '../../errors/console-text.ts';
import { describeConnectionFailure } from '../../http/failures.ts';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { controlPrefix } from '../../mock/control/operation.ts';
import type { BadRow } from '../../mock/state/rows.ts';
import {
  type ArgumentReader,
  checkNumber,
  checkText,
  checkToken,
  createArgumentReader,
  parseServiceUrl,
} from '../arguments.ts';
import { printJson, printLines, printText } from '../terminal.ts';

/** Something that a running mock is asked for. */
interface ControlCall {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the prefix of the control interface, percent-encoded: `/snapshots/full`. */
  readonly path: string;
  /** Parameters; those that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** @defaultValue none */
  readonly body?: JsonValue;
}

/** A running mock, driven over its control interface. */
export interface MockClient {
  /**
   * Asks it for something.
   *
   * @returns what it answers, every number with its digits; undefined where it answers nothing
   * @throws ClocheError CONTROL_FAILED, with the sentence of the mock where it refuses
   */
  readonly call: (wanted: ControlCall) => Promise<JsonValue | undefined>;
  /** The version of Cloche that the mock is of; undefined before the first call. */
  readonly version: () => string | undefined;
}

/** What came of something that was done to a running mock. */
export interface ActionResult {
  /** For programs; undefined where there is nothing to say but that it was done. */
  readonly value: JsonValue | undefined;
  /** For people. */
  readonly lines: readonly string[];
  /**
   * What people are told besides, on stderr.
   *
   * @defaultValue nothing
   */
  readonly notes?: readonly string[];
  /**
   * Whether what was asked is so.
   *
   * @defaultValue true
   */
  readonly holds?: boolean;
}

/** What an action was given. */
export interface ActionArguments extends ArgumentReader {
  /** The text of an argument that it cannot do without. */
  readonly required: (name: string) => string;
  /** A whole number, not negative. */
  readonly whole: (option: string) => number | undefined;
}

/** Something that can be done to a running mock. */
export interface Action {
  /** Its arguments and options, by name, besides those that all have. */
  readonly options?: Readonly<Record<string, Options>>;
  /** @throws ClocheError CONTROL_FAILED, and OPTION_INVALID for what it cannot read */
  readonly act: (client: MockClient, given: ActionArguments) => Promise<ActionResult>;
}

/** What a running mock refuses, in its own words, as it knows best what is wrong. */
export class ControlRefusal extends ClocheError {
  /** What it names each bad row by, where it refuses data. */
  readonly rows: readonly BadRow[];

  /**
   * @param input.sentence - what the mock says
   * @param input.rows - none where left out
   */
  constructor(input: {
    readonly mock: string;
    readonly status: number;
    readonly sentence: string;
    readonly rows?: readonly BadRow[];
  }) {
    const { mock, status, sentence, rows = [] } = input;
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

/** An answer as it came. */
interface Received {
  readonly status: number;
  /** Undefined where it is no JSON, or there is none. */
  readonly value: JsonValue | undefined;
  readonly isUndeclared: boolean;
}

/** Where a mock is, and what lets one drive it. */
interface MockAddress {
  /** `http://127.0.0.1:4010` */
  readonly mock: string;
  readonly token: string | undefined;
  /** @defaultValue the fetch of Node */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

function toTarget({ path, query = {} }: ControlCall): string {
  const members = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `${controlPrefix}${path}${members.length === 0 ? '' : `?${members.join('&')}`}`;
}

function toReason(error: unknown, mock: string): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `it did not answer within ${patienceMs / 1_000} seconds`;
  }
  // fetch hides what happened one error deeper.
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return describeConnectionFailure({ error: cause, place: new URL(mock).host });
}

async function receive(address: MockAddress, wanted: ControlCall): Promise<Received> {
  const { mock, token, fetch: send = fetch } = address;
  const body = wanted.body === undefined ? undefined : stringifyJson(wanted.body);
  try {
    const response = await send(mock + toTarget(wanted), {
      method: wanted.method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        ...(token === undefined ? {} : { 'cloche-control-token': token }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(patienceMs),
      ...(body === undefined ? {} : { body }),
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

/** The sentence of an error of the control interface; undefined where an answer is none. */
function sentenceOf({ status, value }: Received): string | undefined {
  return isJsonObject(value) && value['code'] === status && typeof value['message'] === 'string'
    ? value['message']
    : undefined;
}

/** The rows that an error of the control interface names. */
function rowsOf({ value }: Received): readonly BadRow[] {
  const rows = isJsonObject(value) ? value['rows'] : undefined;
  // `as`: the document of the control interface says so.
  return Array.isArray(rows) ? (rows as unknown as readonly BadRow[]) : [];
}

/**
 * Makes sure that what listens there is a mock that can be driven: nothing is changed at a stranger's.
 *
 * @returns the version of Cloche that it is of
 */
async function greet(address: MockAddress): Promise<string> {
  const { mock } = address;
  const received = await receive(address, { method: 'GET', path: '/service' });
  const { status, value, isUndeclared } = received;
  if (status === 200 && isJsonObject(value) && typeof value['cloche'] === 'string') return value['cloche'];
  if (isUndeclared) {
    throw fail(mock, {
      reason: 'its control interface is switched off',
      remedy: 'Start it without --no-control',
    });
  }
  const sentence = status === 401 || status === 403 ? sentenceOf(received) : undefined;
  throw sentence === undefined
    ? fail(mock, {
        reason: `what listens there is no mock of Cloche: it answered ${status} where a mock names its service`,
        remedy: 'Say with --mock where the mock is',
      })
    : new ControlRefusal({ mock, status, sentence });
}

/**
 * Connects to a running mock, with the first call.
 *
 * A call throws ClocheError CONTROL_FAILED where there is no mock, where its control interface is switched off, and
 * where it wants another token.
 */
function connectToMock(address: MockAddress): MockClient {
  const { mock } = address;
  let greeted: Promise<string> | undefined;
  let version: string | undefined;
  return {
    version: () => version,
    async call(wanted) {
      greeted ??= greet(address);
      version = await greeted;
      const received = await receive(address, wanted);
      const { status, value } = received;
      if (status >= 200 && status < 300) return value;
      const sentence = sentenceOf(received);
      throw sentence === undefined
        ? fail(mock, {
            reason: `it answered ${status} to ${wanted.method} ${controlPrefix}${wanted.path}`,
            remedy: 'Look at what the mock itself prints',
          })
        : new ControlRefusal({ mock, status, sentence, rows: rowsOf(received) });
    },
  };
}

/** What the mock says itself is clear, and so is what is wrong with a command. */
function isClear(error: unknown): boolean {
  return error instanceof ControlRefusal || (error instanceof ClocheError && error.code !== 'CONTROL_FAILED');
}

/**
 * Does something to a running mock, which may be of another version of Cloche: most answers are the same in all.
 *
 * @throws ClocheError CONTROL_FAILED where there is no mock to do it to, it refuses, or it is too different
 */
export async function actOnMock(input: {
  readonly action: Action;
  readonly address: MockAddress;
  readonly given: ActionArguments;
}): Promise<ActionResult> {
  const { action, address, given } = input;
  const client = connectToMock(address);
  try {
    return await action.act(client, given);
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

const whole = { from: 0, to: Number.MAX_SAFE_INTEGER, whole: true };

/** The command line knows such an argument for a text, and refuses to do without it. */
function checkArgument(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** yargs takes the hyphen that stands for standard input from an argument. */
function restoreHyphen(argument: string): string {
  return argument === '' && process.argv.includes('-') ? '-' : argument;
}

/**
 * Reads what an action was given.
 *
 * @param input - as yargs gives it
 */
export function createActionArguments(input: Readonly<Record<string, unknown>>): ActionArguments {
  const reader = createArgumentReader(input);
  return {
    ...reader,
    required: (name) => restoreHyphen(checkArgument(input[name])),
    whole: (option) => (input[option] === undefined ? undefined : checkNumber(option, input[option], whole)),
  };
}

/** A text that is JSON itself, and no name of a file. */
const inlineJson = /^\s*[[{"]/u;

async function readText(argument: string): Promise<{ readonly name: string; readonly text: string }> {
  if (inlineJson.test(argument)) return { name: argument, text: argument };
  if (argument === '-') return { name: 'standard input', text: await readAll(process.stdin) };
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
  if (read.kind === 'json') return read.value;
  throw new ClocheError('JSON_SYNTAX', {
    attempt: 'read',
    subject: name,
    reason: `${read.line}:${read.column}: ${read.reason}`,
    remedy: 'Correct the JSON',
  });
}

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
  if (given !== undefined) return checkToken('--control-token', given);
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
