import { checkControlToken } from './check-control-token.ts';
import type { ControlContext } from './control-context.ts';
import type { ControlOptions } from './control-options.ts';
import { mountControl } from './mount-control.ts';
import type { Mounted } from './mounted.ts';
import type { ServePage } from './serve-page.ts';

/**
 * Opens the control interface of a mock; nothing of it is loaded before it is asked.
 *
 * @param input.options - false for none
 * @param input.inspector - gives the web page
 * @param input.context - asked when the first request comes
 * @returns undefined where there is to be none
 * @throws ClocheError OPTION_INVALID for a token that no header can carry
 */
export function openControl(input: {
  readonly options: ControlOptions | false;
  readonly inspector: (() => Promise<ServePage>) | undefined;
  readonly context: () => Promise<Omit<ControlContext, 'describe'>>;
}): Mounted | undefined {
  const { options, inspector, context } = input;
  if (options === false) {
    return undefined;
  }
  const token = checkControlToken(options.token);
  return mountControl(async () => {
    const [{ createControl }, servePage, found] = await Promise.all([
      import('./create-control.ts'),
      inspector?.(),
      context(),
    ]);
    return createControl({ context: found, token, servePage });
  });
}
