import type { Judged } from './judged.ts';

function sameBytes(left: Uint8Array | undefined, right: Uint8Array | undefined): boolean {
  return left === undefined || right === undefined
    ? left === right
    : left.length === right.length && left.every((byte, index) => byte === right[index]);
}

/** Whether two requests are one byte for byte, their keys included. */
export function sameRequest(
  { exchange: { request: left } }: Judged,
  { exchange: { request: right } }: Judged,
): boolean {
  return (
    left.method === right.method &&
    left.target === right.target &&
    sameBytes(left.body, right.body) &&
    JSON.stringify(left.headers) === JSON.stringify(right.headers)
  );
}
