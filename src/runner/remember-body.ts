import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonValue } from '../json/json-value.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import type { Operation } from '../contract/operation.ts';
import type { RunMemory } from './create-run-memory.ts';

/** Among so many plain bodies there are two that are equal, if there are any. */
const mostKept = 1_000;

function withoutKey(value: JsonValue, { kind }: Operation): JsonValue {
  return kind.kind === 'create' && kind.key.kind === 'client' && isJsonObject(value)
    ? { ...value, [kind.key.property]: null }
    : value;
}

/**
 * Notes a plain body that was taken under a fresh key. An operation that takes equal ones wants no value to be unique.
 *
 * @param input.value - valid
 */
export function rememberBody(input: {
  readonly memory: Pick<RunMemory, 'takenBodies' | 'takesEqual'>;
  readonly operation: Operation;
  readonly value: JsonValue;
}): void {
  const { memory, operation, value } = input;
  const { takenBodies, takesEqual } = memory;
  if (takesEqual.has(operation.id) || takenBodies.size >= mostKept) {
    return;
  }
  const text = `${operation.id} ${stringifyJson(withoutKey(value, operation))}`;
  if (takenBodies.has(text)) {
    takesEqual.add(operation.id);
  }
  takenBodies.add(text);
}
