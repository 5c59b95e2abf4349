import { jsonEqual } from '../../json/json-equal.ts';
import { readEcho } from '../read-echo.ts';
import { isTelltale } from '../telltale-texts.ts';
import { hasOnly } from './has-only.ts';
import type { Hold } from './hold.ts';

/**
 * Holds a service that does not answer with what was sent to it. One that should, and does not, is a finding of its
 * own, which says what is missing or changed.
 */
export const holdEcho: Hold = ({ subject, context, concerns }) => {
  const echo = context.policy.echo === 'none' && hasOnly(concerns) ? readEcho(subject) : undefined;
  if (echo === undefined) {
    return undefined;
  }
  const { sent, received, names } = echo;
  const isWhole = names.every((name) => {
    const [before, after] = [sent[name], received[name]];
    return before !== undefined && after !== undefined && jsonEqual(before, after);
  });
  // Random letters do not come back by chance.
  const isTelling = names.some((name) => {
    const text = sent[name];
    return typeof text === 'string' && isTelltale(text);
  });
  return isWhole && isTelling
    ? {
        expected: 'an answer that does not hold what was sent',
        holds: false,
        received: 'every value as it was sent',
      }
    : undefined;
};
