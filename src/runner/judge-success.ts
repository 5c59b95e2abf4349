import { buildRequest } from '../arbitrary/build-request.ts';
import type { Finding } from '../check/finding.ts';
import { locateFinding } from '../check/locate-finding.ts';
import type { CheckId } from '../check/check-id.ts';
import { describeReceived, nameOperation } from '../check/describe-subject.ts';
import type { RecordingSession } from './create-session.ts';
import type { OpenRun } from './open-run.ts';
import type { PlannedProperty } from './plan-run.ts';
import type { RunOptions } from './run-options.ts';

/** How many plain bodies have to be refused before it is said that none is ever taken. */
const enough = 3;
/** Where a plain request shows one of these, that is the cause, and nothing being taken comes of it. */
const explanations = new Set<CheckId>([
  'server-error',
  'undeclared-status',
  'timed-out',
  'connection-dropped',
]);

/**
 * Finds a service that takes none of the plain bodies that its document allows: where no create of the run
 * was ever taken, it sends some more, with keys far apart.
 *
 * @param planned - the property that the finding is filed under
 */
export async function judgeSuccess(
  planned: PlannedProperty,
  run: OpenRun,
  input: { readonly options: RunOptions; readonly session: RecordingSession },
): Promise<void> {
  const { contract } = input.options;
  const create = contract.operations.find(({ kind }) => kind.kind === 'create');
  if (create === undefined || run.memory.plainAccepted > 0 || run.isStopped()) {
    return;
  }
  const isExplained = run.ledger
    .findings()
    .some(({ finding }) => explanations.has(finding.check) && finding.trigger === undefined);
  if (isExplained) {
    return;
  }
  async function sendSome(session: Pick<RecordingSession, 'send' | 'bindKeys'>): Promise<void> {
    const requests = create === undefined ? [] : Array.from({ length: enough }, () => buildRequest(create));
    for (const request of requests) {
      await session.send(request, session.bindKeys());
    }
  }
  const { records } = await input.session.record(sendSome, { far: true });
  const last = records.at(-1);
  if (last === undefined || run.memory.plainSent < enough || run.memory.plainAccepted > 0) {
    return;
  }
  const anonymous = await input.session.send(
    buildRequest(create, { credentials: { kind: 'none' } }),
    input.session.bindKeys(),
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
    expected: 'some plain valid body is taken',
    received: `all ${run.memory.plainSent} were refused${isAlike && last.judged.request.credentials === 'good' ? ', just as one without credentials: the token may not be good' : ''}`,
    cause: 'never',
  };
  run.take(planned, input.session, {
    finding: locateFinding(finding, contract),
    records: [last],
    path: '0',
    confirmed: { seen: enough, tried: enough },
  });
}
