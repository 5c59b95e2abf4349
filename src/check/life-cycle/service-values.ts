import { headerValue } from '../../http/message.ts';
import { isJsonNumber, isJsonObject, jsonEqual, type JsonValue } from '../../json/value.ts';
import { schemaAt, schemaProperties } from '../../schema/properties.ts';
import { quoteDocument, quoteRfc } from '../finding.ts';
import type { Item } from './items.ts';
import { type Look, type Tracker, ownMember } from './looks.ts';
import type { Step } from './steps.ts';
import { compareValues, isDefault, isState } from './values.ts';

/** Notes what a request sends for properties that the service alone sets, with what was shown of them before. */
export function noteAttempts(item: Item, step: Step): void {
  item.attempts.clear();
  const { value = {}, schema } = step.written ?? {};
  for (const [name, { readOnly }] of schemaProperties(schema)) {
    const sent = ownMember(value, name);
    if (!readOnly || sent === undefined || isState(schemaAt(schema, [name]), sent)) continue;
    item.attempts.set(name, { value: sent, by: step, before: ownMember(item.lastShown?.value, name) });
  }
}

/** Judges whether what a client sent for a property that the service alone sets is shown. */
export function judgeAttempts(item: Item, look: Look, { items, conclude }: Tracker): void {
  for (const [name, { value, by, before }] of item.attempts) {
    const property = schemaProperties(look.schema).get(name);
    const shown = ownMember(look.value, name);
    const { key } = item.place.resource;
    const isKey = key.kind !== 'none' && key.property === name && by.role?.kind !== 'create';
    if (property?.readOnly !== true || isKey || shown === undefined) continue;
    item.attempts.delete(name);
    if (!jsonEqual(shown, value) || isDefault(property.schema, value)) continue;
    const isOwn =
      before === undefined ? !isTelling(value, by) : jsonEqual(before, value) || isNext(before, value);
    if (isOwn) continue;
    conclude('read-only-written', {
      of: by,
      shownBy: items.chainTo(item.place.collection, item.madeBy, by, look.by),
      clause: quoteDocument(by.operation?.requestBody?.pointer ?? '', `/${name} is readOnly`),
      expected: `/${name} as the service makes it`,
      received: `/${name} as it was sent`,
      cause: name,
    });
  }
}

/** Whether nobody would make up a value by chance. */
function isTelling(value: JsonValue, { judged: { answer } }: Step): boolean {
  if (isJsonNumber(value)) return Math.abs(Number(String(value))) > 10_000;
  if (typeof value !== 'string' || value.length < 4) return false;
  const time = /^\d{4}-\d\d-\d\d/u.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(time)) return true;
  // A service would say what time it is.
  const now = answer.kind === 'none' ? undefined : headerValue(answer.response.headers, 'date');
  return now !== undefined && Math.abs(Date.parse(now) - time) > 2 * 24 * 3600 * 1000;
}

/** Versions count on. */
function isNext(before: JsonValue, value: JsonValue): boolean {
  return isJsonNumber(before) && isJsonNumber(value) && Number(String(value)) === Number(String(before)) + 1;
}

/** Notes a replace; where it is the last one again, what was shown after that is held against what follows. */
export function noteReplace(item: Item, step: Step): void {
  const { replaced } = item;
  const isAgain =
    replaced !== undefined &&
    item.state === 'there' &&
    item.changedBy === replaced.by &&
    isSame(replaced.by, step);
  item.replaced = {
    by: step,
    again: isAgain ? (replaced.again ?? replaced) : undefined,
    rounds: isAgain ? [...replaced.rounds, replaced] : [],
    shown: new Map(),
  };
}

function isSame({ judged: { exchange: one } }: Step, { judged: { exchange: two } }: Step): boolean {
  const text = ({ request }: typeof one): string =>
    JSON.stringify([request.target, request.headers, [...(request.body ?? [])]]);
  return text(one) === text(two);
}

const times = /updat|modif|version|revision|chang|access|seen|time|date|_at$|At$|etag/u;

/** Judges whether a replace that was sent twice left another state than once. */
export function judgeReplaced(item: Item, look: Look, { items, conclude }: Tracker): void {
  const { replaced } = item;
  const name = look.by.operation?.id ?? '';
  if (replaced === undefined || replaced.by.written === undefined) return;
  if (!replaced.shown.has(name)) replaced.shown.set(name, look);
  const before = replaced.again?.shown.get(name);
  if (before === undefined) return;
  const { value: sent, schema } = replaced.by.written;
  const { key } = item.place.resource;
  for (const [property, { readOnly, writeOnly }] of schemaProperties(schema)) {
    const declared = schemaProperties(look.schema).get(property);
    const isServices =
      readOnly || writeOnly || declared === undefined || declared.readOnly || declared.writeOnly;
    const isKey = key.kind !== 'none' && key.property === property;
    if (isServices || isKey || (!Object.hasOwn(sent, property) && times.test(property))) continue;
    const [one, two] = [ownMember(before.value, property), ownMember(look.value, property)];
    const schemas = {
      written: schemaAt(before.schema, [property]),
      shown: schemaAt(look.schema, [property]),
    };
    const isMoving = isState(schemas.shown, two ?? null) || isState(schemas.shown, one ?? null);
    if (isMoving && !turnsRound(replaced, look, property)) continue;
    const isEqual =
      one === undefined || two === undefined ? one === two : differs(one, two, schemas) === undefined;
    if (isEqual) continue;
    conclude('replace-not-idempotent', {
      of: replaced.by,
      shownBy: [
        ...items.chainTo(item.place.collection, item.madeBy),
        ...(isMoving ? replaced.rounds.map(({ by }) => by) : []),
        ...(replaced.again === undefined ? [] : [replaced.again.by]),
        before.by,
        replaced.by,
        look.by,
      ],
      clause: quoteRfc(
        'RFC 9110 §9.2.2',
        'A request method is considered "idempotent" if the intended effect on the server of multiple identical requests with that method is the same as the effect for a single such request',
      ),
      expected: `/${property} as it was after the first of two equal requests`,
      received: `another /${property} after the second`,
      cause: property,
    });
    item.replaced = undefined;
    return;
  }
}

/** Whether the answers to four equal replaces show one value and another by turns: what moves on by itself does not come back. */
function turnsRound({ by, rounds }: NonNullable<Item['replaced']>, look: Look, property: string): boolean {
  if (look.by !== by || rounds.length < 3) return false;
  const looks = [
    ...rounds.slice(-3).map(({ by: before, shown }) => shown.get(before.operation?.id ?? '')),
    look,
  ];
  const values = looks.map((each) => ownMember(each?.value, property));
  const [one, two, three, four] = values.map((value) => (value === undefined ? '' : JSON.stringify(value)));
  return one !== '' && two !== '' && one === three && two === four && one !== two;
}

function differs(one: JsonValue, two: JsonValue, schemas: Parameters<typeof compareValues>[2]): unknown {
  // Both ways, as what is shown may hold more.
  const isFree = isJsonObject(one) && isJsonObject(two);
  return compareValues(one, two, schemas) ?? (isFree ? undefined : compareValues(two, one, schemas));
}
