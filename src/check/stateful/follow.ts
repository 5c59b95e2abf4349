import { isAbsentStatus } from '../../http/status.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import { headerValue } from '../../http/message.ts';
import { schemaAt, schemaProperties } from '../../schema/properties.ts';
import { describeReceived } from '../describe.ts';
import { quoteDocument } from '../finding.ts';
import { isFineAround } from '../classify/request.ts';
import type { CheckContext, CheckedExchange } from '../classify/subject.ts';
import { judgeGone, judgeRevived, renew } from './after-delete.ts';
import {
  type Conclude,
  createConclusions,
  primaryResource,
  qualify,
  safeMethodClause,
  type StatefulConclusion,
} from './conclusions.ts';
import { change, createItems, forget, type Item, learn } from './items.ts';
import { lagOf, qualifyLate, sinceChange, statesLag } from './lag.ts';
import { judgeObservation, type Observation, type Tracker } from './observations.ts';
import { enforcedNotation, judgeLeftOut } from './left-out.ts';
import { judgeList, judgeListedIds } from './lists.ts';
import { judgeHead, judgePrecondition, judgeWriteOnly } from './messages.ts';
import {
  isBeside,
  isNamesake,
  isRenamed,
  judgeFollowed,
  judgeLocation,
  judgeOrphanRead,
  judgeOrphans,
  judgeOtherParent,
  refersTo,
} from './locations.ts';
import { hasOwnSlash, judgeIdentity, judgeOtherCase, judgeShownId } from './identity.ts';
import { judgeCreatedStatus, judgeReplacedStatus } from './put-status.ts';
import { findRival, judgeTwoWriters } from './two-writers.ts';
import {
  judgeAttempts,
  judgeOwnAnswer,
  judgeReplaced,
  judgeServiceValues,
  noteAttempts,
  noteReplace,
} from './service-values.ts';
import { judgeInRounds } from './rounds.ts';
import { judgeLostChange, judgeMatchingTag, judgeRefusedRead, readTag } from './refusals.ts';
import { StateTransitions } from './state-transitions.ts';
import { readStep, type Step } from './trace-steps.ts';
import { createPagination } from './pagination.ts';

const followed = new WeakMap<readonly CheckedExchange[], readonly StatefulConclusion[]>();

/**
 * Follows the items of a trace, from a run or from traffic, and concludes findings from its exchanges together. Only
 * successes count as changes. A request with an unknown outcome makes its items unknown. A trace is followed once.
 *
 * @param trace - in the order of sending, each answered before the next was sent
 */
export function followItems(
  trace: readonly CheckedExchange[],
  context: CheckContext,
): readonly StatefulConclusion[] {
  const known = followed.get(trace);
  if (known !== undefined) return known;
  const steps: Step[] = [];
  for (const judged of trace) {
    const step = readNext(judged, steps, context);
    if (!isEarly(step, steps, context)) steps.push(step);
  }
  const { all, follow } = createFollower(steps, context);
  steps.forEach(follow);
  followed.set(trace, all);
  return all;
}

/**
 * Creates a follower of a growing trace. For each exchange it returns the conclusions from it and the earlier ones.
 *
 * @returns a function that takes an exchange; if it is `unordered`, the time of its effect is unknown
 */
export function createTraceFollower(
  context: CheckContext,
): (judged: CheckedExchange, when: { readonly isUnordered: boolean }) => readonly StatefulConclusion[] {
  const steps: Step[] = [];
  const { all, follow } = createFollower(steps, context);
  return (judged, { isUnordered }) => {
    const step = readNext(judged, steps, context);
    if (isEarly(step, steps, context)) return [];
    const before = all.length;
    const isOpen = isUnordered && step.outcome === 'done';
    const taken: Step = isOpen ? { ...step, outcome: 'open' } : step;
    steps.push(taken);
    follow(taken);
    return all.slice(before);
  };
}

/** A name of the specification of merge patches in the description of an update (RFC 7396, and RFC 7386 before). */
const namesMergePatch = /(?<!\b(?:not|no|unlike|than)\b[^.]{0,40})\bRFC[ -]?73[89]6\b/iu;

const readNext = (judged: CheckedExchange, steps: readonly Step[], context: CheckContext): Step =>
  withNotation(readStep(judged, steps.length, context.contract), context);

/** Returns whether a response may lag behind a change by what the document says. Then it proves nothing. */
function isEarly(step: Step, steps: readonly Step[], context: CheckContext): boolean {
  const lagMs = lagOf(step, steps, context.contract);
  return lagMs > 0 && sinceChange(step, steps, context) < lagMs;
}

/**
 * Returns whether the last exchanges of a trace, from an index on, contradict the others, although the document states
 * a lag that is not over: how long it is, and how long ago the last change was, in milliseconds.
 */
export function findLag(
  trace: readonly CheckedExchange[],
  from: number,
  context: CheckContext,
): { readonly lagMs: number; readonly sinceMs: number } | undefined {
  // Most documents state none, and a long trace need not be read again for them.
  if (!statesLag(context.contract)) return undefined;
  const late: CheckContext = { ...context, elapsedMs: () => Infinity };
  const steps: Step[] = [];
  for (const judged of trace) steps.push(readNext(judged, steps, late));
  const last = steps.at(-1);
  const lagMs = last === undefined ? 0 : lagOf(last, steps, context.contract);
  if (last === undefined || lagMs === 0) return undefined;
  const sinceMs = sinceChange(last, steps, context);
  if (sinceMs >= lagMs) return undefined;
  const count = (end: number): number => followItems(trace.slice(0, end), late).length;
  return count(trace.length) > count(from) ? { lagMs, sinceMs } : undefined;
}

/** Reads an update in application/json as a merge patch if the policy or its description says so. */
function withNotation(step: Step, context: CheckContext): Step {
  if (step.role?.kind !== 'update' || step.notation !== 'plain') return step;
  const isMerge =
    enforcedNotation(step, context) === 'merge' ||
    qualify([step], context.contract, namesMergePatch).qualification !== undefined;
  return isMerge ? { ...step, notation: 'merge-patch' } : step;
}

function createFollower(
  steps: readonly Step[],
  context: CheckContext,
): { readonly all: readonly StatefulConclusion[]; readonly follow: (step: Step) => void } {
  const { all, conclude: record } = createConclusions();
  const { contract } = context;
  const conclude: Conclude = (check, found) => {
    const lagMs = Math.max(0, ...found.shownBy.map((step) => lagOf(step, steps, contract)));
    const expected = `${found.expected}, at most ${lagMs / 1_000} s after the last change`;
    record(check, lagMs === 0 ? found : { ...found, expected });
  };
  const items = createItems();
  const moves = new StateTransitions({ steps, items, conclude, contract, context });
  const tracker: Tracker = { steps, items, conclude, contract, context, moves };
  const walks = createPagination(tracker);
  return {
    all,
    follow(step) {
      judgeWriteOnly(step, tracker);
      if (step.isSafe) {
        judgeHead(step, tracker);
        judgeFollowed(step, tracker);
        look(step, tracker);
        walks.take(step);
      } else {
        apply(step, tracker);
      }
    },
  };
}

function look(step: Step, whole: Tracker): void {
  const { items, steps, contract } = whole;
  const { place, shown, listed, role, judged } = step;
  const isGet = judged.exchange.request.method === 'GET';
  if (place === undefined || role === undefined || !isGet || !isFineAround(judged.request)) return;
  // The response of a cache may be outdated.
  if (isAged(step)) return;
  const lag = qualifyLate(step, steps, contract);
  const tracker: Tracker =
    lag.level === undefined
      ? whole
      : { ...whole, conclude: (check, conclusion) => whole.conclude(check, { ...conclusion, ...lag }) };
  judgeList(step, tracker);
  for (const each of listed ?? []) {
    const item = items.find(each.item);
    judgeOtherParent({ by: step, isListed: true, ...each }, tracker);
    if (item !== undefined) see(item, { by: step, isListed: true, ...each }, tracker);
  }
  if (place.item === undefined || role.kind !== 'read') return;
  const item = items.at(place.item, place);
  if (isAbsentStatus(step.status)) {
    judgeInRounds(item, { by: step, where: 'read', tracker }, (each) => missing(item, step, each));
  } else if (shown === undefined) {
    judgeRefusedRead(item, step, tracker);
  } else if (step.status === 200) {
    judgeOtherParent({ by: step, isListed: false, ...shown, item: place.item }, tracker);
    judgeOrphanRead(item, step, tracker);
    judgeOtherCase({ by: step, isListed: false, ...shown }, tracker);
    see(item, { by: step, isListed: false, ...shown }, tracker);
  }
}

function isAged({ judged: { answer } }: Step): boolean {
  const age = answer.kind === 'none' ? undefined : headerValue(answer.response.headers, 'age');
  return age !== undefined && age !== '0';
}

/** Judges and notes an observation of an item. */
function see(item: Item, shown: Observation, tracker: Tracker): void {
  if (isOfOther(item, shown.by)) return;
  const isGone = item.state === 'gone';
  if (!isGone && item.rivals !== undefined && !settle(item, shown, tracker)) return;
  judgeInRounds(item, { by: shown.by, where: 'read', tracker }, (inRounds) => {
    if (isGone) judgeGone(item, shown, inRounds);
    if (isGone || item.state !== 'there') return;
    const undone = judgeObservation(item, shown, inRounds);
    judgeLeftOut({ item, look: shown, undone }, inRounds);
    judgeAttempts(item, shown, tracker);
    judgeReplaced(item, shown, inRounds);
    judgeServiceValues(item, shown, tracker);
    judgeRevived(item, shown, tracker);
    if (!shown.isListed) {
      judgeListedIds(item, shown, tracker);
      judgeLostChange(item, shown.by, tracker);
      judgeMatchingTag(item, shown.by, tracker);
      judgeShownId(item, shown, tracker);
      judgeCreatedStatus(item, shown.by, tracker);
    }
  });
  if (isGone) return;
  item.state = item.isOpen ? 'unknown' : 'there';
  item.seen.push(shown.by);
  if (!shown.isListed) {
    item.lastShown = shown;
    if (item.firstShown === undefined) item.changes = 0;
    item.firstShown ??= shown;
    item.tag = readTag(shown.by);
    const tag = item.tag?.text ?? '';
    if (tag.startsWith('"'))
      item.tagged.push({ tag, value: shown.value, schema: shown.schema, by: shown.by });
  }
}

/** Learns which of two concurrent replaces a read shows. Returns false if that is uncertain. */
function settle(item: Item, shown: Observation, tracker: Tracker): boolean {
  if (shown.isListed) return false;
  const shows = judgeTwoWriters(item, shown, tracker);
  if (shows === item.changedBy) return true;
  item.known.clear();
  if (shows !== undefined) learnAll(item, shows);
  return shows !== undefined;
}

/** Returns whether another client changed the item: clients may see different items. */
function isOfOther({ changedBy }: Item, { client }: Step): boolean {
  return changedBy !== undefined && changedBy.client !== client;
}

/** Words for items that disappear without a request. */
const passing = /\b(?:only|just|read\w*|\w+) once\b|one.?time|expir|consum|dequeue|\bttl\b|temporary/iu;

/** Judges that an existing item is not found. */
function missing(item: Item, step: Step, tracker: Tracker): void {
  const { steps, items, conclude, contract } = tracker;
  const { state, changedBy, madeBy, seen, refused } = item;
  if (state === 'gone') judgeOrphans(item, step, tracker);
  const isCertain = state === 'there' && !isOfOther(item, step);
  item.state = state === 'gone' ? 'gone' : 'unknown';
  if (!isCertain) return;
  const chain = items.chainTo(item.place.collection, ...(item.past?.by ?? []), madeBy);
  const received = describeReceived(step.judged.answer);
  const turnedDown = refused.find(({ role }) => role?.kind === 'delete');
  if (turnedDown !== undefined) {
    conclude('read-after-write', {
      of: turnedDown,
      shownBy: [...chain, ...(seen.at(-1) === undefined ? [] : seen.slice(-1)), turnedDown, step],
      clause: quoteDocument(turnedDown.operation?.pointer ?? '', 'a request that is refused changes nothing'),
      expected: 'the item, as its delete was refused',
      received: `${received} after a delete that was answered ${describeReceived(turnedDown.judged.answer)}`,
      cause: 'gone after a refused delete',
    });
    return;
  }
  const read = seen.findLast(({ role }) => role?.kind === 'read');
  if (read === undefined) {
    if (changedBy === undefined) return;
    // It may have existed until that delete.
    const mayHaveTaken = steps
      .slice(changedBy.index + 1, step.index)
      .some((each) => each.outcome === 'done' && each.role?.kind === 'delete' && isBeside(item, each));
    if (mayHaveTaken) return;
    const isMade = madeBy !== undefined && (changedBy === madeBy || item.lastShown === undefined);
    // If the property with the id is only guessed, only a Location is reliable.
    const isGuessed = madeBy?.role?.certainty === 'guessed' && madeBy.location?.item !== item.name;
    if (isGuessed) return;
    conclude(isMade ? 'created-not-found' : 'read-after-write', {
      of: isMade ? madeBy : changedBy,
      ...(hasOwnSlash(item) ? { level: 'warning' as const } : {}),
      shownBy: [...chain, changedBy, step],
      clause: isMade
        ? primaryResource
        : quoteDocument(changedBy.operation?.pointer ?? '', 'a success says that what was sent is kept'),
      expected: `the item that ${(isMade ? madeBy : changedBy).operation?.id ?? 'a request'} ${isMade ? 'created' : 'changed'}`,
      received,
      cause: isMade ? 'not found' : 'item not found',
    });
    return;
  }
  const between = steps.slice(read.index + 1, step.index).filter(({ isSafe }) => !isSafe);
  const spilt = between.find(
    (each) =>
      each.outcome === 'done' &&
      each.role !== undefined &&
      isBeside(item, each) &&
      !refersTo(item, each.place?.item ?? ''),
  );
  const elsewhere = between.find((each) => each.outcome === 'done' && isNamesake(item, each));
  if (elsewhere !== undefined && spilt === undefined) {
    conclude('parent-ignored', {
      of: elsewhere,
      shownBy: [...chain, ...items.chainTo(elsewhere.place?.collection ?? ''), read, elsewhere, step],
      clause: quoteDocument(elsewhere.operation?.pointer ?? '', 'its path stands below an item'),
      expected: 'nothing done to an item that was created under another parent',
      received: `${received} where it was created`,
      cause: 'deleted',
    });
    return;
  }
  if (
    spilt !== undefined &&
    between.every(({ outcome, place }) => outcome !== 'open' || place !== undefined)
  ) {
    const sibling = items.find(spilt.place?.item ?? '')?.madeBy;
    conclude('spill', {
      of: spilt,
      shownBy: [...chain, ...(sibling === undefined ? [] : [sibling]), read, spilt, step],
      clause: quoteDocument(spilt.operation?.pointer ?? '', 'a change of one item changes no other'),
      expected: 'the item, as another one was changed or deleted',
      received,
      cause: 'another item gone',
    });
  } else if (madeBy !== undefined && between.every(({ outcome }) => outcome === 'refused')) {
    conclude('safe-method-changes', {
      of: step,
      ...qualify([madeBy, step], contract, passing),
      shownBy: [...chain, ...steps.slice(read.index, step.index).filter(({ isSafe }) => isSafe), step],
      clause: safeMethodClause,
      expected: 'the item that was read before, since nothing but reading came in between',
      received,
      cause: 'gone by reading',
    });
  }
}

/** Applies a request with an unsafe method to the known items. */
function apply(step: Step, tracker: Tracker): void {
  const { items } = tracker;
  const { role, place, outcome, shown } = step;
  if (outcome === 'refused') {
    if (place?.item !== undefined) items.find(place.item)?.refused.push(step);
    return;
  }
  if (role === undefined || place === undefined) {
    [...items.all()].forEach(forget);
    return;
  }
  if (role.kind === 'create' && outcome === 'done') {
    judgeLocation(step, tracker);
    judgeIdentity(step, tracker);
  }
  if (place.item === undefined) return;
  const item = items.at(place.item, place);
  if (outcome === 'open' || role.kind === 'action') {
    for (const each of [item, ...items.below(place.item)]) {
      forget(each);
      each.isOpen = outcome === 'open';
      each.isLeaving = each.isOpen && role.kind === 'delete';
    }
    item.startedBy = role.kind === 'create' ? step : item.startedBy;
    return;
  }
  if (isRenamed(item, step)) {
    forget(item);
    return;
  }
  judgePrecondition(step, item, tracker);
  judgeReplacedStatus(item, step, tracker);
  if (role.kind !== 'delete') renew(item);
  if (role.kind === 'replace') noteReplace(item, step);
  noteAttempts(item, step);
  switch (role.kind) {
    case 'create':
      items.below(place.item).forEach(forget);
      if (item.past === undefined) forget(item);
      noteAttempts(item, step);
      change(item, step, 'there');
      item.madeBy = step;
      item.startedBy = undefined;
      learnAll(item, step);
      break;
    case 'replace': {
      const isNew = item.state !== 'there' && item.madeBy === undefined;
      const rival = findRival(item, step, tracker.context);
      change(item, step, 'there');
      item.rivals = rival && [rival, step];
      if (isNew && (role.creates || step.status === 201)) item.madeBy = step;
      const names = new Set(learnAll(item, step));
      if (step.written === undefined) item.known.clear();
      for (const [name, { schema }] of item.known) {
        if (!names.has(name)) learn(item, name, { value: undefined, by: step, schema });
      }
      break;
    }
    case 'update':
      change(item, step, 'there');
      update(item, step, tracker.context);
      break;
    case 'delete':
      change(item, step, 'gone');
      items.below(place.item).forEach(forget);
      return;
    default:
      return;
  }
  if (shown !== undefined && item.rivals === undefined) {
    const answer = { by: step, isListed: false, ...shown };
    judgeInRounds(item, { by: step, where: 'change', tracker }, (inRounds) => {
      judgeOwnAnswer(item, answer, inRounds);
      judgeAttempts(item, answer, tracker);
      judgeReplaced(item, answer, inRounds);
    });
    judgeRevived(item, answer, tracker);
  }
  item.tag = readTag(step);
}

/** Notes the properties in a request for an item, and returns their names. */
function learnAll(item: Item, step: Step): readonly string[] {
  const { value = {}, schema } = step.written ?? {};
  const declared = schemaProperties(schema);
  for (const [name, each] of Object.entries(value)) {
    const property = declared.get(name);
    if (property !== undefined && !property.readOnly && !property.writeOnly) {
      learn(item, name, { value: each, by: step, schema: schemaAt(schema, [name]) });
    }
  }
  return Object.keys(value);
}

/** Applies an update to the known properties, as far as its notation is certain. */
function update(item: Item, step: Step, context: CheckContext): void {
  const { written, notation } = step;
  const isReplace = notation === 'plain' && enforcedNotation(step, context) === 'replace';
  if (written === undefined || notation === 'json-patch' || isReplace) {
    item.known.clear();
    if (written === undefined || notation === 'json-patch') return;
  }
  const declared = schemaProperties(written.schema);
  for (const [name, value] of Object.entries(written.value)) {
    const property = declared.get(name);
    const schema = schemaAt(written.schema, [name]);
    if (property === undefined || property.readOnly || property.writeOnly) continue;
    if (value === null) {
      learn(item, name, { value: undefined, by: step, schema });
    } else {
      const before = item.known.get(name)?.value;
      const isDeep = notation === 'merge-patch' && isJsonObject(value) && isJsonObject(before);
      learn(item, name, { value: isDeep ? merge(before, value) : value, by: step, schema });
    }
  }
}

/** RFC 7396 §2. */
function merge(target: JsonObject, patch: JsonObject): JsonObject {
  const merged = { ...target };
  for (const [name, value] of Object.entries(patch)) {
    const before = merged[name];
    if (value === null) delete merged[name];
    else merged[name] = isJsonObject(value) ? merge(isJsonObject(before) ? before : {}, value) : value;
  }
  return merged;
}
