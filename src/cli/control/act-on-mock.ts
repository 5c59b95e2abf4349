import { ClocheError } from '../../errors/cloche-error.ts';
import { readVersion } from '../../mock/server/read-version.ts';
import type { Action, ActionArguments, ActionResult } from './action.ts';
import { ControlRefusal } from './control-refusal.ts';
import { connectToMock, type MockAddress } from './connect-to-mock.ts';

/** What the mock says itself is clear, and so is what is wrong with a command. */
function isClear(error: unknown): boolean {
  return error instanceof ControlRefusal || (error instanceof ClocheError && error.code !== 'CONTROL_FAILED');
}

/**
 * Does something to a running mock, which may be of another version of Cloche: most answers are the same in all.
 *
 * @throws ClocheError CONTROL_FAILED where there is no mock to do it to, it refuses, or it is too different
 */
export async function actOnMock(input: {
  readonly action: Action;
  readonly address: MockAddress;
  readonly given: ActionArguments;
}): Promise<ActionResult> {
  const { action, address, given } = input;
  const client = connectToMock(address);
  try {
    return await action.act(client, given);
  } catch (error) {
    const own = readVersion();
    const version = client.version() ?? own;
    if (version === own || isClear(error)) {
      throw error;
    }
    throw new ClocheError('CONTROL_FAILED', {
      attempt: 'drive the mock',
      subject: address.mock,
      reason: `it is of Cloche ${version}, this is ${own}, and they do not understand each other here`,
      remedy: 'Use one version for both',
      cause: error,
    });
  }
}
