import type { DeclaredResponse } from '../../contract/declared-response.ts';
import type { Operation } from '../../contract/operation.ts';

/** Statuses that a success has when the document says no more than `2XX` or `default`. */
const plainStatus = 200;

function rank({ status }: DeclaredResponse): number {
  switch (status.kind) {
    case 'exact': {
      const preferred = [200, 201, 202, 204, 203].indexOf(status.status);
      return preferred !== -1
        ? preferred
        : status.status >= 200 && status.status < 300
          ? 5
          : status.status < 400
            ? 8
            : 9;
    }
    case 'range':
      return status.hundreds === 2 ? 6 : 9;
    case 'default':
      return 7;
  }
}

/** The response that an operation succeeds with: a 2xx, else `default`, else a 3xx, else whatever is declared. */
export function findSuccessResponse({ kind, responses }: Operation): DeclaredResponse | undefined {
  const named =
    kind.kind === 'create' ? responses.find(({ pointer }) => pointer === kind.success) : undefined;
  return named ?? responses.toSorted((left, right) => rank(left) - rank(right))[0];
}

/** The status that an answer under a declared response has. */
export function statusOf({ status }: DeclaredResponse): number {
  switch (status.kind) {
    case 'exact':
      return status.status;
    case 'range':
      return status.hundreds * 100;
    case 'default':
      return plainStatus;
  }
}
