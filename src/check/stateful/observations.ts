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

/** Finds the change of another item that this item shows. */
function findSpilt(
  item: Item,
  deviation: Deviation,
  {
    steps,
    others,
    isAlone,
  }: { readonly steps: readonly Step[]; readonly others: readonly Step[]; readonly isAlone: boolean },
): Step | undefined {
  const { name, schemas, value = null } = deviation;
  const holder = others.find((step) => shows(step, deviation));
  // A usual value of the service may equal one sent for another item.
  const isUsual =
    isBlank(value) ||
    isDefault(schemas.shown, value) ||
    steps
      .slice(0, holder?.index ?? 0)
      .some(({ shown }) => jsonEqual(ownMember(shown?.value, name) ?? null, value));
  if (holder !== undefined && !isUsual) return holder;
  return isAlone ? undefined : others.find(({ place }) => place?.collection === item.place.collection);
}

/** Concludes findings that explain a deviation other than by a write that was not stored. */
function explain({ item, look }: Sight, deviation: Deviation, tracker: Tracker): boolean {
  const { known, name, value, how, words, schemas } = deviation;
  const { items, conclude, steps } = tracker;
  const chain = (...further: readonly (Step | undefined)[]): readonly Step[] =>
    items.chainTo(item.place.collection, item.madeBy, known.by, ...further, look.by);
  const lostOr = (received: string): string => (how === 'missing' ? `no /${words}` : received);
  const changed = how === 'missing' ? 'lost' : 'changed';
  const refused = item.refused.find((step) => step.index > known.by.index && shows(step, deviation));
  if (refused !== undefined) {
    conclude('read-after-write', {
      of: refused,
      shownBy: chain(refused),
      clause: quoteDocument(refused.operation?.pointer ?? '', 'a request that is refused changes nothing'),
      expected: `/${words} as it was written last`,
      received: `/${words} of a request that was answered ${describeReceived(refused.judged.answer)}`,
      cause: `${words} of a refused request`,
    });
    return true;
  }
  const here = known.kept.get(look.by.operation?.id ?? '');
  const [last] = [...known.kept.values()].toSorted((left, right) => right.index - left.index);
  const changes = steps
    .slice((here ?? known.by).index + 1, look.by.index)
    .filter((step) => !step.isSafe && step.outcome === 'done');
  const others = changes.filter(({ place, role }) => place?.item !== item.name && role !== undefined);
  const isReset = item.place.resource.kind === 'singleton' && how === asBefore;
  const isOfState = how !== 'missing' && isState(schemas.shown, value ?? null);
  // A service may set a flag or a state again, but not all that a write changed.
  if (isReset && isOfState && isPartlyKept(item, known.by)) return true;
  const isMoving = isOfState && !isReset;
  if (isMoving && known.occurrences.length > 0) {
    tracker.moves.take({ item, known, name, value, by: look.by });
    return true;
  }
  const spilt = isMoving
    ? undefined
    : findSpilt(item, deviation, {
        steps,
        others,
        isAlone: here === undefined || changes.length > others.length || item.madeBy === undefined,
      });
  if (spilt !== undefined) {
    const isOf = shows(spilt, deviation);
    const beside = spilt.place?.item === undefined ? undefined : items.find(spilt.place.item)?.madeBy;
    conclude('spill', {
      of: spilt,
      shownBy: chain(here, beside, spilt),
      clause: quoteDocument(spilt.operation?.pointer ?? '', 'a change of one item changes no other'),
      expected: `/${words} as it was written last`,
      received: isOf ? `/${words} of another item` : lostOr(`another /${words}`),
      cause: isOf ? `${words} of another item` : `${words} ${changed}`,
    });
    return true;
  }
  if (known.by.role?.kind === 'update' && isPatchedWrongly(deviation)) {
    concludePatch({ look, by: known.by, shownBy: chain() }, conclude, {
      expected: `/${words} as the patch makes it`,
      received: lostOr(`another /${words}`),
      cause: `${words} ${how === 'missing' ? 'lost' : how}`,
    });
    return true;
  }
  const patch = changes.findLast(({ place, role }) => place?.item === item.name && role?.kind === 'update');
  if (patch !== undefined && last !== undefined && patch.index > known.by.index) {
    concludePatch({ look, by: patch, shownBy: chain(here ?? last, patch) }, conclude, {
      expected: `/${words} as it was, as the update did not name it`,
      received: lostOr(`/${words} changed`),
      cause: `${words} ${changed}`,
    });
    return true;
  }
  if (here === undefined) {
    // A service may change a state right after it receives it, and other clients may have written the item.
    const isMoved = how === 'changed' && isState(schemas.shown, value ?? null) && last !== undefined;
    return isMoved || (how === 'changed' && item.madeBy === undefined);
  }
  const isOwn = item.madeBy !== undefined && !isState(schemas.shown, value ?? null);
  const isRefused = item.refused.find((step) => step.index > here.index && step.index < look.by.index);
  if (isRefused !== undefined && isOwn) {
    const isStale = isRefused.status === 412;
    conclude(isStale ? 'precondition-ignored' : 'read-after-write', {
      of: isRefused,
      shownBy: chain(here, isRefused),
      clause: quoteDocument(isRefused.operation?.pointer ?? '', 'a request that is refused changes nothing'),
      expected: `/${words} as it was before a request that was refused`,
      received: lostOr(`another value for /${words}`),
      cause: `${words} of a refused request`,
    });
    return true;
  }
  if (changes.length === 0 && isOwn && !isOpenBetween(steps, here, look.by)) {
    conclude('safe-method-changes', {
      of: look.by,
      shownBy: chain(here, ...steps.slice(here.index + 1, look.by.index).filter(({ isSafe }) => isSafe)),
      clause: safeMethodClause,
      expected: `/${words} as it was shown before, since nothing but reading came in between`,
      received: lostOr(`another value for /${words}`),
      cause: `${words} ${changed} by reading`,
    });
  }
  // The value was stored, as it was shown.
  return true;
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
  {
    look,
    by,
    shownBy,
  }: {
    readonly look: Observation;
    readonly by: Step;
    readonly shownBy: readonly Step[];
  },
  conclude: Conclude,
  words: { readonly expected: string; readonly received: string; readonly cause: string },
): void {
  conclude('merge-patch', {
    of: by,
    level: by.notation === 'plain' ? 'warning' : 'violation',
    shownBy: [...shownBy, look.by],
    clause: patchClause(by),
    ...words,
  });
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
