import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { askControl } from './ask-control.ts';
import type { Asked } from './asked.ts';

/** What a path answers, kept up to date. */
export interface Answering<T> {
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
  if (!asked.ok) {
    return known.problem === asked.message ? known : { ...known, problem: asked.message };
  }
  const isSame = known.text === asked.text && known.problem === undefined;
  return isSame ? known : { path, text: asked.text, value: asked.value };
}

/**
 * Asks for a path, and again whenever the beat moves on; never twice at a time, and less often the longer an answer
 * takes, as a busy mock beats fast.
 *
 * @param beat - see useRequests
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
