/** Does one thing after the other. */
export type Turns = <T>(act: () => Promise<T>) => Promise<T>;

/** Creates a function that does one thing after the other, each when those before it have ended, however they ended. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const done = last.then(act, act);
    last = done.catch(() => undefined);
    return done;
  };
}
