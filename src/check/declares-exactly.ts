import type { Operation } from '../contract/operation.ts';

/** Whether an operation declares a status by itself, not only by a range or `default`. */
export function declaresExactly(operation: Operation | undefined, status: number): boolean {
  return (
    operation?.responses.some(
      ({ status: pattern }) => pattern.kind === 'exact' && pattern.status === status,
    ) ?? false
  );
}
