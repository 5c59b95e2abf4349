import type { Finding } from '../check/finding.ts';
import type { Confirmation } from './confirmation.ts';
import type { RecordingSession, SessionRecord } from './create-session.ts';
import { recordsThatShow } from './records-that-show.ts';

/**
 * Sends the one request that showed a finding again, without what was sent around it and with keys far apart, up to
 * the first time that the finding stays away.
 *
 * @throws ClocheError CANNOT_JUDGE where the service is gone
 */
export async function confirmAlone(input: {
  readonly session: RecordingSession;
  readonly finding: Finding;
  readonly record: SessionRecord;
  /** How often it has to come back. */
  readonly tries: number;
}): Promise<Confirmation> {
  const { session, finding, record, tries } = input;
  let last: readonly SessionRecord[] = [];
  for (let seen = 0; seen < tries; seen += 1) {
    const { records } = await session.record(
      (recorder) => recorder.send(record.request, recorder.bindKeys()),
      { far: true },
    );
    if (recordsThatShow(finding, records).length === 0) {
      return { seen, tried: seen + 1, records: last };
    }
    last = records;
  }
  return { seen: tries, tried: tries, records: last };
}
