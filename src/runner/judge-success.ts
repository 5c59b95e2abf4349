import { namedItems } from '../arbitrary/request-case.ts';
import { buildRequest, plainRequest } from '../arbitrary/request.ts';
import { statusOf } from '../check/classify/answer.ts';
import { describeReceived, nameOperation } from '../check/describe.ts';
import { type CheckId, type Finding, locateFinding } from '../check/finding.ts';
import type { Operation } from '../contract/contract.ts';
import { isAbsentStatus } from '../http/status.ts';
import type { SessionRecord } from '../session/send-case.ts';
import type { RunPlan } from './plan.ts';
import type { OpenRun } from './run-context.ts';
import { selectTargets } from './target-operations.ts';

/** The number of rejected plain bodies after which the run reports that none is accepted. */
const enough = 3;
/** Checks whose findings on plain requests explain why nothing is accepted. */
const explanations = new Set<CheckId>([
  'server-error',
  'undeclared-status',
  'timed-out',
  'connection-dropped',
]);

/**
 * Finds a service that accepts no plain body: if it accepted no create of the run, some more are sent, with ids from a
 * disjoint range. The finding belongs to the first property.
 */
export async function judgeSuccess({ first: planned }: RunPlan, run: OpenRun): Promise<void> {
  const { settings, ledger, memory } = run;
  const { contract } = settings;
  const create = selectTargets(settings)
    .targets.toSorted((left, right) => countNeeded(left) - countNeeded(right))
    .find((each) => each.kind.kind === 'create' && plainRequest(each).problem === undefined);
  if (create === undefined || memory.plain.accepted > 0 || run.isStopped()) return;
  const isExplained = ledger
    .findings()
    .some(({ finding }) => explanations.has(finding.check) && finding.trigger === undefined);
  if (isExplained) return;
  const sender = run.openSender({ suite: 'preflight', property: 'preflight' });
  const session = sender.open({ far: true });
  for (let sent = 0; sent < enough; sent += 1) {
    await session.send(buildRequest(create), session.openIdContext());
  }
  const last = session.records.at(-1);
  if (last === undefined || memory.plain.sent < enough || memory.plain.accepted > 0) return;
  if (lacksItem(last, create)) return;
  const near = sender.open();
  const anonymous = await near.send(
    buildRequest(create, { credentials: { kind: 'none' } }),
    near.openIdContext(),
  );
  const isAlike = describeReceived(anonymous.answer) === describeReceived(last.judged.answer);
  const finding: Finding = {
    check: 'never-succeeds',
    level: 'violation',
    operation: nameOperation(last.judged),
    clause: {
      kind: 'document',
      pointer: last.judged.operation?.requestBody?.pointer ?? '',
      quote: 'its schema accepts the body',
    },
    expected: 'some plain valid body is accepted',
    received: `all ${memory.plain.sent} were refused${isAlike && last.judged.request.credentials === 'good' ? ', just as one without credentials: the token may not be good' : ''}`,
    cause: 'never',
  };
  run.take(planned, {
    finding: locateFinding(finding, contract),
    records: [last],
    path: '0',
    confirmed: { seen: enough, tried: enough },
  });
}

/** Returns whether a create may be refused because the run found no item for its path or its body. */
function lacksItem({ request, items, judged }: SessionRecord, create: Operation): boolean {
  const isOrphan = create.items.some(({ parameter }) => !items.has(parameter));
  return (
    (isOrphan && isAbsentStatus(statusOf(judged))) || namedItems(request).some((item) => !items.has(item))
  );
}

/** Returns the number of items that a create may need in its path and its body. */
const countNeeded = ({ items, bodyItems }: Operation): number => items.length + bodyItems().length;
