import { classifyStatus } from '../check/status-class.ts';
import type { RecordingSession, SessionRecord } from './create-session.ts';
import { mayBeStored } from './may-be-stored.ts';

/** So often a request is sent again: what else is under way may have the service refuse it once more. */
const most = 3;

/**
 * Whether a request that was refused, or answered with another text, under a fresh key comes to the same each time
 * that it is sent again under that very key. It does where a live store holds the key since last week; where it is
 * taken now, or refused since it was created after all, something else was to blame.
 *
 * @throws ClocheError CANNOT_JUDGE where the service is gone
 */
export async function isOfItsKey(
  session: RecordingSession,
  { request, keys, judged }: SessionRecord,
): Promise<boolean> {
  const wasTaken = classifyStatus(judged.answer) === 'accepted';
  for (let tried = 0; tried < most; tried += 1) {
    const again = await session.send(request, keys);
    const outcome = classifyStatus(again.answer);
    // Its key is no longer fresh, but is to be read as though it were.
    const isStored = mayBeStored({ ...again, request: { ...again.request, key: judged.request.key } });
    if (outcome === 'accepted' ? !isStored : wasTaken && outcome === 'refused') {
      return false;
    }
  }
  return true;
}
