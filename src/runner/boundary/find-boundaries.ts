import { type ValuePlace, valuePlaces } from '../../arbitrary/edit-cases.ts';
import type { PlainBody } from '../../arbitrary/plain-body.ts';
import { plainRequest } from '../../arbitrary/request.ts';
import { valueCost } from '../../arbitrary/shrink-value.ts';
import { type Boundary, boundaryCause, breaksBoundary } from '../../check/boundary.ts';
import { describeReceived } from '../../check/describe.ts';
import type { Finding } from '../../check/finding.ts';
import { classifyStatus } from '../../check/reading/answer.ts';
import { isPlainAndTrusted } from '../../check/reading/request.ts';
import type { CheckedExchange } from '../../check/reading/subject.ts';
import { ExactNumber, toDecimal, toJsonNumber } from '../../json/exact-number.ts';
import type { JsonPointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Sender, SessionRecord } from '../../session/send-case.ts';
import { runSideBySide } from '../../session/throttle.ts';
import { confirmAlone, triesAgainstChance, triesToConfirm } from '../confirm.ts';
import { markBoundary } from '../parity/attribute.ts';
import type { OpenRun, TakenFinding } from '../run-context.ts';
import {
  findBodySizeBoundary,
  findItemBoundaries,
  findValueBoundaries,
  type RefusedNumber,
} from './number.ts';
import { createBoundarySearch, type BoundarySearch } from './boundary-search.ts';
import { findCharacterBoundaries, findGreatestLength, findLeastLength, findSpaceBoundary } from './text.ts';

/** A place with `*` for each index: what holds for one item of a list holds for all. */
function placePattern(place: JsonPointer): JsonPointer {
  return place.replaceAll(/\/\d+(?=\/|$)/gu, '/*');
}

/** Whether a boundary is reason enough for a valid body to be refused. */
function explainsRefusal(boundary: Boundary, { request }: CheckedExchange): boolean {
  const { body, bodyBytes } = request;
  if (boundary.what === 'body-size') return bodyBytes >= boundary.refused;
  return body.kind === 'valid' && isBroken(boundary, body.value);
}

/** Returns whether a value in a body is on the refused side of a boundary. */
function isBroken(boundary: Boundary, body: JsonValue): boolean {
  return valuePlaces(body).some(
    ({ at, value }) => placePattern(at) === boundary.place && breaksBoundary(value, boundary),
  );
}

/** Returns whether the service accepted a value on the refused side of a bound, which then depends on other values. */
function isContradicted(boundary: Boundary, accepted: readonly JsonValue[]): boolean {
  const isBound = ['value', 'length', 'items'].includes(boundary.what);
  return isBound && accepted.some((body) => isBroken(boundary, body));
}

/** A value that stood at a place of a body that was refused. */
interface RefusedValue {
  readonly value: JsonValue;
  readonly judged: CheckedExchange;
}

/** What is known of the place that is explored. */
interface PlaceSearch {
  readonly boundarySearch: BoundarySearch;
  readonly place: JsonPointer;
  readonly refused: readonly RefusedValue[];
  /** What stands there in a plain body. */
  readonly plain: JsonValue | undefined;
  /** The most bytes that the text of the value may have, as bodies are limited. */
  readonly mostBytes: number;
}

/** Lengths of texts of letters that are tried until one is accepted, as a document may ask for long ones. */
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
    // Nothing that is sent to find a limit can be sent twice.
    return [{ what: 'repeated', place, refused: again }];
  }
  const bytes = texts.map((text) => new TextEncoder().encode(text).length);
  const longest = Math.min(Math.max(...bytes), mostBytes);
  const greatest = await findGreatestLength({ boundarySearch, place, base, longest });
  const limit = greatest?.what === 'length' ? greatest.accepted : mostBytes;
  const least = texts.includes('') ? await findLeastLength({ boundarySearch, place, base }) : undefined;
  const lengths = [greatest, least].filter((boundary) => boundary !== undefined);
  // Long texts of letters alone say nothing of characters.
  if (texts.every((text) => /^[a-z]*$/u.test(text) && text !== '')) return lengths;
  const letters = 'a'.repeat(least?.what === 'length' ? least.accepted : 1);
  const spaces = await findSpaceBoundary({ boundarySearch, place, letters });
  const characters = await findCharacterBoundaries({ boundarySearch, place, letters, longest: limit });
  return [...lengths, ...(spaces === undefined ? [] : [spaces]), ...characters];
}

/** Whole numbers that are tried until one is accepted, where that of a plain body is not. */
const usualNumbers = [1n, 10n, 100n, 0n, 1_000n, -1n];

async function exploreNumber(
  search: PlaceSearch,
  refused: readonly RefusedNumber[],
): Promise<readonly Boundary[]> {
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

/** Searches the boundaries of the values at one place of a body, with what was refused there for a start. */
async function explorePlace(search: PlaceSearch): Promise<readonly Boundary[]> {
  const { boundarySearch, place, refused, plain } = search;
  const texts = refused.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const numbers = refused.flatMap(({ value, judged }) => {
    const number = toInteger(value);
    return number === undefined ? [] : [{ number, judged }];
  });
  const counts = refused.flatMap(({ value }) => (Array.isArray(value) ? [value.length] : []));
  const isKey = place === boundarySearch.body.key?.pointer;
  return [
    ...(texts.length > 0 && !isKey ? await exploreText(search, texts) : []),
    ...(numbers.length > 0 ? await exploreNumber(search, numbers) : []),
    ...(counts.length > 0 && Array.isArray(plain)
      ? await findItemBoundaries({ boundarySearch, place, list: plain, counts })
      : []),
  ];
}

/** More than any key and any change of a text's own notation adds to a body. */
const spareBytes = 64;

/** The most places of a plain body that are looked at, where nothing says which of them it is refused for. */
const mostPlainPlaces = 20;

/** More than limits of lists usually allow, and of texts. */
const manyItems = 1_001;

/** The places of a body whose values may be what it is refused for: those that are odd, or any of a plain one. */
function suspiciousPlaces({ request: { body } }: CheckedExchange, plain: PlainBody): readonly ValuePlace[] {
  if (body.kind !== 'valid' || body.grade.kind === 'contested') return [];
  const places = valuePlaces(body.value);
  if (body.grade.kind === 'extreme') {
    const odd = new Set(body.grade.oddities.map(({ place }) => place));
    return places.filter(({ at }) => at !== '' && odd.has(at));
  }
  // What refuses plain bodies hides what else is refused, so that more than their own values are to be tried.
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

/** The suspicious values of the bodies that were refused, by place; those in a list as those in its first item. */
function groupByPlace(
  refused: readonly CheckedExchange[],
  plain: PlainBody,
): ReadonlyMap<string, readonly RefusedValue[]> {
  const groups = new Map<string, RefusedValue[]>();
  for (const judged of refused) {
    for (const { at, value } of suspiciousPlaces(judged, plain)) {
      const place = placePattern(at);
      groups.set(place, [...(groups.get(place) ?? []), { value, judged }]);
    }
  }
  return groups;
}

/** Finds the limits that one operation holds to besides those of the document, in the valid bodies that it refused. */
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

/** A violation that a probe showed, and the request to send again. */
interface Incident {
  readonly finding: Finding;
  readonly record: SessionRecord;
}

/** How much there is to read in a request; the very number where refusing begins comes first. */
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
 * Looks for the limits behind the valid bodies that were refused, by operation, and puts one finding for each limit
 * in the place of those that it explains.
 * @throws ClocheError CANNOT_JUDGE where the service is gone
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

/** Whether by now the plainest body is refused each time, so that nothing can be held against what is odd in others. */
async function isRefusedAlways(boundarySearch: BoundarySearch): Promise<boolean> {
  for (let tried = 0; tried < 3; tried += 1) {
    if ((await boundarySearch.pad(0)).verdict !== 'refused') return false;
  }
  return true;
}

/** Whether the service refuses what another accepts, as the contract says nothing of it. */
function isRefusedHere({ parity }: Finding, { judged }: SessionRecord): boolean {
  return parity?.verdict.kind === 'silent' && classifyStatus(judged.answer) === 'refused';
}

/** Puts the finding of a limit in the place of those that it explains. */
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
