import type { Resource } from '../../contract/contract.ts';
import { idText } from '../../contract/list-pages.ts';
import { toShallowPath } from '../../contract/shallow-routes.ts';
import { appendPointer } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { headerValue } from '../../http/message.ts';
import { isAbsentStatus } from '../../http/status.ts';
import { canonicalPath, pathOf } from '../../http/path.ts';
import { describeReceived } from '../describe.ts';
import { quoteDocument } from '../finding.ts';
import { primaryResource } from './conclusions.ts';
import { holdsKnownValue } from '../../schema/known-place.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { isPartOfId, type Item, type KnownProperty } from './items.ts';
import type { CheckedExchange } from '../classify/subject.ts';
import { findDeviations, type Observation, type Tracker, ownMember } from './observations.ts';
import { itemName, type ItemName, type Step } from './trace-steps.ts';
import { isState } from './values.ts';

/** Judges the Location in the response to a create. */
export function judgeLocation(step: Step, { items, conclude, contract }: Tracker): void {
  const { role, place, location, shown, status, judged } = step;
  if (role?.kind !== 'create' || place === undefined) return;
  const shownBy = [...items.chainTo(place.collection), step];
  if (location === undefined) {
    // Location is not required without a path of the item, or if that path shows something else.
    if (status !== 201 || !hasItemPath(place.resource, contract) || isOfSeveral(judged)) return;
    conclude('location', {
      of: step,
      level: 'warning',
      shownBy,
      clause: primaryResource,
      expected: 'a Location field that leads to what was created',
      received: `${describeReceived(judged.answer)} without one`,
      cause: 'missing',
    });
    return;
  }
  const isOther =
    location.item !== undefined &&
    shown?.item !== undefined &&
    location.item !== shown.item &&
    !isAlias(location.item, shown.value);
  const own = canonicalPath(pathOf(judged.exchange.request.target));
  const isCollection =
    location.item === undefined && canonicalPath(location.path).endsWith(own) && own !== '/';
  if ((isOther && role.certainty !== 'guessed') || isCollection) {
    conclude('location', {
      of: step,
      shownBy,
      clause: primaryResource,
      expected: 'a Location field that leads to what was created',
      received: isOther
        ? 'the path of another item than the one in the response'
        : 'the path of the collection',
      cause: isOther ? 'another item' : 'no item',
    });
  }
}

/** Returns whether a request creates several items, so none is the primary resource. */
const isOfSeveral = ({ request: { body } }: CheckedExchange): boolean =>
  body.kind === 'valid' && Array.isArray(body.value);

/** Returns whether some operation has the path of an item and acts on the item. */
function hasItemPath({ collection, parameter }: Resource, { operations }: Tracker['contract']): boolean {
  return (
    parameter !== undefined &&
    operations.some(
      ({ kind }) =>
        kind.kind !== 'sample' &&
        kind.kind !== 'create' &&
        kind.kind !== 'list' &&
        kind.resource.collection === collection,
    )
  );
}

/** Returns whether the last segment of a path is a property of the item, in any case: it may have two names. */
function isAlias(item: string, value: JsonObject): boolean {
  const id = decodeURIComponent(item.slice(item.lastIndexOf('/') + 1)).toLowerCase();
  return Object.values(value).some((each) => typeof each === 'string' && each.toLowerCase() === id);
}

/** Judges a Location that was followed and not found. */
export function judgeFollowed(step: Step, tracker: Tracker): void {
  const { steps, items, conclude } = tracker;
  if (step.status !== 404 && step.status !== 410) return;
  const path = canonicalPath(pathOf(step.judged.exchange.request.target));
  const made = steps
    .slice(0, step.index)
    .findLast(
      ({ role, outcome, location, client }) =>
        role?.kind === 'create' &&
        outcome === 'done' &&
        client === step.client &&
        location !== undefined &&
        canonicalPath(location.path).endsWith(path),
    );
  if (made === undefined || path === '/') return;
  if (made.location?.item !== undefined) {
    judgeOtherBase(made, step, tracker);
    return;
  }
  // It is unknown which of its segments precede the paths of the document.
  const leads = steps.some(
    ({ judged, status }) =>
      status !== 404 &&
      status !== 410 &&
      canonicalPath(made.location?.path ?? '').endsWith(
        canonicalPath(pathOf(judged.exchange.request.target)),
      ),
  );
  if (leads || isPrescribed(made)) return;
  conclude('location', {
    of: made,
    shownBy: [...items.chainTo(made.place?.collection ?? ''), made, step],
    clause: primaryResource,
    expected: 'a Location field that leads to what was created',
    received: `${describeReceived(step.judged.answer)} where it leads`,
    cause: 'leads nowhere',
  });
}

/** Returns whether the document requires the form of the Location, and accepts none below the path of the request. */
function isPrescribed({ judged: { answer, exchange }, location }: Step): boolean {
  if (answer.kind === 'none' || location === undefined) return false;
  const header = answer.declared?.headers.find(({ name }) => name.toLowerCase() === 'location');
  const validator = header?.schema?.validator({ formats: 'assert', integers: 'by-value' });
  if (validator === undefined) return false;
  const own = pathOf(exchange.request.target).replace(/\/$/u, '');
  const path = `${own}/${location.path.slice(location.path.lastIndexOf('/') + 1)}`;
  const sent = headerValue(answer.response.headers, 'location') ?? '';
  const takes = (place: string): boolean => validator.accepts(place, false);
  return takes(sent) && !takes(path) && !takes(new URL(path, new URL(sent, 'http://service.invalid')).href);
}

/** Judges a Location that leads to an item only without its prefix; another service may have the whole path. */
function judgeOtherBase(made: Step, step: Step, { steps, items, conclude }: Tracker): void {
  const { path, item } = made.location ?? {};
  const isExact =
    path !== undefined && canonicalPath(path) === canonicalPath(pathOf(step.judged.exchange.request.target));
  const read = steps.find(
    (each) => each.place?.item === item && each.role?.kind === 'read' && each.index > made.index,
  );
  if (!isExact || step.operation !== undefined || read?.status !== 200) return;
  conclude('location', {
    of: made,
    level: 'warning',
    shownBy: [...items.chainTo(made.place?.collection ?? ''), made, step, read],
    clause: primaryResource,
    expected: 'a Location field that leads to what was created',
    received: `${describeReceived(step.judged.answer)} where it leads, though what stands at its end leads there`,
    cause: 'below another base',
  });
}

/** Judges a create below a deleted item that is still missing after it; another client may have had its id. */
export function judgeOrphans(
  { name, changedBy }: Item,
  step: Step,
  { steps, items, conclude, context }: Tracker,
): void {
  // A configured policy value specifies the behaviour.
  if (changedBy === undefined || context.enforced.has('missing-parent')) return;
  const made = steps
    .slice(changedBy.index + 1, step.index)
    .find(
      ({ role, outcome, place }) =>
        role?.kind === 'create' &&
        outcome === 'done' &&
        place?.resource.parent !== undefined &&
        place.collection.startsWith(`${name}/`),
    );
  if (made?.place === undefined) return;
  conclude('parent-ignored', {
    of: made,
    level: 'warning',
    shownBy: [...items.chainTo(made.place.collection), changedBy, made, step],
    clause: quoteDocument(made.operation?.pointer ?? '', 'its path stands below an item'),
    expected: 'no success below an item that was deleted',
    received: describeReceived(made.judged.answer),
    cause: 'a missing parent',
  });
}

/** Judges a read that shows an item below a deleted one, although a list after the delete showed nothing there. */
export function judgeOrphanRead(item: Item, step: Step, { steps, items, conclude, context }: Tracker): void {
  const { collection } = item.place;
  const { changedBy, state, name } = items.find(collection.slice(0, collection.lastIndexOf('/'))) ?? {};
  if (state !== 'gone' || changedBy === undefined || name === undefined || item.madeBy === undefined) return;
  if (context.enforced.has('missing-parent')) return;
  const list = steps
    .slice(changedBy.index + 1, step.index)
    .findLast(({ role, place }) => role?.kind === 'list' && place?.collection === collection);
  const isEmpty = list !== undefined && (isAbsentStatus(list.status) || list.listed?.length === 0);
  if (!isEmpty || list.client !== step.client || item.madeBy.index > changedBy.index) return;
  const isOther = steps
    .slice(list.index + 1, step.index)
    .some(({ isSafe, outcome }) => !isSafe && outcome !== 'refused');
  if (isOther) return;
  conclude('parent-ignored', {
    of: step,
    level: 'warning',
    shownBy: [...items.chainTo(collection), item.madeBy, changedBy, list, step],
    clause: quoteDocument(step.operation?.pointer ?? '', 'its path stands below an item'),
    expected: 'nothing below an item that was deleted, as its list shows nothing',
    received: `${describeReceived(step.judged.answer)}, which shows the item`,
    cause: 'left below a deleted parent',
  });
}

/** Judges an item that is shown below another parent than the one it was created under. */
export function judgeOtherParent(look: Observation & { readonly item: string }, tracker: Tracker): void {
  const { items, conclude } = tracker;
  const { by } = look;
  const { place } = by;
  if (place?.resource.parent === undefined || items.find(look.item)?.madeBy !== undefined) return;
  const key = look.item.slice(look.item.lastIndexOf('/'));
  const isMade = (collection: string): boolean =>
    items
      .chainTo(collection)
      .some(({ place: above }) => above?.resource.collection === place.resource.parent);
  const own = [...items.all()].find(
    (item) =>
      item.madeBy?.client === by.client &&
      item.state === 'there' &&
      item.place.resource.collection === place.resource.collection &&
      item.place.collection !== place.collection &&
      item.name.endsWith(key) &&
      isMade(item.place.collection) &&
      showsIt(item, look),
  );
  if (own?.madeBy === undefined || !isMade(place.collection)) return;
  conclude('parent-ignored', {
    of: by,
    shownBy: [...items.chainTo(own.place.collection), ...items.chainTo(place.collection), own.madeBy, by],
    clause: quoteDocument(by.operation?.pointer ?? '', 'its path stands below an item'),
    expected: 'nothing of an item that was created under another parent',
    received: `${describeReceived(by.judged.answer)}, which shows it`,
    cause: look.isListed ? 'listed' : 'read',
  });
}

/** Returns whether an observation shows an item, by a text that a client gave it. */
export function showsIt(item: Item, look: Observation): boolean {
  const isConfigured = [...item.known].some(
    ([name, known]) =>
      typeof known.value === 'string' &&
      known.value.length > 2 &&
      !isState(known.schema, known.value) &&
      !isOfMany(name, known) &&
      ownMember(look.value, name) === known.value,
  );
  // A copy, as an observation of one item must not change what is known of another.
  const copy = {
    ...item,
    known: new Map(
      [...item.known].map(([name, known]) => [name, { ...known, kept: new Map(), occurrences: [] }]),
    ),
  };
  return isConfigured && findDeviations(copy, look).length === 0;
}

/** Returns whether a text is a known value of the user, which other items have too. */
function isOfMany(name: string, { by: { operation, role, judged } }: KnownProperty): boolean {
  const { body } = judged.request;
  if (body.kind !== 'valid' || role === undefined || !('request' in role)) return false;
  const pointer = appendPointer('', ...role.request, name);
  return (operation?.requestBody?.media ?? []).some(({ schema }) =>
    holdsKnownValue(schema, body.value, pointer),
  );
}

/** Returns whether a change gives an item another id, so its path is unknown. */
export function isRenamed({ name, place, known }: Item, { role, written, shown }: Step): boolean {
  const { key } = place.resource;
  if (place.resource.kind === 'singleton' || key.kind === 'none') return false;
  if (role?.kind !== 'replace' && role?.kind !== 'update') return false;
  const nameOf = (id: JsonValue | undefined = null): ItemName | undefined =>
    id === null ? undefined : itemName(toShallowPath(place.resource, place.collection), idText(id));
  const sent = nameOf(ownMember(written?.value, key.property));
  const isFixed = schemaProperties(written?.schema).get(key.property)?.readOnly === true;
  if (sent !== undefined && sent !== name && !isFixed) return true;
  // The service may derive the id from another property, such as a name.
  const answered = nameOf(ownMember(shown?.value, key.property));
  if (answered === undefined || answered === name) return false;
  return (
    Object.values(written?.value ?? {}).some((value) => isPartOfId({ name: answered }, value)) ||
    [...known.values()].some(({ value }) => isPartOfId({ name }, value))
  );
}

/** Returns whether a request names another item of the collection, or deletes an item of its parent collection. */
export function isBeside({ name, place }: Item, { place: other, role }: Step): boolean {
  if (other?.item === undefined || other.item === name || name.startsWith(`${other.item}/`)) return false;
  const above = other.resource.collection.replace(/\/$/u, '');
  const isAbove = place.resource.collection.startsWith(`${above}/{`);
  return other.collection === place.collection || (isAbove && role?.kind === 'delete');
}

/** Returns whether a request deletes an item with the same id below another parent. */
export function isNamesake({ name, place }: Item, { place: other, role }: Step): boolean {
  return (
    role?.kind === 'delete' &&
    other?.item !== undefined &&
    other.resource.collection === place.resource.collection &&
    other.collection !== place.collection &&
    other.item.slice(other.item.lastIndexOf('/')) === name.slice(name.lastIndexOf('/'))
  );
}

/** Returns whether a client made an item refer to another one, so both may be deleted together. */
export function refersTo({ known }: Item, other: string): boolean {
  const id = decodeURIComponent(other.slice(other.lastIndexOf('/') + 1));
  return [...known.values()].some(({ value }) => value !== undefined && JSON.stringify(value).includes(id));
}
