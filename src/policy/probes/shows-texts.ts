import { isJsonObject } from '../../json/is-json-object.ts';
import type { ProbeExchange, ProbeMember } from '../probe.ts';
import { readTexts } from './read-texts.ts';

/** Whether an answer holds a text of a sample under the name that it was sent under. */
export function showsTexts({ received }: ProbeExchange, members: readonly ProbeMember[]): boolean {
  return (
    isJsonObject(received) &&
    [...readTexts(members)].some(([name, text]) => Object.hasOwn(received, name) && received[name] === text)
  );
}
