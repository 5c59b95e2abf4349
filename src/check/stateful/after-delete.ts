import { holdsSame } from '../../json/pointer.ts';
import type { JsonObject } from '../../json/value.ts';
import { schemaAt, schemaProperties } from '../../schema/properties.ts';
import { describeReceived } from '../describe.ts';
import { type Clause, quoteRfc } from '../finding.ts';
import { qualify } from './conclusions.ts';
import { forget, type Item } from './items.ts';
import { findDeviations, type Observation, type Tracker, ownMember } from './observations.ts';
import { isBlank, compareValues, isDefault, isState } from './values.ts';

/** Words for deletes that leave something visible. */
const soft =
  /\bsoft|archiv(?:e|ing)|deactivat|disabl(?:e|ing)|cancell?(?:s|ed|ing|ation)?\b|\bclos(?:e|ing)|\bmark(?:s|ed)?\b|schedul(?:e|ing)|\bretir(?:e|ing)|\btrash|\bhid(?:e|ing|den)|revok(?:e|ing)|suspend|expire/iu;
const deletedWords = /delet|archiv|remov|trash|cancel|activ|clos|disabl|enabl|revok|expir|status|state/iu;

const deleteClause: Clause = quoteRfc(
  'RFC 9110 §9.3.5',
  'The DELETE method requests that the origin server remove the association between the target resource and its current functionality',
);

/** Judges an observation of an item after it was deleted. */
export function judgeGone(item: Item, shown: Observation, tracker: Tracker): void {
  const { items, conclude, contract, context } = tracker;
  const { changedBy, known, startedBy, lastShown } = item;
  const madeBy = item.madeBy ?? startedBy;
  const deviations = findDeviations(item, shown);
  // If a create got 202, the last read shows the values of its item.
  const isAsRead =
    startedBy !== undefined && lastShown !== undefined && isSubset(lastShown.value, shown.value);
  // A flag or a state may have changed since.
  const isSame =
    deviations.every(
      ({ how, value, schemas }) => how === 'changed' && isState(schemas.shown, value ?? null),
    ) &&
    (isAsRead ||
      [...known].some(
        ([name, { value }]) => value !== undefined && ownMember(shown.value, name) !== undefined,
      ));
  item.state = 'unknown';
  if (changedBy === undefined || !isSame || isMarked(item, shown)) return;
  if (madeBy && context.mayBeMadeAgain?.(madeBy.judged, changedBy.judged, shown.by.judged) === true) return;
  conclude('deleted-still-there', {
    of: changedBy,
    ...qualify([changedBy], contract, soft),
    shownBy: items.chainTo(item.place.collection, madeBy, changedBy, shown.by),
    clause: deleteClause,
    expected: 'nothing of an item whose delete succeeded',
    received: `${describeReceived(shown.by.judged.answer)}, which shows it as it was`,
    cause: shown.isListed ? 'listed' : 'read',
  });
}

/** Returns whether an object is not empty, and another object has the same members. */
function isSubset(part: JsonObject, whole: JsonObject): boolean {
  const names = Object.keys(part);
  return names.length > 0 && names.every((name) => holdsSame(part, whole, name));
}

/** Returns whether an item shows its own deletion, in a property that its schema declares. */
function isMarked({ lastShown, known }: Item, { value, schema }: Observation): boolean {
  return [...schemaProperties(schema).keys()].some((name) => {
    if (!deletedWords.test(name)) return false;
    const before = ownMember(lastShown?.value, name) ?? known.get(name)?.value;
    const after = ownMember(value, name);
    if (after === undefined || after === null || after === false) return before === true;
    return before === undefined || JSON.stringify(before) !== JSON.stringify(after);
  });
}

/** Notes that a request creates or changes an item. If it was deleted, nothing of it may come back. */
export function renew(item: Item): void {
  const { state, known, madeBy, changedBy } = item;
  if (state !== 'gone' || changedBy === undefined || item.place.resource.kind === 'singleton') {
    item.past = undefined;
    return;
  }
  const past = { known: new Map(known), by: [madeBy, changedBy], deletedBy: changedBy };
  forget(item);
  item.madeBy = undefined;
  item.past = past;
}

/** Judges an item that a request created or changed after its delete, and that shows what it had before. */
export function judgeRevived(item: Item, look: Observation, tracker: Tracker): void {
  const { past, changedBy, place, known } = item;
  if (past === undefined || changedBy === undefined) return;
  const { items, conclude, contract } = tracker;
  const shownBy = items.chainTo(place.collection, ...past.by, changedBy, look.by);
  const softly = qualify([past.deletedBy], contract, soft);
  for (const [name, { value, schema }] of past.known) {
    const property = schemaProperties(look.schema).get(name);
    const shown = ownMember(look.value, name);
    const schemas = { written: schema, shown: schemaAt(look.schema, [name]) };
    if (property === undefined || property.readOnly || property.writeOnly || shown === undefined) continue;
    if (value === undefined || isBlank(value) || known.get(name)?.value !== undefined) continue;
    if (place.resource.key.kind !== 'none' && place.resource.key.property === name) continue;
    const isUsual = isDefault(schema, value) || isDefault(schemas.shown, value);
    if (isUsual || isState(schemas.shown, value) || isBlank(shown)) continue;
    if (compareValues(value, shown, schemas) !== undefined) continue;
    item.past = undefined;
    conclude('deleted-still-there', {
      of: changedBy,
      ...softly,
      shownBy,
      clause: deleteClause,
      expected: 'nothing of the item that was deleted before',
      received: `its /${name}, which ${changedBy.operation?.id ?? 'the request'} did not send`,
      cause: `${name} after a delete`,
    });
    return;
  }
}
