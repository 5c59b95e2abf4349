import type { DeclaredResponse } from './declared-response.ts';
import type { Operation } from './operation.ts';

/** The response that an operation answers a success with: of a create the one it was inferred from, else the first 2xx. */
export function findDeclaredSuccess({ kind, responses }: Operation): DeclaredResponse | undefined {
  return kind.kind === 'create'
    ? responses.find(({ pointer }) => pointer === kind.success)
    : responses.find(
        ({ status }) =>
          (status.kind === 'exact' && Math.floor(status.status / 100) === 2) ||
          (status.kind === 'range' && status.hundreds === 2),
      );
}
