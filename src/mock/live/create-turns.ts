/** Creates a function that does one thing after the other, each when those before it have ended, however they ended. */
export function createTurns(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const done = last.then(act, act);
    last = done.catch(() => undefined);
    return done;
  };
}
