import type { ListShape, Operation, ResourceKey } from '../../contract/contract.ts';
import { findSuccessResponse } from '../../contract/responses.ts';
import { holdsExactNumber, isJsonObject, type JsonValue } from '../../json/value.ts';
import {
  type CompiledSchema,
  compileSchema,
  type SchemaValidator,
  type ValidationMode,
} from '../../schema/compile.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { chooseSentMedia, memberSchema } from './representation.ts';
import { mergeSchema } from './sample-value.ts';

/** The schema of an element of a list, which stands alone; `true` where none is declared. */
export function elementSchema(list: JsonSchema, kind: ListShape['kind']): JsonSchema {
  const root = isJsonObject(list) ? list : {};
  const merged = mergeSchema(root, list);
  const item = merged[kind === 'map' ? 'additionalProperties' : 'items'];
  if (!isJsonObject(item)) return true;
  return root['$defs'] === undefined ? item : { ...item, $defs: root['$defs'] };
}

/** The schema by which the success of an operation shows an item; undefined where it shows none. */
function shownItem(operation: Operation): CompiledSchema | undefined {
  const { kind } = operation;
  const whole = chooseSentMedia(findSuccessResponse(operation)?.media ?? [])?.media.schema;
  if (whole === undefined) return undefined;
  const { schema, pointer } = whole;
  if (kind.kind === 'list') {
    const { kind: form, path, element } = kind.list;
    if (form === 'ids') return undefined;
    const item = memberSchema(elementSchema(memberSchema(schema, path), form), element);
    return compileSchema({ schema: item, pointer });
  }
  const path = 'response' in kind ? kind.response : undefined;
  if (path === undefined || path.length === 0) return path && whole;
  return compileSchema({ schema: memberSchema(schema, path), pointer });
}

const roles = ['read', 'create', 'replace', 'update', 'action', 'list'];

/**
 * What responses show of one item: those of a read before those of changes, and a list last.
 *
 * @param operations - those of its resource
 * @throws ClocheError SCHEMA_UNUSABLE where a schema refers to itself without end
 */
export function* shownItems(operations: readonly Operation[]): Generator<CompiledSchema> {
  for (const role of roles) {
    for (const operation of operations) {
      const shown = operation.kind.kind === role ? shownItem(operation) : undefined;
      if (shown !== undefined) yield shown;
    }
  }
}

/** Prepares the judging of a key: whether each response that shows it can. */
export function prepareKeyCheck(
  key: ResourceKey,
  { siblings, reading }: { readonly siblings: readonly Operation[]; readonly reading: ValidationMode },
): (value: JsonValue) => boolean {
  const toCheck =
    (property: string) =>
    ({ schema, pointer }: CompiledSchema): readonly SchemaValidator[] => {
      const member = memberSchema(schema, [property]);
      return member === true ? [] : [compileSchema({ schema: member, pointer }).validator(reading)];
    };
  let checks: readonly SchemaValidator[] | undefined;
  return (value) => {
    checks ??= key.kind === 'none' ? [] : [...shownItems(siblings)].flatMap(toCheck(key.property));
    return checks.every((check) => check(value, holdsExactNumber(value)).length === 0);
  };
}
