import { ClocheError } from '../../errors/cloche-error.ts';
import { describeConnectionFailure } from '../../http/describe-connection-failure.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { parseJson } from '../../json/parse-json.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { BadRow } from '../../mock/state/data-error.ts';
import { controlPrefix } from '../../mock/control/control-prefix.ts';
import { ControlRefusal } from './control-refusal.ts';
import type { ControlCall, MockClient } from './mock-client.ts';

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
export interface MockAddress {
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
  if (status === 200 && isJsonObject(value) && typeof value['cloche'] === 'string') {
    return value['cloche'];
  }
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
export function connectToMock(address: MockAddress): MockClient {
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
      if (status >= 200 && status < 300) {
        return value;
      }
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
