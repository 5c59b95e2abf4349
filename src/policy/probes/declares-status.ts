import type { Operation } from '../../contract/operation.ts';

/** Whether the document declares a status for an operation by itself. */
export function declaresStatus({ responses }: Operation, wanted: number): boolean {
  return responses.some(({ status }) => status.kind === 'exact' && status.status === wanted);
}
