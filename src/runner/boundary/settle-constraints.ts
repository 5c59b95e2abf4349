import { plainRequest } from '../../arbitrary/plain-request.ts';
import { valueCost } from '../../arbitrary/value-cost.ts';
import { valuePlaces } from '../../arbitrary/value-places.ts';
import type { Boundary } from '../../check/boundary.ts';
import { boundaryCause } from '../../check/boundary-cause.ts';
import { describeReceived } from '../../check/describe-subject.ts';
import type { Finding } from '../../check/finding.ts';
import { isPlainAndTrusted } from '../../check/is-plain-and-trusted.ts';
import { classifyStatus } from '../../check/status-class.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { confirmAlone } from '../confirm-alone.ts';
import type { RecordingSession, SessionRecord } from '../create-session.ts';
import type { OpenRun, TakenFinding } from '../open-run.ts';
import { markBoundary } from '../parity/mark-boundary.ts';
import { triesAgainstChance } from '../tries-against-chance.ts';
import { triesToConfirm } from '../tries-to-confirm.ts';
import { createProber } from './create-prober.ts';
import { exploreOperation } from './explore-operation.ts';
import { explainsRefusal } from './explains-refusal.ts';
import { placePattern } from './place-pattern.ts';
import type { Prober } from './prober.ts';

/** A violation that a probe showed, and the request to send again. */
interface Incident {
  readonly finding: Finding;
  readonly record: SessionRecord;
}

/** How much there is to read in a request; the very number where refusing begins comes first. */
function readingCost({ judged }: SessionRecord, boundary: Boundary): number {
  const { body, bodyBytes } = judged.request;
  if (body.kind !== 'valid' || boundary.what === 'body-size') {
    return bodyBytes;
  }
  const isEdge =
    boundary.what === 'value' &&
    valuePlaces(body.value).some(
      ({ at, value }) => placePattern(at) === boundary.place && stringifyJson(value) === boundary.refused,
    );
  return isEdge ? 0 : valueCost(body.value, () => false);
}

async function takeIncident(
  run: OpenRun,
  session: RecordingSession,
  input: Incident & { readonly of: TakenFinding },
): Promise<void> {
  const { finding, record, of } = input;
  if (run.ledger.isKnown(finding)) {
    return;
  }
  const plain = { sent: run.memory.plainSent, accepted: run.memory.plainAccepted };
  const { records, ...confirmed } = await confirmAlone({
    session,
    finding,
    record,
    tries: triesToConfirm({ finding, records: [record] }, plain),
  });
  run.take(of.planned, session, {
    finding,
    records: records.length > 0 ? records : [record],
    path: of.found.path,
    confirmed,
  });
}

/**
 * Looks for the limits behind the valid bodies that were refused, operation by operation, and puts one finding for
 * each limit in the place of those that it explains. What no limit explains stays as it was found.
 *
 * @param connections - how many probes may be under way at once
 * @throws ClocheError CANNOT_JUDGE where the service is gone
 */
export async function settleConstraints(run: OpenRun, connections: number): Promise<void> {
  const operations = new Map<string, TakenFinding[]>();
  for (const taken of run.constraints()) {
    const { operation } = taken.found.finding;
    operations.set(operation, [...(operations.get(operation) ?? []), taken]);
  }
  for (const sightings of operations.values()) {
    await settleOperation(run, sightings, connections);
  }
}

async function settleOperation(
  run: OpenRun,
  sightings: readonly TakenFinding[],
  connections: number,
): Promise<void> {
  const [first] = sightings;
  const refused = sightings.flatMap(({ shown }) => shown.judged);
  const operation = refused[0]?.operation;
  const plain = operation && plainRequest(operation).body;
  if (first === undefined || operation === undefined || plain?.kind !== 'body') {
    return;
  }
  const { suite, property } = first.planned;
  const session = run.openSession({ suite, property: property.id, via: 'client' }, () => undefined);
  const records: SessionRecord[] = sightings.map(({ shown }) => shown);
  const incidents: Incident[] = [];
  const prober = createProber({
    operation,
    body: plain.body,
    session,
    isStopped: run.isStopped,
    tries: () =>
      triesAgainstChance(
        { sent: run.memory.plainSent, accepted: run.memory.plainAccepted },
        { least: 1, most: 8 },
      ),
    onRecord(record) {
      records.push(...(classifyStatus(record.judged.answer) === 'refused' ? [record] : []));
      const grave = record.judged.findings.filter(({ level }) => level === 'violation');
      incidents.push(...grave.map((finding) => ({ finding, record })));
    },
  });
  const boundaries = await exploreOperation({ prober, refused, atOnce: connections });
  for (const incident of incidents) {
    await takeIncident(run, session, { ...incident, of: first });
  }
  for (const boundary of boundaries) {
    supersede({ run, session, sightings, records, boundary });
  }
  const left = sightings.filter(
    ({ shown }) => !boundaries.some((boundary) => explainsRefusal(boundary, shown.judged)),
  );
  const ofPlain = left.find(({ shown }) => isPlainAndTrusted(shown.judged));
  if (ofPlain !== undefined && left.length > 1 && (await isRefusedAlways(prober))) {
    const explained = left.map(({ found }) => found.finding);
    run.supersede(explained, ofPlain.planned, session, ofPlain.found);
  }
}

/** Whether by now the plainest body is refused each time, so that nothing can be held against what is odd in others. */
async function isRefusedAlways(prober: Prober): Promise<boolean> {
  for (let tried = 0; tried < 3; tried += 1) {
    if ((await prober.pad(0)).verdict !== 'refused') {
      return false;
    }
  }
  return true;
}

/** Whether the service refuses what another takes, as the contract says nothing of it. */
function isRefusedHere({ parity }: Finding, { judged }: SessionRecord): boolean {
  return parity?.verdict.kind === 'silent' && classifyStatus(judged.answer) === 'refused';
}

/** Puts the finding of a limit in the place of those that it explains. */
function supersede(input: {
  readonly run: OpenRun;
  readonly session: RecordingSession;
  readonly sightings: readonly TakenFinding[];
  readonly records: readonly SessionRecord[];
  readonly boundary: Boundary;
}): void {
  const { run, session, sightings, records, boundary } = input;
  const explained = sightings.filter(({ shown }) => explainsRefusal(boundary, shown.judged));
  const differences = run
    .differences()
    .filter(
      ({ shown, found }) =>
        found.finding.operation === sightings[0]?.found.finding.operation &&
        isRefusedHere(found.finding, shown) &&
        explainsRefusal(boundary, shown.judged),
    );
  const [of = sightings[0]] = explained;
  const [smallest] = records
    .filter(({ judged }) => explainsRefusal(boundary, judged))
    .toSorted((left, right) => readingCost(left, boundary) - readingCost(right, boundary));
  if (of === undefined || smallest === undefined) {
    return;
  }
  const { clause, check, level, operation } = of.found.finding;
  const finding: Finding = {
    check,
    level,
    operation,
    clause,
    expected: 'a valid body is taken, or the document names the constraint',
    received: describeReceived(smallest.judged.answer),
    cause: boundaryCause(boundary),
    boundary,
    ...markBoundary(of.found.finding, boundary, smallest.judged),
  };
  run.supersede(
    [...explained, ...differences].map(({ found }) => found.finding),
    of.planned,
    session,
    { ...of.found, finding, records: [smallest] },
  );
}
