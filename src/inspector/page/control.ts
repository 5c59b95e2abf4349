import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import type { BadRow } from '../../mock/state/rows.ts';

/** What came of a request to the control interface. */
export type Asked<T> =
  | {
      readonly ok: true;
      readonly value: T;
      /** The content as it came. */
      readonly text: string;
    }
  | {
      readonly ok: false;
      /** Undefined where there was no answer. */
      readonly status: number | undefined;
      /** In words, for whoever looks at the page. */
      readonly message: string;
      /** What of the data that was sent is wrong. */
      readonly rows: readonly BadRow[];
    };

/** Of the control token, in the storage of the browser and in requests. */
const name = 'cloche-control-token';

/** Sends the token that a mock wants which other machines reach, until the browser's tab is closed. */
export function keepControlToken(token: string): void {
  sessionStorage.setItem(name, token);
}

/** Longer than the interface waits for requests; what takes longer is taken for gone. */
const timeoutMs = 15_000;

function toHeaders(hasBody: boolean): Record<string, string> {
  const token = sessionStorage.getItem(name);
  return {
    accept: 'application/json',
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    ...(token === null ? {} : { [name]: token }),
  };
}

function toProblem(status: number, value: JsonValue | undefined): Asked<never> {
  const body = isJsonObject(value) ? value : {};
  const { message, rows } = body;
  return {
    ok: false,
    status,
    message: typeof message === 'string' ? message : `The mock answered ${status}.`,
    // `as`: the control interface's document says so of its 422.
    rows: Array.isArray(rows) ? (rows as unknown as readonly BadRow[]) : [],
  };
}

/** The mock reads request heads of 16 KiB at most. The rest is for the header fields of the browser. */
const mostUrlBytes = 14_000;

function refuseUrl({ href }: URL): Asked<never> {
  const message = `The request has a URL of ${href.length} bytes, and the mock reads at most ${mostUrlBytes}: the id or text in it is too long. Export the state to see everything.`;
  return { ok: false, status: undefined, message, rows: [] };
}

interface Asking {
  readonly method?: string;
  /** A text is sent as it is, so that no digit of what somebody typed is lost. */
  readonly body?: { readonly text: string } | { readonly value: JsonValue };
  readonly signal?: AbortSignal;
}

/**
 * Asks the control interface that the page came from. It never throws but for the signal. The path is below the prefix,
 * without a slash before it: `state/resource?key=1`.
 */
export async function askControl<T = undefined>(path: string, input: Asking = {}): Promise<Asked<T>> {
  const { method = 'GET', body, signal } = input;
  const url = new URL(path, document.baseURI);
  // The mock would log it as a rejected request. A page that sees a new request asks again, without end.
  if (url.href.length > mostUrlBytes) return refuseUrl(url);
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers: toHeaders(body !== undefined),
      body: body === undefined ? null : 'text' in body ? body.text : stringifyJson(body.value),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    const text = await response.text();
    const parsed = text === '' ? undefined : parseJson(text);
    const value = parsed?.kind === 'json' ? parsed.value : undefined;
    if (!response.ok) return toProblem(response.status, value);
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

/** A resource of the document. */
export interface KeptKind {
  readonly kind: 'collection' | 'singleton';
  /** The template of its path: `/shops/{shop}/orders`. */
  readonly collection: string;
  /** The template of the collection whose items hold it. */
  readonly parent?: string;
}

/** What the mock says of itself. */
export interface Service {
  readonly title: string;
  readonly version: string;
  /** Where its document was read. */
  readonly source: string;
  /** Another one after the mock was started again. */
  readonly startedAt: string;
  readonly operations: readonly {
    readonly id: string;
    readonly method: string;
    readonly path: string;
    readonly kind: string;
    /** The path of the resource that it is about. */
    readonly collection?: string;
  }[];
  /** What clients can have it keep. */
  readonly resources: readonly KeptKind[];
  /** What watching its files had to say last. */
  readonly notices: readonly string[];
}

/** What a path answers, kept up to date. */
interface Answering<T> {
  /** Undefined until the first answer; what was last answered where the mock is away. */
  readonly value: T | undefined;
  /** Why there is no newer answer. */
  readonly problem: string | undefined;
  /** Asks again at once. */
  readonly reload: () => void;
}

/** So many times as long as an answer took the mock is left alone. */
const restFactor = 4;

interface Shown<T> {
  readonly path: string;
  readonly text?: string | undefined;
  readonly value?: T | undefined;
  readonly problem?: string | undefined;
}

/** What is shown after an answer: the same object where nothing is new, so that nothing is drawn again. */
function follow<T>(before: Shown<T>, path: string, asked: Asked<T>): Shown<T> {
  const known: Shown<T> = before.path === path ? before : { path };
  if (!asked.ok) return known.problem === asked.message ? known : { ...known, problem: asked.message };
  const isSame = known.text === asked.text && known.problem === undefined;
  return isSame ? known : { path, text: asked.text, value: asked.value };
}

/**
 * Asks for a path, and again whenever the beat of useRequests moves on; never twice at a time, and less often the longer
 * an answer takes, as a busy mock beats fast.
 */
export function useAnswer<T>(path: string, beat: number): Answering<T> {
  const [shown, setShown] = useState<Shown<T>>({ path });
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
        const asked = await askControl<T>(path, { signal: control.signal });
        const now = performance.now();
        restsUntil.current = now + restFactor * (now - begun);
        setShown((before) => follow(before, path, asked));
      } while (isStale);
    }
    ask.current = () => {
      isStale = true;
      if (!isUnderWay) {
        isUnderWay = true;
        // Only the signal rejects it, and then nobody waits for it any more.
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
    // Another beat follows.
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

/** What a path answers, and what came of the changes that were asked for. */
interface Changing<T> extends Pick<Answering<T>, 'value'> {
  /** Why the last change was not made, or why there is no newer answer. */
  readonly enforced: string | undefined;
  /** Asks for a change, and then for the path again. */
  readonly change: (path: string, input: Asking) => Promise<void>;
}

/** Asks for a path as useAnswer does, and changes what it answers. */
export function useChanges<T>(path: string, beat: number): Changing<T> {
  const { value, problem, reload } = useAnswer<T>(path, beat);
  const [failure, setFailure] = useState<string>();
  async function change(at: string, input: Asking): Promise<void> {
    const asked = await askControl(at, input);
    setFailure(asked.ok ? undefined : asked.message);
    reload();
  }
  return { value, enforced: failure ?? problem, change };
}
