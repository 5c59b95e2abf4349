import fc, { type Arbitrary } from 'fast-check';
import { keyClasses, type PlainBody } from '../src/arbitrary/plain-body.ts';
import { type Cases, noCases } from '../src/arbitrary/request-case.ts';
import { keepFewer } from '../src/arbitrary/shrink-value.ts';
import { canaryBodies } from '../src/arbitrary/unusual-bodies.ts';
import { raceCheck, whyRaceUnchecked } from '../src/check/checks/sequence.ts';
import type { CheckedExchange } from '../src/check/classify/subject.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import type { Session } from '../src/session/session.ts';
import {
  type BodyOperation,
  examplesOnly,
  planCreates,
  type PlannedBody,
  requestWith,
  sendTogether,
  type Sequence,
  withCases,
} from './property.ts';

/** The number of requests in a round. A service that checks first and acts later fails if two of them coincide. */
const atOnce = 8;
/** How often one id is sent successively. A second rejection shows that the first one changed nothing. */
const runExclusive = 3;
/** The number of rounds for an id. The time between a check and the action may be short. */
const races = 5;

/**
 * Returns the same examples in every run, from a seed for each property. If texts must be unique, equal texts of two
 * concurrent properties would collide.
 */
function takeExamples<Case>(
  arbitrary: Arbitrary<Case>,
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly Case[] {
  return fc.sample(arbitrary, { seed, numRuns: count });
}

async function sendApart(rounds: Sequence, session: Session): Promise<readonly CheckedExchange[]> {
  const trace: CheckedExchange[] = [];
  for (const round of rounds) {
    trace.push(...(await sendTogether(round, session)));
  }
  return trace;
}

/** Sends one id successively, then one id concurrently for each further round. */
async function sendRaces(
  [alone = [], ...rounds]: Sequence,
  session: Session,
): Promise<readonly CheckedExchange[]> {
  const first = session.openIdContext();
  const trace: CheckedExchange[] = [];
  for (const request of alone) {
    trace.push(await session.send(request, first));
  }
  // If the service accepts repeated ids, a race cannot show a fault.
  if (whyRaceUnchecked(trace) !== undefined) return trace;
  for (const round of rounds) {
    trace.push(...(await sendTogether(round, session, session.openIdContext())));
  }
  return trace;
}

function apartCases(body: PlainBody, target: BodyOperation): Cases<Sequence> {
  const bodies = canaryBodies(body, atOnce);
  if (bodies === undefined) return noCases;
  const arbitrary = bodies.map((values): Sequence => [values.map((value) => requestWith(target, value))]);
  return { examples: takeExamples(arbitrary, { count: 2, seed: 1 }), arbitrary };
}

function sideBySide({ operation, outline, late }: PlannedBody): readonly Property[] {
  if (!outline.texts) return [];
  const property = withCases<Sequence>(late(2, apartCases), {
    id: `${operation.id}.side-by-side`,
    title: 'Each of several concurrent creates gets its own response',
    countsAs: atOnce,
    sendsTogether: true,
    simplify: (large) => simplifyRounds(large, 0),
    run: sendApart,
    // One response alone shows what belongs to another request.
    traceChecks: [],
  });
  return [property];
}

const requestsOfRace = runExclusive + atOnce * races;

function raceCases(body: PlainBody, target: BodyOperation): Cases<Sequence> {
  if (body.key === undefined) return noCases;
  const length = requestsOfRace;
  const values = canaryBodies(body, length) ?? fc.constant(Array.from({ length }, () => body.smallest));
  const arbitrary = values.map((made): Sequence => {
    const requests = made.map((value) => requestWith(target, value));
    const rounds = Array.from({ length: races }, (_, index) =>
      requests.slice(runExclusive + index * atOnce, runExclusive + (index + 1) * atOnce),
    );
    return [requests.slice(0, runExclusive), ...rounds];
  });
  return examplesOnly(takeExamples(arbitrary, { count: 1, seed: 2 }));
}

function raceProperty({ operation, late }: PlannedBody): readonly Property[] {
  if (keyClasses(operation).size === 0) return [];
  const property = withCases<Sequence>(late(1, raceCases, false), {
    id: `${operation.id}.race`,
    title: 'Concurrent creates of one id are accepted as often as successive ones',
    countsAs: requestsOfRace,
    sendsTogether: true,
    simplify: (large) => simplifyRounds(large, 1),
    run: sendRaces,
    traceChecks: [raceCheck.judgeTrace],
    whyUnchecked: whyRaceUnchecked,
  });
  return [property];
}

/**
 * Yields fewer rounds after the fixed ones at the start, then fewer requests in each round. The requests keep their
 * texts, which distinguish them.
 */
function* simplifyRounds(rounds: Sequence, fixed: number): Generator<Sequence> {
  const [start, others] = [rounds.slice(0, fixed), rounds.slice(fixed)];
  for (const kept of keepFewer(others)) {
    if (kept.length > 0) {
      yield [...start, ...kept];
    }
  }
  const widest = Math.max(0, ...others.map((round) => round.length));
  for (const width of [2, 3, 4, 6].filter((one) => one < widest)) {
    yield [...start, ...others.map((round) => round.slice(0, width))];
  }
}

/**
 * Concurrent creates, with different ids and with one id. They run beside other suites, because that only makes a
 * service more likely to mix up requests.
 */
export const concurrency: Suite = {
  id: 'concurrency',
  title: 'Concurrency',
  plan: ({ contract }) =>
    planCreates(
      contract,
      (target) => [...sideBySide(target), ...raceProperty(target)],
      'no operation creates what a client names, in a text or by a key',
    ),
};
