import { isJsonObject } from '../../../json/is-json-object.ts';
import type { JsonValue } from '../../../json/json-value.ts';
import { parseJson } from '../../../json/parse-json.ts';
import { stringifyJson } from '../../../json/stringify-json.ts';
import type { BadRow } from '../../../mock/state/data-error.ts';
import type { Asked } from './asked.ts';
import { controlToken } from './control-token.ts';

/** Longer than the interface waits for requests; what takes longer is taken for gone. */
const timeoutMs = 15_000;

function toHeaders(hasBody: boolean): Record<string, string> {
  const token = controlToken();
  return {
    accept: 'application/json',
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    ...(token === undefined ? {} : { 'cloche-control-token': token }),
  };
}

function toProblem(status: number, value: JsonValue | undefined): Asked<never> {
  const body = isJsonObject(value) ? value : {};
  const message = body['message'];
  const rows = body['rows'];
  return {
    ok: false,
    status,
    message: typeof message === 'string' ? message : `The mock answered ${status}.`,
    // `as`: the control interface's document says so of its 422.
    rows: Array.isArray(rows) ? (rows as unknown as readonly BadRow[]) : [],
  };
}

/**
 * Asks the control interface that the page came from. It never throws but for the signal.
 *
 * @param path - below the prefix, without a slash before it: `state/resource?key=1`
 * @param input.body - a text is sent as it is, so that no digit of what somebody typed is lost
 */
export async function askControl<T = undefined>(
  path: string,
  input: {
    readonly method?: string;
    readonly body?: { readonly text: string } | { readonly value: JsonValue };
    readonly signal?: AbortSignal;
  } = {},
): Promise<Asked<T>> {
  const { method = 'GET', body, signal } = input;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(new URL(path, document.baseURI), {
      method,
      headers: toHeaders(body !== undefined),
      body: body === undefined ? null : 'text' in body ? body.text : stringifyJson(body.value),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    const text = await response.text();
    const parsed = text === '' ? undefined : parseJson(text);
    const value = parsed?.kind === 'json' ? parsed.value : undefined;
    if (!response.ok) {
      return toProblem(response.status, value);
    }
    // `as`: the control interface's document says what each path answers; 204 has no content, and its T is undefined.
    return { ok: true, value: value as T, text };
  } catch (error) {
    signal?.throwIfAborted();
    const isSlow = error instanceof DOMException && error.name === 'TimeoutError';
    return {
      ok: false,
      status: undefined,
      message: isSlow ? 'The mock takes too long to answer.' : 'The mock does not answer.',
      rows: [],
    };
  }
}
