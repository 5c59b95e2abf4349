import { type ValuePlace, valuePlaces } from '../../arbitrary/edit-cases.ts';
import type { PlainBody } from '../../arbitrary/plain-body.ts';
import { plainRequest } from '../../arbitrary/request.ts';
import { valueCost } from '../../arbitrary/shrink-value.ts';
import { type Boundary, boundaryCause, breaksBoundary } from '../../check/boundary.ts';
import { describeReceived } from '../../check/describe.ts';
import type { Finding } from '../../check/finding.ts';
import { classifyStatus } from '../../check/classify/answer.ts';
import { isPlainAndTrusted } from '../../check/classify/request.ts';
import type { CheckedExchange } from '../../check/classify/subject.ts';
import { ExactNumber, toDecimal, toJsonNumber } from '../../json/exact-number.ts';
import type { JsonPointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Sender, SessionRecord } from '../../session/send-case.ts';
import { runSideBySide } from '../../session/throttle.ts';
import { confirmAlone, triesAgainstChance, triesToConfirm } from '../confirm.ts';
import { markBoundary } from '../parity/attribute.ts';
import type { OpenRun, TakenFinding } from '../run-context.ts';
import { findBodySizeBoundary, findItemBoundaries, findValueBoundaries } from './number.ts';
import { createBoundarySearch, type BoundarySearch } from './boundary-search.ts';
import { findCharacterBoundaries, findGreatestLength, findLeastLength, findSpaceBoundary } from './text.ts';

/** Returns a place with `*` for each index: a boundary for one item of a list applies to all. */
function placePattern(place: JsonPointer): JsonPointer {
  return place.replaceAll(/\/\d+(?=\/|$)/gu, '/*');
}

/** Returns whether a boundary explains the rejection of a valid body. */
function explainsRefusal(boundary: Boundary, { request }: CheckedExchange): boolean {
  const { body, bodyBytes } = request;
  if (boundary.what === 'body-size') return bodyBytes >= boundary.refused;
  return body.kind === 'valid' && isBroken(boundary, body.value);
}

/** Returns whether a value in a body is on the rejected side of a boundary. */
function isBroken(boundary: Boundary, body: JsonValue): boolean {
  return valuePlaces(body).some(
    ({ at, value }) => placePattern(at) === boundary.place && breaksBoundary(value, boundary),
  );
}

/** Returns whether the service accepted a value on the rejected side of a bound, which then depends on other values. */
function isContradicted(boundary: Boundary, accepted: readonly JsonValue[]): boolean {
  const isBound = ['value', 'length', 'items'].includes(boundary.what);
  return isBound && accepted.some((body) => isBroken(boundary, body));
}

/** The facts about the place that is explored. */
interface PlaceSearch {
  readonly boundarySearch: BoundarySearch;
  readonly place: JsonPointer;
  /** The values there in bodies that were rejected. */
  readonly refused: readonly JsonValue[];
  /** The value at that place in a plain body. */
  readonly plain: JsonValue | undefined;
  /** The maximum bytes of the value's text, because body size is limited. */
  readonly mostBytes: number;
}

/** Text lengths to try until one is accepted, because a document may require long texts. */
const usualLengths = [6, 12, 24, 48, 3, 1];

function toInteger(value: JsonValue | undefined): bigint | undefined {
  if (typeof value !== 'number' && !(value instanceof ExactNumber)) return undefined;
  const { coefficient, exponent } = toDecimal(value);
  return exponent < 0 || exponent > 30 ? undefined : coefficient * 10n ** BigInt(exponent);
}

async function exploreText(search: PlaceSearch, texts: readonly string[]): Promise<readonly Boundary[]> {
  const { boundarySearch, place, mostBytes } = search;
  let base: number | undefined;
  for (const length of usualLengths) {
    if ((await boundarySearch.put(place, 'a'.repeat(length))).verdict === 'accepted') {
      base = length;
      break;
    }
  }
  if (base === undefined) return [];
  const again = 'a'.repeat(base);
  if ((await boundarySearch.putAgain(place, again)).verdict === 'refused') {
    // Values must be unique, so the search for a limit cannot send one twice.
    return [{ what: 'repeated', place, refused: again }];
  }
  const bytes = texts.map((text) => new TextEncoder().encode(text).length);
  const longest = Math.min(Math.max(...bytes), mostBytes);
  const greatest = await findGreatestLength({ boundarySearch, place, base, longest });
  const limit = greatest?.what === 'length' ? greatest.accepted : mostBytes;
  const least = texts.includes('') ? await findLeastLength({ boundarySearch, place, base }) : undefined;
  const lengths = [greatest, least].filter((boundary) => boundary !== undefined);
  // Long texts of only letters are no evidence about characters.
  if (texts.every((text) => /^[a-z]*$/u.test(text) && text !== '')) return lengths;
  const letters = 'a'.repeat(least?.what === 'length' ? least.accepted : 1);
  const spaces = await findSpaceBoundary({ boundarySearch, place, letters });
  const characters = await findCharacterBoundaries({ boundarySearch, place, letters, longest: limit });
  return [...lengths, ...(spaces === undefined ? [] : [spaces]), ...characters];
}

/** Integers to try until one is accepted, if that of a plain body is not. */
const usualNumbers = [1n, 10n, 100n, 0n, 1_000n, -1n];

async function exploreNumber(search: PlaceSearch, refused: readonly bigint[]): Promise<readonly Boundary[]> {
  const { boundarySearch, place, plain } = search;
  const isKey = place === boundarySearch.body.key?.pointer;
  const own = toInteger(plain);
  const candidates = isKey
    ? [BigInt(boundarySearch.freshSerial())]
    : [...(own === undefined ? [] : [own]), ...usualNumbers];
  for (const accepted of candidates) {
    if ((await boundarySearch.put(place, toJsonNumber(String(accepted)))).verdict === 'accepted') {
      return findValueBoundaries({ boundarySearch, place, refused, accepted, isKey });
    }
  }
  return [];
}

/** Searches the boundaries of the values at one place of a body, starting from the rejected values. */
async function explorePlace(search: PlaceSearch): Promise<readonly Boundary[]> {
  const { boundarySearch, place, refused, plain } = search;
  const texts = refused.filter((value) => typeof value === 'string');
  const numbers = refused.map(toInteger).filter((number) => number !== undefined);
  const counts = refused.flatMap((value) => (Array.isArray(value) ? [value.length] : []));
  const isKey = place === boundarySearch.body.key?.pointer;
  return [
    ...(texts.length > 0 && !isKey ? await exploreText(search, texts) : []),
    ...(numbers.length > 0 ? await exploreNumber(search, numbers) : []),
    ...(counts.length > 0 && Array.isArray(plain)
      ? await findItemBoundaries({ boundarySearch, place, list: plain, counts })
      : []),
  ];
}

/** More than the bytes that an id and a change in a text's notation add to a body. */
const spareBytes = 64;

/** The maximum number of places of a plain body to explore, if nothing shows which of them is the cause. */
const mostPlainPlaces = 20;

/** More than the usual limits of lists and texts. */
const manyItems = 1_001;

/** Returns the places whose values may be the cause of a rejection: mutated places, or any place of a plain body. */
function suspiciousPlaces({ request: { body } }: CheckedExchange, plain: PlainBody): readonly ValuePlace[] {
  if (body.kind !== 'valid' || body.grade.kind === 'ambiguous') return [];
  const places = valuePlaces(body.value);
  if (body.grade.kind === 'extreme') {
    const unusual = new Set(body.grade.mutations.map(({ place }) => place));
    return places.filter(({ at }) => at !== '' && unusual.has(at));
  }
  // The rejection of plain bodies hides other rejections, so more than their values must be tried.
  const others = valuePlaces(plain.fullest).flatMap(({ at, value }) =>
    extremesOf(value).map((extreme) => ({ at, value: extreme })),
  );
  return [...places.slice(0, mostPlainPlaces), ...others.slice(0, 2 * mostPlainPlaces)].filter(
    ({ at }) => at !== '' && at !== plain.key?.pointer,
  );
}

function extremesOf(value: JsonValue): readonly JsonValue[] {
  if (typeof value === 'string') return ['', 'a'.repeat(manyItems)];
  return Array.isArray(value) ? [[], Array.from({ length: manyItems }, () => null)] : [];
}

/** Groups the suspicious values of rejected bodies by place; all items of a list count as its first item. */
function groupByPlace(
  refused: readonly CheckedExchange[],
  plain: PlainBody,
): ReadonlyMap<string, readonly JsonValue[]> {
  const groups = new Map<string, JsonValue[]>();
  for (const judged of refused) {
    for (const { at, value } of suspiciousPlaces(judged, plain)) {
      const place = placePattern(at);
      groups.set(place, [...(groups.get(place) ?? []), value]);
    }
  }
  return groups;
}

/** Finds undocumented limits of one operation, starting from the valid bodies that it rejected. */
async function exploreOperation(
  boundarySearch: BoundarySearch,
  refused: readonly CheckedExchange[],
  atOnce: number,
): Promise<readonly Boundary[]> {
  const { smallest, fullest } = boundarySearch.body;
  const plain = new Map<string, ValuePlace>();
  for (const place of [...valuePlaces(fullest), ...valuePlaces(smallest)]) {
    plain.set(placePattern(place.at), plain.get(placePattern(place.at)) ?? place);
  }
  const size = await findBodySizeBoundary(
    boundarySearch,
    Math.max(...refused.map(({ request }) => request.bodyBytes)),
  );
  const plainBytes = stringifyJson(fullest).length + spareBytes;
  const mostBytes = size?.what === 'body-size' ? size.accepted - plainBytes : Number.MAX_SAFE_INTEGER;
  const found: (readonly Boundary[])[] = [];
  await runSideBySide({
    tasks: [...[...groupByPlace(refused, boundarySearch.body)].entries()],
    atOnce,
    isStopped: () => false,
    async run([index, [pattern, values]]) {
      const { at: place = pattern.replaceAll('/*', '/0'), value } = plain.get(pattern) ?? {};
      const search = { boundarySearch, place, refused: values, plain: value, mostBytes };
      found[index] = (await explorePlace(search)).map((boundary) =>
        boundary.what === 'body-size' ? boundary : { ...boundary, place: pattern },
      );
    },
  });
  return [...(size === undefined ? [] : [size]), ...found.flat()];
}

/** A violation found by a probe, and the request to repeat. */
interface Incident {
  readonly finding: Finding;
  readonly record: SessionRecord;
}

/** Returns the effort to read a request. A request with the first rejected number costs least. */
function readingCost({ judged }: SessionRecord, boundary: Boundary): number {
  const { body, bodyBytes } = judged.request;
  if (body.kind !== 'valid' || boundary.what === 'body-size') return bodyBytes;
  const isEdge =
    boundary.what === 'value' &&
    valuePlaces(body.value).some(
      ({ at, value }) => placePattern(at) === boundary.place && stringifyJson(value) === boundary.refused,
    );
  return valueCost(body.value, () => false) + (isEdge ? 0 : 2 ** 40);
}

async function takeIncident(
  run: OpenRun,
  sender: Sender,
  input: Incident & { readonly of: TakenFinding },
): Promise<void> {
  const { finding, record, of } = input;
  if (run.ledger.isKnown(finding)) return;
  const { records, ...confirmed } = await confirmAlone({
    sender,
    finding,
    record,
    tries: triesToConfirm({ finding, records: [record] }, run.memory.plain),
  });
  run.take(of.planned, {
    finding,
    records: records.length > 0 ? records : [record],
    path: of.found.path,
    confirmed,
  });
}

/**
 * Finds the limits behind the valid bodies that were rejected, by operation. One finding for each limit replaces the
 * findings that it explains.
 * @throws ClocheError CANNOT_JUDGE if the service is unreachable
 */
export async function settleConstraints(run: OpenRun): Promise<void> {
  const operations = new Map<string, TakenFinding[]>();
  for (const taken of run.constraints) {
    const { operation } = taken.found.finding;
    operations.set(operation, [...(operations.get(operation) ?? []), taken]);
  }
  for (const occurrences of operations.values()) {
    await settleOperation(run, occurrences);
  }
}

async function settleOperation(run: OpenRun, occurrences: readonly TakenFinding[]): Promise<void> {
  const [first] = occurrences;
  const refused = occurrences.flatMap(({ shown }) => shown.judged);
  const operation = refused[0]?.operation;
  const plain = operation && plainRequest(operation).body;
  if (first === undefined || operation === undefined || plain?.kind !== 'body') return;
  const { suite, property } = first.planned;
  const sender = run.openSender({ suite, property: property.id });
  const records: SessionRecord[] = occurrences.map(({ shown }) => shown);
  const incidents: Incident[] = [];
  const boundarySearch = createBoundarySearch({
    operation,
    body: plain.body,
    sender,
    isStopped: () => run.isStopped(),
    tries: () => triesAgainstChance(run.memory.plain, { least: 1, most: 8 }),
    onRecord(record) {
      records.push(...(classifyStatus(record.judged.answer) === 'refused' ? [record] : []));
      const grave = record.judged.findings.filter(({ level }) => level === 'violation');
      incidents.push(...grave.map((finding) => ({ finding, record })));
    },
  });
  const explored = await exploreOperation(boundarySearch, refused, run.settings.connections);
  const accepted = run.memory.acceptedBodies.get(operation.id) ?? [];
  const boundaries = explored.filter((boundary) => !isContradicted(boundary, accepted));
  for (const incident of incidents) {
    await takeIncident(run, sender, { ...incident, of: first });
  }
  for (const boundary of boundaries) {
    supersede({ run, occurrences, records, boundary });
  }
  const left = occurrences.filter(
    ({ shown }) => !boundaries.some((boundary) => explainsRefusal(boundary, shown.judged)),
  );
  const ofPlain = left.find(({ shown }) => isPlainAndTrusted(shown.judged));
  if (ofPlain !== undefined && left.length > 1 && (await isRefusedAlways(boundarySearch))) {
    const explained = left.map(({ found }) => found.finding);
    run.supersede(explained, ofPlain.planned, ofPlain.found);
  }
}

/** Returns whether the plainest body is now always rejected. Then mutations in other bodies are not the cause. */
async function isRefusedAlways(boundarySearch: BoundarySearch): Promise<boolean> {
  for (let tried = 0; tried < 3; tried += 1) {
    if ((await boundarySearch.pad(0)).verdict !== 'refused') return false;
  }
  return true;
}

/** Returns whether the service rejects what the reference service accepts, and the contract does not specify it. */
function isRefusedHere({ parity }: Finding, { judged }: SessionRecord): boolean {
  return parity?.verdict.kind === 'silent' && classifyStatus(judged.answer) === 'refused';
}

/** Replaces findings by the finding of the limit that explains them. */
function supersede(input: {
  readonly run: OpenRun;
  readonly occurrences: readonly TakenFinding[];
  readonly records: readonly SessionRecord[];
  readonly boundary: Boundary;
}): void {
  const { run, occurrences, records, boundary } = input;
  const explained = occurrences.filter(({ shown }) => explainsRefusal(boundary, shown.judged));
  const differences = run.differences.filter(
    ({ shown, found }) =>
      found.finding.operation === occurrences[0]?.found.finding.operation &&
      isRefusedHere(found.finding, shown) &&
      explainsRefusal(boundary, shown.judged),
  );
  const [of = occurrences[0]] = explained;
  const [smallest] = records
    .filter(({ judged }) => explainsRefusal(boundary, judged))
    .toSorted((left, right) => readingCost(left, boundary) - readingCost(right, boundary));
  if (of === undefined || smallest === undefined) return;
  const { clause, check, level, operation } = of.found.finding;
  const finding: Finding = {
    check,
    level,
    operation,
    clause,
    expected: 'a valid body is accepted, or the document declares the constraint',
    received: describeReceived(smallest.judged.answer),
    cause: boundaryCause(boundary),
    boundary,
    ...markBoundary(of.found.finding, boundary, smallest.judged),
  };
  run.supersede(
    [...explained, ...differences].map(({ found }) => found.finding),
    of.planned,
    { ...of.found, finding, records: [smallest] },
  );
}
