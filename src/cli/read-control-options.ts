import { ClocheError } from '../errors/cloche-error.ts';
import type { ControlOptions } from '../mock/control/control-options.ts';
import { checkToken } from './check-token.ts';

/**
 * How the control interface of a mock is to be, as a command was told: by option, or by the environment variable
 * CLOCHE_CONTROL_TOKEN, which is of no account where it is empty, or where there is no control interface.
 *
 * @throws ClocheError OPTION_INVALID for a token that is none, or that nothing would ask for
 */
export function readControlOptions(input: {
  readonly control: boolean;
  readonly 'control-token': string | undefined;
}): ControlOptions | false {
  const given = input['control-token'];
  if (!input.control && given !== undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'use the option',
      subject: '--control-token',
      reason: 'with --no-control there is no control interface that would ask for it',
      remedy: 'Leave out one of them',
    });
  }
  if (!input.control) {
    return false;
  }
  const inherited = process.env['CLOCHE_CONTROL_TOKEN'];
  const token = given ?? (inherited === '' ? undefined : inherited);
  if (token === undefined) {
    return {};
  }
  return { token: checkToken(given === undefined ? 'CLOCHE_CONTROL_TOKEN' : '--control-token', token) };
}
