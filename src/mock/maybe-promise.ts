/**
 * A value that is there, or will be. Code on the hot path asks with `instanceof Promise` and goes on at once
 * where it is there: a promise for each request would cost more than the work it waits for.
 */
export type MaybePromise<T> = T | Promise<T>;
