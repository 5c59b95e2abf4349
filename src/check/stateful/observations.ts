import type { Contract } from '../../contract/contract.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../../json/value.ts';
import { schemaAt, schemaProperties } from '../../schema/properties.ts';
import { describeReceived } from '../describe.ts';
import { quoteDocument, quoteRfc } from '../finding.ts';
import type { CheckContext } from '../classify/subject.ts';
import { isPartOfId, type Item, type Items, type KnownProperty } from './items.ts';
import { type Conclude, patchClause, qualify, safeMethodClause, withheld } from './conclusions.ts';
import type { StateTransitions } from './state-transitions.ts';
import type { Representation, Step } from './trace-steps.ts';
import { schemaTypes } from '../../schema/walk.ts';
import {
  compareValues,
  type Difference,
  isBlank,
  isDefault,
  isState,
  mayShow,
  type ValueSchemas,
} from './values.ts';

/** The observation of an item in a step: by itself, or in a list, which may omit properties. */
export interface Observation extends Representation {
  readonly by: Step;
  readonly isListed: boolean;
}

/** An item and an observation of it. */
interface Sight {
  readonly item: Item;
  readonly look: Observation;
}

/** The state that the judges of a trace share. */
export interface Tracker {
  readonly steps: readonly Step[];
  readonly items: Items;
  readonly conclude: Conclude;
  /** Concludes what one request proves, although other clients may write the item. @defaultValue `conclude` */
  readonly once?: Conclude;
  readonly contract: Contract;
  readonly context: CheckContext;
  readonly moves: StateTransitions;
}

/** A property of an item that is not shown as a client wrote it last. */
interface Deviation {
  readonly name: string;
  readonly known: KnownProperty;
  readonly how: string;
  /** Its place, without generated parts. */
  readonly words: string;
  readonly value: JsonValue | undefined;
  readonly schemas: ValueSchemas;
}

/** How a property deviates that has the value of an earlier write. */
export const asBefore = 'as it was before';

/** Notes which properties a response shows as they were written, and returns the others. */
export function findDeviations(
  item: Item,
  { value, schema, by, isListed }: Observation,
): readonly Deviation[] {
  const { key } = item.place.resource;
  const declared = schemaProperties(schema);
  return [...item.known].flatMap(([name, known]) => {
    const property = declared.get(name);
    if (property === undefined || property.readOnly || property.writeOnly) return [];
    if (known.value === undefined || (key.kind !== 'none' && key.property === name)) return [];
    const shown = ownMember(value, name);
    const schemas = { written: known.schema, shown: schemaAt(schema, [name]) };
    const found =
      known.value === null && shown !== undefined
        ? compareNull(shown, known, schemas)
        : compareValues(known.value, shown, schemas);
    if (found === undefined) {
      if (shown !== undefined && by.operation !== undefined) {
        known.kept.set(by.operation.id, by);
        known.occurrences.push(by);
      }
      return [];
    }
    // If the schema of the response does not accept the value, the response cannot show it.
    if (
      schemas.shown !== undefined &&
      !mayShow(schema ?? true, { name, own: schemas.shown, value: known.value })
    )
      return [];
    // Lists may show fewer properties of an item.
    if (isListed && found.how === 'missing') return [];
    const isEarlier =
      known.earlier.some((each) => shown !== undefined && jsonEqual(each.value, shown)) ||
      isBack(item, { name, by: known.by, shown });
    const how = found.how !== 'missing' && isEarlier ? asBefore : found.how;
    return [{ name, known, how, words: [name, ...found.path].join('/'), value: shown, schemas }];
  });
}

/**
 * Compares null with the shown value. A service may give the property a value of its own instead, but not the one before,
 * and not an empty text.
 */
function compareNull(
  shown: JsonValue,
  { earlier }: KnownProperty,
  { written, shown: schema }: ValueSchemas,
): Difference | undefined {
  const types = schemaTypes(schema ?? true);
  if (shown === null || !types.has('null') || isDefault(schema, shown) || isDefault(written, shown))
    return undefined;
  if (shown === '') return { path: [], how: 'as an empty text' };
  const isKept = !isState(schema, shown) && earlier.some(({ value }) => jsonEqual(value, shown));
  return isKept ? { path: [], how: 'changed' } : undefined;
}

/** Returns whether a singleton shows what it showed before a write. */
function isBack(
  { place, lastShown }: Item,
  { name, by, shown }: { readonly name: string; readonly by: Step; readonly shown: JsonValue | undefined },
): boolean {
  if (place.resource.kind !== 'singleton' || lastShown === undefined || lastShown.by.index > by.index)
    return false;
  const before = ownMember(lastShown.value, name);
  return before !== undefined && shown !== undefined && jsonEqual(before, shown);
}

/**
 * Judges an observation of an existing item in a read or a list.
 *
 * @returns the writes of which it shows nothing but the values before them
 */
export function judgeObservation(item: Item, look: Observation, tracker: Tracker): ReadonlySet<Step> {
  const deviations = findDeviations(item, look);
  const undone = deviations.filter(({ how }) => how === asBefore).map(({ known }) => known.by);
  const unexplained = deviations.filter((each) => !explain({ item, look }, each, tracker));
  // All properties that one write did not store are one finding.
  for (const by of new Set(unexplained.map(({ known }) => known.by))) {
    concludeNotKept(
      { item, look },
      unexplained.filter(({ known }) => known.by === by),
      tracker,
    );
  }
  deviations.forEach(({ name }) => item.known.delete(name));
  return new Set(undone);
}

/** Returns whether a request sent the deviating value. */
function shows({ written }: Step, { name, value }: Deviation): boolean {
  const sent = ownMember(written?.value, name);
  return sent !== undefined && value !== undefined && jsonEqual(sent, value);
}

/** A deviation to explain, and the steps that may explain it. */
interface Unexplained extends Sight {
  readonly deviation: Deviation;
  readonly tracker: Tracker;
  /** The last step of the operation that showed the value as it was written. */
  readonly here: Step | undefined;
  /** The changes since that step, or else since the write. */
  readonly changes: readonly Step[];
}

/** Lists the steps that a finding about a deviation needs. */
function chainOf(
  { item, look, deviation, tracker }: Omit<Unexplained, 'changes' | 'here'>,
  ...further: readonly (Step | undefined)[]
): readonly Step[] {
  return tracker.items.chainTo(item.place.collection, item.madeBy, deviation.known.by, ...further, look.by);
}

const lostOr = ({ how, words }: Deviation, received: string): string =>
  how === 'missing' ? `no /${words}` : received;

const lostOrChanged = ({ how, words }: Deviation): string =>
  `${words} ${how === 'missing' ? 'lost' : 'changed'}`;

const isOfState = ({ how, schemas, value = null }: Deviation): boolean =>
  how !== 'missing' && isState(schemas.shown, value);

/** Concludes findings that explain a deviation other than by a write that was not stored. */
function explain(sight: Sight, deviation: Deviation, tracker: Tracker): boolean {
  const { item, look } = sight;
  const { known, name, value, how, words, schemas } = deviation;
  const { conclude, steps } = tracker;
  const refused = item.refused.find((step) => step.index > known.by.index && shows(step, deviation));
  if (refused !== undefined) {
    conclude('read-after-write', {
      of: refused,
      shownBy: chainOf({ ...sight, deviation, tracker }, refused),
      clause: quoteDocument(refused.operation?.pointer ?? '', 'a request that is refused changes nothing'),
      expected: `/${words} as it was written last`,
      received: `/${words} of a request that was answered ${describeReceived(refused.judged.answer)}`,
      cause: `${words} of a refused request`,
    });
    return true;
  }
  const isReset = item.place.resource.kind === 'singleton' && how === asBefore;
  // A service may set a flag or a state again, but not all that a write changed.
  if (isReset && isOfState(deviation) && isPartlyKept(item, known.by)) return true;
  const isMoving = isOfState(deviation) && !isReset;
  if (isMoving && known.occurrences.length > 0) {
    tracker.moves.take({ item, known, name, value, by: look.by });
    return true;
  }
  const here = known.kept.get(look.by.operation?.id ?? '');
  const changes = steps
    .slice((here ?? known.by).index + 1, look.by.index)
    .filter((step) => !step.isSafe && step.outcome === 'done');
  const unexplained: Unexplained = { ...sight, deviation, tracker, here, changes };
  if (!isMoving && explainBySpill(unexplained)) return true;
  if (explainByPatch(unexplained)) return true;
  if (here === undefined) {
    // A service may change a state right after it receives it, and other clients may have written the item.
    const isMoved = isState(schemas.shown, value ?? null) && known.kept.size > 0;
    return how === 'changed' && (isMoved || item.madeBy === undefined);
  }
  if (item.madeBy !== undefined && !isState(schemas.shown, value ?? null)) {
    explainSince(here, unexplained);
  }
  // The value was stored, as it was shown.
  return true;
}

/** Finds the change of another item that this item shows. */
function findSpilt({ item, deviation, tracker, here, changes }: Unexplained): Step | undefined {
  const { name, schemas, value = null } = deviation;
  const others = changes.filter(({ place, role }) => place?.item !== item.name && role !== undefined);
  const holder = others.find((step) => shows(step, deviation));
  // A usual value of the service may equal one sent for another item.
  const isUsual =
    isBlank(value) ||
    isDefault(schemas.shown, value) ||
    tracker.steps
      .slice(0, holder?.index ?? 0)
      .some(({ shown }) => jsonEqual(ownMember(shown?.value, name) ?? null, value));
  if (holder !== undefined && !isUsual) return holder;
  const isAlone = here === undefined || changes.length > others.length || item.madeBy === undefined;
  return isAlone ? undefined : others.find(({ place }) => place?.collection === item.place.collection);
}

/** Concludes that a change of another item changed this one. */
function explainBySpill(unexplained: Unexplained): boolean {
  const { deviation, tracker, here } = unexplained;
  const { items, conclude } = tracker;
  const { words } = deviation;
  const spilt = findSpilt(unexplained);
  if (spilt === undefined) return false;
  const isOf = shows(spilt, deviation);
  const beside = spilt.place?.item === undefined ? undefined : items.find(spilt.place.item)?.madeBy;
  conclude('spill', {
    of: spilt,
    shownBy: chainOf(unexplained, here, beside, spilt),
    clause: quoteDocument(spilt.operation?.pointer ?? '', 'a change of one item changes no other'),
    expected: `/${words} as it was written last`,
    received: isOf ? `/${words} of another item` : lostOr(deviation, `another /${words}`),
    cause: isOf ? `${words} of another item` : lostOrChanged(deviation),
  });
  return true;
}

/** Concludes that an update was applied wrongly, or changed what it did not name. */
function explainByPatch(unexplained: Unexplained): boolean {
  const { item, deviation, tracker, here, changes } = unexplained;
  const { known, words, how } = deviation;
  const { conclude } = tracker;
  if (known.by.role?.kind === 'update' && isPatchedWrongly(deviation)) {
    concludePatch(conclude, known.by, {
      shownBy: chainOf(unexplained),
      expected: `/${words} as the patch makes it`,
      received: lostOr(deviation, `another /${words}`),
      cause: `${words} ${how === 'missing' ? 'lost' : how}`,
    });
    return true;
  }
  const [last] = [...known.kept.values()].toSorted((left, right) => right.index - left.index);
  const patch = changes.findLast(({ place, role }) => place?.item === item.name && role?.kind === 'update');
  if (patch === undefined || last === undefined || patch.index <= known.by.index) return false;
  concludePatch(conclude, patch, {
    shownBy: chainOf(unexplained, here ?? last, patch),
    expected: `/${words} as it was, as the update did not name it`,
    received: lostOr(deviation, `/${words} changed`),
    cause: lostOrChanged(deviation),
  });
  return true;
}

/** Concludes that a refused request or a read changed what a step showed. */
function explainSince(here: Step, unexplained: Unexplained): void {
  const { item, look, deviation, tracker, changes } = unexplained;
  const { words } = deviation;
  const { conclude, steps } = tracker;
  const received = lostOr(deviation, `another value for /${words}`);
  const refused = item.refused.find((step) => step.index > here.index && step.index < look.by.index);
  if (refused !== undefined) {
    conclude(refused.status === 412 ? 'precondition-ignored' : 'read-after-write', {
      of: refused,
      shownBy: chainOf(unexplained, here, refused),
      clause: quoteDocument(refused.operation?.pointer ?? '', 'a request that is refused changes nothing'),
      expected: `/${words} as it was before a request that was refused`,
      received,
      cause: `${words} of a refused request`,
    });
  } else if (changes.length === 0 && !isOpenBetween(steps, here, look.by)) {
    const reads = steps.slice(here.index + 1, look.by.index).filter(({ isSafe }) => isSafe);
    conclude('safe-method-changes', {
      of: look.by,
      shownBy: chainOf(unexplained, here, ...reads),
      clause: safeMethodClause,
      expected: `/${words} as it was shown before, since nothing but reading came in between`,
      received,
      cause: `${lostOrChanged(deviation)} by reading`,
    });
  }
}

/** Returns whether a read showed some property as a write set it, and not as it was before. */
const isPartlyKept = (item: Item, by: Step): boolean =>
  [...item.known].some(
    ([name, { by: own, kept, value: shown }]) =>
      own === by && [...kept.values()].some(({ isSafe }) => isSafe) && !isBack(item, { name, by, shown }),
  );

/** Returns whether a patch replaced a whole object with its part (RFC 7396 §2), or appended to an array. */
function isPatchedWrongly({ name, known, words, value }: Deviation): boolean {
  const { by, earlier } = known;
  const sent = ownMember(by.written?.value, name);
  const [, ...path] = words.split('/');
  const [before] = earlier;
  if (Array.isArray(sent) && Array.isArray(before?.value)) {
    return value !== undefined && jsonEqual(value, [...before.value, ...sent]);
  }
  if (!isJsonObject(sent) || !isJsonObject(known.value)) return false;
  const [inner] = path;
  return inner === undefined
    ? value === undefined && Object.keys(known.value).some((each) => !Object.hasOwn(sent, each))
    : !Object.hasOwn(sent, inner);
}

function isOpenBetween(steps: readonly Step[], from: Step, to: Step): boolean {
  return steps.slice(from.index + 1, to.index).some(({ isSafe, outcome }) => !isSafe && outcome === 'open');
}

/** RFC 7396 specifies a merge patch; only the document can specify an update in application/json. */
export function concludePatch(
  conclude: Conclude,
  by: Step,
  about: Pick<Parameters<Conclude>[1], 'shownBy' | 'expected' | 'received' | 'cause'>,
): void {
  const level = by.notation === 'plain' ? 'warning' : 'violation';
  conclude('merge-patch', { of: by, level, clause: patchClause(by), ...about });
}

function concludeNotKept(
  { item, look }: Sight,
  deviations: readonly Deviation[],
  { items, conclude, once = conclude, steps, contract }: Tracker,
): void {
  const [first] = deviations;
  if (first === undefined) return;
  const { known, how, words } = first;
  const { by } = known;
  // No other client writes a value in another spelling.
  const isOfWrite = ![asBefore, 'missing', 'changed'].includes(how);
  const isBackAlone = item.place.resource.kind === 'singleton' && !isOfWrite;
  const isNothing = (deviations.length > 1 || isBackAlone) && !isPartlyKept(item, by);
  // If another read shows the value, the write was stored, and the later read is wrong.
  const elsewhere = [...known.kept.values()].find(({ isSafe }) => isSafe);
  const of = elsewhere === undefined ? by : look.by;
  const between = steps
    .slice(by.index + 1, look.by.index)
    .filter(({ place, isSafe, outcome }) => place?.item === item.name && !isSafe && outcome === 'done');
  const isNeverShown = ({ name, how: each }: Deviation): boolean =>
    each === 'missing' &&
    schemaProperties(look.schema).get(name)?.required !== true &&
    !steps.some(({ shown }) => ownMember(shown?.value, name) !== undefined);
  // No document requires responses to show optional properties, or lets clients change a part of the id.
  const mayDiffer = deviations.every((each) => isNeverShown(each) || isPartOfId(item, each.value));
  const isWithheld = deviations.every(
    ({ name, value = null }) => isBlank(value) && qualify([look.by], contract, withheld(name)).level,
  );
  const state = isOfWrite ? once : conclude;
  state('read-after-write', {
    of,
    ...(isWithheld ? qualify([look.by], contract, withheld(first.name)) : {}),
    ...(mayDiffer ? { level: 'warning' as const } : {}),
    shownBy: [
      ...items.chainTo(item.place.collection),
      ...[item.madeBy, by, ...between, elsewhere, look.by].filter((step) => step !== undefined),
    ],
    clause:
      by.role?.kind === 'replace'
        ? quoteRfc(
            'RFC 9110 §9.3.4',
            'A successful PUT of a given representation would suggest that a subsequent GET on that same target resource will result in an equivalent representation being sent in a 200 (OK) response',
          )
        : quoteDocument(by.operation?.pointer ?? '', 'a success says that what was sent is kept'),
    expected: isNothing ? 'what was written' : `/${words} as it was written`,
    received: isNothing
      ? `nothing of it in ${look.by.operation?.id ?? 'a later read'}`
      : `${describeHow(how, words)} in ${look.by.operation?.id ?? 'a later read'}`,
    cause: isNothing ? 'nothing kept' : `${words} ${how}`,
  });
}

function describeHow(how: string, words: string): string {
  if (how === 'missing') return `no /${words}`;
  return how === 'changed' ? `another value for /${words}` : `/${words} ${how}`;
}

/** Returns an own member of an object. */
export function ownMember(value: JsonObject | undefined, name: string): JsonValue | undefined {
  return value !== undefined && Object.hasOwn(value, name) ? value[name] : undefined;
}
