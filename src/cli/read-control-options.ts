import type { ControlOptions } from '../mock/control/control-options.ts';

/**
 * How the control interface of a mock is to be, as a command was told: by option, or by the environment variable
 * CLOCHE_CONTROL_TOKEN, which is of no account where it is empty.
 */
export function readControlOptions(given: string | undefined): ControlOptions {
  const fromEnvironment = process.env['CLOCHE_CONTROL_TOKEN'];
  const token = given ?? (fromEnvironment === '' ? undefined : fromEnvironment);
  return token === undefined ? {} : { token };
}
