import type { Operation } from '../../contract/operation.ts';

/** The property of the body that holds the key of what is created, where the client sends it. */
export function clientKey({ kind }: Operation): string | undefined {
  return kind.kind === 'create' && kind.key.kind === 'client' ? kind.key.property : undefined;
}
