import type { Operation } from '../../contract/operation.ts';
import { toPreference } from './to-preference.ts';

/** Says that an operation has no example of a name, a part of a sentence. */
export function explainNoExample(
  operation: Operation | undefined,
  { example, status }: { readonly example: string; readonly status: number | undefined },
): string {
  const subject = operation === undefined ? 'what the document does not declare' : operation.id;
  return `${subject} has no ${toPreference('example', example)}${status === undefined ? '' : ` for ${status}`}`;
}
