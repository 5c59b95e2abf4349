import { declaresExactly } from '../declares-exactly.ts';
import { classifyStatus } from '../status-class.ts';
import { hasOnly } from './has-only.ts';
import type { Hold } from './hold.ts';
import { statusOf } from './status-of.ts';

/** Holds what becomes of an Accept that rules out what the document declares. */
export const holdAccept: Hold = ({ subject, context, concerns }) => {
  if (subject.request.accept !== 'unmet' || !hasOnly(concerns, 'accept', 'unique')) {
    return undefined;
  }
  const answer = declaresExactly(subject.operation, 406) ? 406 : context.policy.accept;
  const isRefused = statusOf(subject) === 406;
  const { answer: given } = subject;
  // Neither 406 nor the declared media type: what is wrong with it is said elsewhere.
  if (answer === 406 && classifyStatus(given) === 'accepted' && given.kind !== 'none') {
    if (given.content.kind === 'none') {
      return undefined;
    }
  }
  return {
    expected: answer === 406 ? '406' : 'Accept is not looked at',
    // A value that has to be unique may be refused before.
    holds: answer === 406 && concerns.has('unique') ? true : isRefused === (answer === 406),
  };
};
