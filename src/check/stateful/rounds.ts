import { isJsonObject, jsonEqual, type JsonObject } from '../../json/value.ts';
import { schemaAt, schemaProperties } from '../../schema/properties.ts';
import type { Item, Round } from './items.ts';
import { ownMember, type Tracker } from './observations.ts';
import type { Step } from './trace-steps.ts';
import { compareValues, isDefault, isState } from './values.ts';

/** The number of similar changes in a row that must show the same. */
const enough = 3;

/**
 * Judges a response that shows an item. Any client may write a singleton at any time, even back to what it was before.
 * Therefore a conclusion about it counts only if each of three similar changes in a row leads to it.
 *
 * @param shown.where - whether it is the response to a read or to a change
 * @param judge - judges it; the `once` of its tracker is for what one request proves
 */
export function judgeInRounds(
  item: Item,
  shown: { readonly by: Step; readonly where: 'read' | 'change'; readonly tracker: Tracker },
  judge: (tracker: Tracker) => void,
): void {
  const { by, where, tracker } = shown;
  const { items, steps, conclude } = tracker;
  const { place, name, rounds } = item;
  if (place.resource.kind !== 'singleton' || items.chainTo(place.collection).length > 0) {
    judge(tracker);
    return;
  }
  const before = item.lastShown?.by;
  const found = new Map<string, Round>();
  judge({
    ...tracker,
    once: conclude,
    conclude: (check, conclusion) =>
      found.set(`${where} ${nameChange(conclusion.of)} ${check} ${conclusion.cause}`, { check, conclusion }),
  });
  const changes = steps
    .slice((before?.index ?? 0) + 1, by.index + 1)
    .filter((step) => step.outcome === 'done' && !step.isSafe && step.place?.item === name);
  const isWritten = isOfAnother(by, item.lastShown?.value, changes);
  // A change to what was shown before proves nothing.
  const starts = changes
    .filter((step) => isVisible(step, item.lastShown?.value, by.shown?.value))
    .map((step) => `${where} ${nameChange(step)} `);
  for (const key of rounds.keys()) {
    if (isWritten || (!found.has(key) && starts.some((start) => key.startsWith(start)))) rounds.delete(key);
  }
  if (isWritten) return;
  for (const [key, round] of found) {
    const earlier = rounds.get(key) ?? [];
    if (earlier.at(-1)?.conclusion.of === round.conclusion.of) continue;
    const read = before === undefined ? [] : [before];
    const conclusion = { ...round.conclusion, shownBy: [...read, ...round.conclusion.shownBy] };
    const all = [...earlier, { ...round, conclusion }];
    rounds.set(key, all.length < enough ? all : []);
    if (all.length < enough) continue;
    conclude(round.check, { ...conclusion, shownBy: all.flatMap((each) => each.conclusion.shownBy) });
  }
}

/** Returns whether a response shows a change that the response before it did not show. */
function isVisible(
  { written }: Step,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): boolean {
  const names = new Set([written?.value, before].flatMap((value) => Object.keys(value ?? {})));
  return [...names].some((name) => {
    const [sent, one, two] = [written?.value, before, after].map((value) => ownMember(value, name) ?? null);
    return sent !== undefined && jsonEqual(sent, two ?? null) && !jsonEqual(one ?? null, two ?? null);
  });
}

/** Returns whether a response shows a new value that no change of this client sent, so that another one wrote it. */
function isOfAnother({ shown }: Step, before: JsonObject | undefined, changes: readonly Step[]): boolean {
  const properties = schemaProperties(shown?.schema);
  return Object.entries(shown?.value ?? {}).some(([name, value]) => {
    const schema = schemaAt(shown?.schema, [name]);
    const isOfService = properties.get(name)?.readOnly === true || isState(schema, value);
    if (before === undefined || isOfService || isJsonObject(value) || value === null) return false;
    const known = [before, ...changes.map(({ written }) => written?.value)];
    const isKnown = known.some((each) => {
      const one = ownMember(each, name);
      return (
        one !== undefined && compareValues(one, value, { written: schema, shown: schema })?.how !== 'changed'
      );
    });
    return !isKnown && !isDefault(schema, value);
  });
}

/** Names a kind of change: its operation, and the properties that it writes. */
function nameChange({ operation, written }: Step): string {
  return `${operation?.id ?? ''} ${Object.keys(written?.value ?? {})
    .toSorted()
    .join(',')}`;
}
