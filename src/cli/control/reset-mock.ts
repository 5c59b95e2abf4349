import { closestWord } from '../../errors/closest-word.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { type ResetPart, resetParts } from '../../mock/control/reset-part.ts';
import type { Action } from './action.ts';

function toPart(word: string): ResetPart {
  const part = resetParts.find((each) => each === word);
  if (part !== undefined) {
    return part;
  }
  const near = closestWord(word, resetParts);
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'read the option',
    subject: `--only ${word}`,
    reason: `there is no such part: there are ${resetParts.join(', ')}`,
    remedy: near === undefined ? 'Give one of them' : `Perhaps "${near}" was meant`,
  });
}

/** `cloche reset` */
export const resetMock: Action = {
  async act(client, { text }) {
    const only = text('only');
    const parts = only?.split(',').map((word) => toPart(word.trim()));
    await client.call({
      method: 'POST',
      path: '/reset',
      ...(parts === undefined ? {} : { body: { parts } }),
    });
    return { value: undefined, lines: [`As at the start: ${parts?.join(', ') ?? 'everything'}.`] };
  },
};
