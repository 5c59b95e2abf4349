/**
 * A value that is there, or will be. The hot path goes on at once with what is there: a promise for each
 * request would cost more than the work it waits for.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value when it is there: now, or later. */
export function whenThere<T, U>(
  value: MaybePromise<T>,
  goOn: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then((later) => goOn(later)) : goOn(value);
}
