import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import {
  type BodyOf,
  type ControlOperationId,
  type GivenOf,
  type ParametersOf,
  readControlError,
  type ShownOf,
  toControlTarget,
} from '../../mock/control/calls.ts';
import type { BadRow } from '../../mock/state/rows.ts';

/** The result of a request to the control interface. */
export type Asked<T> =
  | {
      readonly ok: true;
      readonly value: T;
      /** The received content. */
      readonly text: string;
    }
  | {
      readonly ok: false;
      /** Undefined if there was no response. */
      readonly status: number | undefined;
      /** A message for the user of the page. */
      readonly message: string;
      /** The invalid rows of the sent data. */
      readonly rows: readonly BadRow[];
    };

/** Creates the result of a failed request; without a status, there was no response. */
export function toFailure(
  message: string,
  { status, rows = [] }: { readonly status?: number; readonly rows?: readonly BadRow[] } = {},
): Extract<Asked<unknown>, { readonly ok: false }> {
  return { ok: false, status, message, rows };
}

/** The name of the control token in the storage of the browser and in requests. */
const name = 'cloche-control-token';

/** Stores the token of a mock that other machines can reach; requests send it until the browser's tab is closed. */
export function keepControlToken(token: string): void {
  sessionStorage.setItem(name, token);
}

/** The time after which the mock counts as gone; longer than the interface waits for requests. */
const timeoutMs = 15_000;

function toHeaders(hasBody: boolean): Record<string, string> {
  const token = sessionStorage.getItem(name);
  return {
    accept: 'application/json',
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    ...(token === null ? {} : { [name]: token }),
  };
}

/** The mock reads request heads of 16 KiB at most. The rest is for the header fields of the browser. */
const mostUrlBytes = 14_000;

interface Asking<Body> {
  readonly body?: Body;
  /** The body as typed JSON. It is sent unchanged, because a parsed number may lose digits. */
  readonly text?: string;
  readonly signal?: AbortSignal;
}

/** Calls an operation of the control interface of the page's mock. It throws only if `signal` aborts. */
export async function askControl<Id extends ControlOperationId>(
  id: Id,
  parameters: ParametersOf<Id>,
  { body, signal, text: typed }: Asking<BodyOf<Id>> = {},
): Promise<Asked<ShownOf<Id>>> {
  const { method, target } = toControlTarget(id, parameters);
  const url = new URL(target.slice(1), document.baseURI);
  // `as`: bodies are JSON.
  const content = body === undefined ? typed : stringifyJson(body as JsonValue);
  // The mock would log it as a rejected request. The page would see a new request and call again, without end.
  const { length } = url.href;
  if (length > mostUrlBytes) {
    return toFailure(
      `The request has a URL of ${length} bytes, and the mock reads at most ${mostUrlBytes}: the id or text in it is too long. Export the state to see everything.`,
    );
  }
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers: toHeaders(content !== undefined),
      body: content ?? null,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    const text = await response.text();
    const parsed = text === '' ? undefined : parseJson(text);
    const value = parsed?.kind === 'json' ? parsed.value : undefined;
    if (!response.ok) {
      const { status } = response;
      const { message = `The mock answered ${status}.`, rows } = readControlError(value);
      return toFailure(message, { status, rows });
    }
    // `as`: the control interface's document declares it; 204 has no content, and its value is undefined.
    return { ok: true, value: value as ShownOf<Id>, text };
  } catch (error) {
    signal?.throwIfAborted();
    const isSlow = error instanceof DOMException && error.name === 'TimeoutError';
    return toFailure(isSlow ? 'The mock takes too long to answer.' : 'The mock does not answer.');
  }
}

/** The current response of a path. */
interface Answering<T> {
  /** Undefined until the first response; the last response if the mock is away. */
  readonly value: T | undefined;
  /** The reason why there is no newer response. */
  readonly problem: string | undefined;
  /** Calls again immediately. */
  readonly reload: () => void;
}

/** The pause after a response, as a multiple of its duration. */
const restFactor = 4;

interface Shown<T> {
  readonly path: string;
  readonly text?: string | undefined;
  readonly value?: T | undefined;
  readonly problem?: string | undefined;
}

/** Returns the state after a response: the same object if nothing changed, because then nothing is rendered again. */
function follow<T>(before: Shown<T>, path: string, asked: Asked<T>): Shown<T> {
  const known: Shown<T> = before.path === path ? before : { path };
  if (!asked.ok) return known.problem === asked.message ? known : { ...known, problem: asked.message };
  const isSame = known.text === asked.text && known.problem === undefined;
  return isSame ? known : { path, text: asked.text, value: asked.value };
}

/**
 * Calls an operation, and again when the beat of useRequests changes. It never has two calls at a time, and calls less
 * often the longer a response takes, because the beat of a busy mock is fast.
 */
export function useAnswer<Id extends ControlOperationId>(
  id: Id,
  parameters: ParametersOf<Id>,
  beat: number,
): Answering<ShownOf<Id>> {
  const path = toControlTarget(id, parameters).target;
  const [shown, setShown] = useState<Shown<ShownOf<Id>>>({ path });
  const ask = useRef<() => void>(() => undefined);
  const restsUntil = useRef(0);
  useEffect(() => {
    const control = new AbortController();
    restsUntil.current = 0;
    let isUnderWay = false;
    let isStale = false;
    async function run(): Promise<void> {
      do {
        isStale = false;
        const begun = performance.now();
        const asked = await askControl(id, parameters, { signal: control.signal });
        const now = performance.now();
        restsUntil.current = now + restFactor * (now - begun);
        setShown((before) => follow(before, path, asked));
      } while (isStale);
    }
    ask.current = () => {
      isStale = true;
      if (!isUnderWay) {
        isUnderWay = true;
        // Only the signal rejects it, and then the result is not needed.
        run()
          .catch(() => undefined)
          .finally(() => {
            isUnderWay = false;
          });
      }
    };
    return () => control.abort();
  }, [path]);
  useEffect(() => {
    // If the mock still rests, a later beat calls it.
    if (performance.now() >= restsUntil.current) {
      ask.current();
    }
  }, [path, beat]);
  const reload = useCallback(() => ask.current(), []);
  const isCurrent = shown.path === path;
  return {
    value: isCurrent ? shown.value : undefined,
    problem: isCurrent ? shown.problem : undefined,
    reload,
  };
}

/** The current response of a path, and the result of its changes. */
interface Changing<T> extends Pick<Answering<T>, 'value'> {
  /** The reason why the last change failed, or why there is no newer response. */
  readonly enforced: string | undefined;
  /** Calls an operation that changes it, and then reloads it. */
  readonly change: <Id extends ControlOperationId>(id: Id, ...given: GivenOf<Id>) => Promise<void>;
}

/** Calls an operation without parameters like useAnswer, and calls others that change its response. */
export function useChanges<Id extends ControlOperationId>(id: Id, beat: number): Changing<ShownOf<Id>> {
  const { value, problem, reload } = useAnswer(id, {}, beat);
  const [failure, setFailure] = useState<string>();
  async function change<Change extends ControlOperationId>(
    by: Change,
    ...[parameters = {}, body]: GivenOf<Change>
  ): Promise<void> {
    const asked = await askControl(by, parameters, body === undefined ? {} : { body });
    setFailure(asked.ok ? undefined : asked.message);
    reload();
  }
  return { value, enforced: failure ?? problem, change };
}
