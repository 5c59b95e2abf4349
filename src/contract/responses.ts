import { isClientError, isSuccessStatus } from '../http/status.ts';
import type { DeclaredResponse, MediaTypeContract, Operation, StatusPattern } from './contract.ts';

function fits({ status: pattern }: DeclaredResponse, status: number): 0 | 1 | 2 | 3 {
  if (pattern.kind === 'default') return 1;
  if (pattern.kind === 'exact') return pattern.status === status ? 3 : 0;
  return pattern.hundreds === Math.floor(status / 100) ? 2 : 0;
}

/** Finds the response declared for a status: exact, or else its range, or else `default` (OpenAPI 3.1 §4.8.16). */
export function findDeclaredResponse(
  responses: readonly DeclaredResponse[],
  status: number,
): DeclaredResponse | undefined {
  let best: DeclaredResponse | undefined;
  for (const response of responses) {
    if (fits(response, status) > (best === undefined ? 0 : fits(best, status))) {
      best = response;
    }
  }
  return best;
}

/** Returns the declared success response: for a create the one it was inferred from, or else the first 2xx. */
export function findDeclaredSuccess({ kind, responses }: Operation): DeclaredResponse | undefined {
  return kind.kind === 'create'
    ? responses.find(({ pointer }) => pointer === kind.success)
    : responses.find(isSuccess);
}

/** Returns whether a response applies only to success statuses. */
export function isSuccess({ status }: DeclaredResponse): boolean {
  return (
    (status.kind === 'exact' && isSuccessStatus(status.status)) ||
    (status.kind === 'range' && status.hundreds === 2)
  );
}

/** Finds the response that an operation declares for exactly this status, not by a range or `default`. */
export function findExactResponse(
  { responses }: Pick<Operation, 'responses'>,
  status: number,
): DeclaredResponse | undefined {
  return responses.find(({ status: pattern }) => pattern.kind === 'exact' && pattern.status === status);
}

/** Returns whether a document allows any content: every media type, without schema or example (OpenAPI 3.1 §4.8.14). */
export function isOfAnyKind({ range, schema, examples }: MediaTypeContract): boolean {
  return range === '*/*' && schema === undefined && examples.length === 0;
}

/** Client error statuses that do not report invalid content (RFC 9110 §15.5, RFC 6585, RFC 7725). */
const ofOthers: ReadonlySet<number> = new Set([
  401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 423, 424, 425,
  426, 428, 429, 431, 451,
]);

/** Returns whether a status may report invalid content or parameters: 400, 422, or one without another meaning. */
export function maySayInvalid(status: number): boolean {
  return isClientError(status) && !ofOthers.has(status);
}

/** Returns whether an operation declares a response for invalid requests, by status, range or `default`. */
export function declaresRefusal({ responses }: Operation): boolean {
  return responses.some(
    ({ status }) =>
      status.kind === 'default' ||
      (status.kind === 'range' ? status.hundreds === 4 : maySayInvalid(status.status)),
  );
}

/** Ranks an error response by how well it represents other errors; 0 is best. */
function rankError({ status }: DeclaredResponse): number {
  if (status.kind === 'default') return 3;
  if (status.kind === 'range') return { 4: 2, 5: 5 }[status.hundreds] ?? Infinity;
  const ranked = [400, 422].indexOf(status.status);
  if (ranked !== -1) return ranked;
  if (status.status >= 500) return 5;
  return status.status >= 400 ? 4 : Infinity;
}

/**
 * Returns the declared error responses with described content, the most representative first: 400, 422, 4XX, default,
 * another 4xx, a 5xx (OpenAPI 3.1 §4.8.16).
 */
export function listErrorResponses({ responses }: Operation): readonly DeclaredResponse[] {
  return responses
    .filter((response) => rankError(response) < Infinity && !response.media.every(isOfAnyKind))
    .toSorted((left, right) => rankError(left) - rankError(right));
}

/** Returns a status as written in a document (OpenAPI 3.1 §4.8.16): `404`, `4XX`, `default`. */
export function statusName(pattern: StatusPattern): string {
  if (pattern.kind === 'exact') return String(pattern.status);
  return pattern.kind === 'range' ? `${pattern.hundreds}XX` : 'default';
}

function rankSuccess({ status }: DeclaredResponse): number {
  if (status.kind === 'default') return 7;
  if (status.kind === 'range') return status.hundreds === 2 ? 6 : 9;
  const preferred = [200, 201, 202, 204, 203].indexOf(status.status);
  if (preferred !== -1) return preferred;
  if (isSuccessStatus(status.status)) return 5;
  return status.status < 400 ? 8 : 9;
}

/** Returns the success response of an operation: a 2xx, else `default`, else a 3xx; undefined if there is none. */
export function findSuccessResponse({ kind, responses }: Operation): DeclaredResponse | undefined {
  const named = kind.kind === 'create' && responses.find(({ pointer }) => pointer === kind.success);
  if (named) return named;
  const [best] = responses.toSorted((left, right) => rankSuccess(left) - rankSuccess(right));
  return best === undefined || statusOf(best) >= 400 ? undefined : best;
}

/** Returns the status to use for a declared response. */
export function statusOf({ status }: DeclaredResponse): number {
  if (status.kind === 'exact') return status.status;
  return status.kind === 'range' ? status.hundreds * 100 : 200;
}

/** Returns whether an operation declares exactly this status, not only by a range or `default`. */
export function declaresExactly(operation: Operation | undefined, status: number): boolean {
  return operation !== undefined && findExactResponse(operation, status) !== undefined;
}
