import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { BehaviourValues } from '../../policy/behaviour.ts';
import { schemaAt, schemaProperties } from '../../schema/properties.ts';
import { type JsonSchema, schemasInPlace, schemaTypes } from '../../schema/walk.ts';
import { type CheckContext, contextOf } from '../classify/subject.ts';
import { partial, qualify, replaceClause } from './conclusions.ts';
import { isPartOfId, type Item } from './items.ts';
import { concludePatch, type Observation, ownMember, type Tracker } from './observations.ts';
import type { Representation, Step } from './trace-steps.ts';
import { isBlank, compareValues, isDefault, isState } from './values.ts';

/** Returns the meaning of an update in application/json, if a run enforces one. */
export function enforcedNotation(
  { operation }: Step,
  context: CheckContext,
): BehaviourValues['patch-notation'] | undefined {
  const { enforced, policy } = contextOf(context, operation);
  return enforced.has('patch-notation') ? policy['patch-notation'] : undefined;
}

/** Returns whether a property that a patch removed must have its default, or nothing, by its schema and the policy. */
function hasDefault(by: Step, schema: JsonSchema | undefined, context: CheckContext): boolean {
  const isDeclared = schema !== undefined && schemasInPlace(schema, schema).some((part) => 'default' in part);
  return isDeclared && by.role?.kind === 'update' && enforcedNotation(by, context) === 'merge';
}

/** Judges properties that a replace omitted or a patch removed, but that are still shown. */
export function judgeLeftOut(
  {
    item,
    look,
    undone,
  }: { readonly item: Item; readonly look: Observation; readonly undone: ReadonlySet<Step> },
  tracker: Tracker,
): void {
  const { items, conclude, contract } = tracker;
  judgePartsLeftOut(item, look, tracker);
  for (const [name, known] of item.known) {
    const [before] = known.earlier;
    if (known.value !== undefined || before === undefined) continue;
    const property = schemaProperties(look.schema).get(name);
    const shown = ownMember(look.value, name);
    if (property === undefined || property.readOnly || property.writeOnly || shown === undefined) continue;
    const schemas = { written: known.schema, shown: schemaAt(look.schema, [name]) };
    const isNull = shown === null && known.by.notation === 'merge-patch' && known.by.role?.kind === 'update';
    const isKept = isNull
      ? !schemaTypes(schemas.shown ?? true).has('null')
      : !isBlank(shown) && compareValues(before.value, shown, schemas) === undefined;
    const isOther = shown !== null && hasDefault(known.by, schemas.shown, tracker.context);
    item.known.delete(name);
    // A replace cannot remove a property that its schema does not have.
    const isWritable = schemaProperties(known.by.written?.schema).has(name);
    if (known.by.role?.kind === 'replace' && (!isWritable || isKey(item, name))) continue;
    // A write without any effect has another finding.
    if (
      !(isKept || isOther) ||
      undone.has(known.by) ||
      isDefault(schemas.written, shown) ||
      isDefault(schemas.shown, shown)
    )
      continue;
    const { by } = known;
    // The service may have set a flag or a state again.
    const answered = ownMember(by.shown?.value, name);
    if (isState(schemas.shown, shown) && !(answered !== undefined && jsonEqual(answered, shown))) continue;
    const shownBy = items.chainTo(item.place.collection, item.madeBy, before.by, by, look.by);
    if (by.role?.kind === 'replace') {
      if (isPartial(by, look)) continue;
      conclude('replace-is-partial', {
        of: by,
        ...qualify([by], contract, partial),
        ...(isPartOfId(item, shown) ? { level: 'warning' as const } : {}),
        shownBy,
        clause: replaceClause,
        expected: `nothing of /${name}, which was left out of the replace`,
        received: `/${name} as it was before`,
        cause: `${name} still there`,
      });
    } else if (isOther || !property.required) {
      concludePatch(conclude, by, {
        shownBy,
        expected: `no /${name}, which the update set to null`,
        received: isNull
          ? `null for /${name}`
          : `/${name} ${isKept ? 'as it was before' : 'with another value than its default'}`,
        cause: `${name} not removed`,
      });
    }
  }
}

/** Judges members of an object that a replace omitted, but that are still shown. */
function judgePartsLeftOut(item: Item, look: Observation, { items, conclude, contract }: Tracker): void {
  for (const [name, { value, by, earlier, schema }] of item.known) {
    const [before] = earlier;
    const shown = ownMember(look.value, name);
    const isMerge = by.role?.kind === 'update' && by.notation === 'merge-patch';
    if ((by.role?.kind !== 'replace' && !isMerge) || before === undefined) continue;
    if (!isObject(value) || !isObject(before.value) || !isObject(shown)) continue;
    const declared = schemaProperties(schema);
    const shownAs = schemaProperties(schemaAt(look.schema, [name]));
    const kept = Object.entries(before.value).find(
      ([inner, each]) =>
        declared.get(inner)?.readOnly === false &&
        // Responses show a required member even if it was omitted.
        shownAs.get(inner)?.required !== true &&
        !Object.hasOwn(value, inner) &&
        !isBlank(each) &&
        !isDefault(schemaAt(schema, [inner]), each) &&
        jsonEqual(ownMember(shown, inner) ?? null, each),
    );
    if (kept === undefined) continue;
    const words = `${name}/${kept[0]}`;
    item.known.delete(name);
    const shownBy = items.chainTo(item.place.collection, item.madeBy, before.by, by, look.by);
    if (isMerge) {
      concludePatch(conclude, by, {
        shownBy,
        expected: `no /${words}, which the update set to null`,
        received: `/${words} as it was before`,
        cause: `${words} not removed`,
      });
      continue;
    }
    conclude('replace-is-partial', {
      of: by,
      ...qualify([by], contract, partial),
      shownBy,
      clause: replaceClause,
      expected: `nothing of /${words}, which was left out of the replace`,
      received: `/${words} as it was before`,
      cause: `${words} still there`,
    });
  }
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== undefined && isJsonObject(value);

const isKey = ({ place: { resource } }: Item, name: string): boolean =>
  resource.key.kind !== 'none' && resource.key.property === name;

/** Returns whether a replace accepts a partial item, and so cannot mean to replace the whole item. */
function isPartial({ written }: Step, { schema }: Observation): boolean {
  const takes = schemaProperties(written?.schema);
  return [...schemaProperties(schema)].some(
    ([name, { required, readOnly }]) =>
      required &&
      !readOnly &&
      takes.has(name) &&
      written !== undefined &&
      !Object.hasOwn(written.value, name) &&
      !takesDefault(written.schema, name),
  );
}

function takesDefault(schema: Representation['schema'], name: string): boolean {
  const property = schemaAt(schema, [name]);
  return typeof property === 'object' && Object.hasOwn(property, 'default');
}
