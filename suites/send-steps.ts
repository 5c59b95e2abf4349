import { isTurnedAway } from '../src/check/is-turned-away.ts';
import type { Judged } from '../src/check/judged.ts';
import type { KeyBinding, Session } from '../src/runner/session.ts';
import type { StoreSteps } from './store-step.ts';

/** Sends the requests one after the other, and those that insist once more where they are turned away. */
export async function sendSteps(steps: StoreSteps, session: Session): Promise<readonly Judged[]> {
  const bindings = new Map<number, KeyBinding>();
  const trace: Judged[] = [];
  for (const { request, key, insists } of steps) {
    const keys = bindings.get(key) ?? session.bindKeys();
    bindings.set(key, keys);
    const judged = await session.send(request, keys);
    trace.push(judged);
    if (insists === true && isTurnedAway(judged)) {
      trace.push(await session.send(request, keys));
    }
  }
  return trace;
}
