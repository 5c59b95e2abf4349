import { ClocheError } from '../../errors/cloche-error.ts';
import type { CorsOptions } from '../../mock/cors-options.ts';
import type { CorsArguments } from './cors-arguments.ts';

/**
 * Which pages of other origins a mock lets in, as a command was told.
 *
 * @throws ClocheError OPTION_INVALID where it was told both to let some in and to let none in
 */
export function readCors(input: CorsArguments): CorsOptions | false {
  const origins = input['cors-origin'];
  if (!input.cors && origins.length > 0) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: `--cors-origin ${origins[0]}`,
      reason: '--no-cors lets no page of another origin in',
      remedy: 'Leave one of them out',
    });
  }
  if (!input.cors) {
    return false;
  }
  return origins.length === 0 ? {} : { origins };
}
