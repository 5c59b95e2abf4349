import { schemaAt, schemaProperties } from '../../schema/properties.ts';
import type { JsonValue } from '../../json/value.ts';
import { describeReceived } from '../describe.ts';
import { replaceClause } from './conclusions.ts';
import type { CheckContext } from '../classify/subject.ts';
import type { Item } from './items.ts';
import { type Observation, type Tracker, ownMember } from './observations.ts';
import type { Step } from './trace-steps.ts';
import { isBlank, compareValues, isDefault, isState } from './values.ts';

/** Returns the last replace of an item if it was in progress at the same time as another one. */
export function findRival({ changedBy, state }: Item, step: Step, context: CheckContext): Step | undefined {
  const isPair = [changedBy, step].every(
    (each) => each?.role?.kind === 'replace' && each.outcome === 'done' && each.written !== undefined,
  );
  if (changedBy === undefined || state !== 'there' || !isPair) return undefined;
  return context.isConcurrent?.(changedBy.judged, step.judged) === true ? changedBy : undefined;
}

/** The names of properties that only the first, or only the last, of two concurrent replaces explains. */
interface Explained {
  readonly byFirst: readonly string[];
  readonly byLast: readonly string[];
}

function explain([first, last]: readonly [Step, Step], look: Observation): Explained {
  const byFirst: string[] = [];
  const byLast: string[] = [];
  const values = [first, last].map(({ written }) => written?.value ?? {});
  for (const [name, { readOnly, writeOnly, required, schema }] of schemaProperties(look.schema)) {
    const sent = values.map((each) => ownMember(each, name));
    const isSent = sent.some((value) => value !== undefined && !isState(schema, value));
    if (readOnly || writeOnly || !isSent) continue;
    const shown = ownMember(look.value, name);
    const [isFirst, isLast] = sent.map((value, index) => {
      const written = schemaAt([first, last][index]?.written?.schema, [name]);
      return value === undefined
        ? required ||
            isNothing(shown) ||
            isDefault(schema, shown ?? null) ||
            isDefault(written, shown ?? null)
        : compareValues(value, shown, { written, shown: schema }) === undefined;
    });
    if (isFirst && !isLast) byFirst.push(name);
    if (isLast && !isFirst) byLast.push(name);
  }
  return { byFirst, byLast };
}

const isNothing = (shown: JsonValue | undefined): boolean => shown === undefined || isBlank(shown);

/**
 * Judges the first read after two concurrent replaces, which shows one of them as a whole.
 *
 * @returns the replace that the read shows; undefined if it shows neither
 */
export function judgeTwoWriters(
  item: Item,
  look: Observation,
  { items, conclude }: Tracker,
): Step | undefined {
  const { rivals } = item;
  if (rivals === undefined) return undefined;
  item.rivals = undefined;
  const [first, last] = rivals;
  const { byFirst, byLast } = explain(rivals, look);
  const [one] = byFirst;
  const [other] = byLast;
  if (one === undefined || other === undefined) return one === undefined ? last : first;
  conclude('read-after-write', {
    of: last,
    shownBy: items.chainTo(item.place.collection, item.madeBy, first, last, look.by),
    clause: replaceClause,
    expected: 'one of two replaces that were sent at the same time, as a whole',
    received: `${describeReceived(look.by.judged.answer)}, with /${one} of the first and /${other} of the second`,
    cause: 'two replaces are mixed',
  });
  return undefined;
}
