import { createMock } from '../mock/create-mock.ts';
import type { RequestLogEntry } from '../mock/request-log-entry.ts';
import { checkNumber } from './check-number.ts';
import { createLineWriter } from './create-line-writer.ts';
import type { MockArguments } from './mock-command.ts';
import { readTokens } from './read-tokens.ts';
import { renderLogEntry } from './render-log-entry.ts';

function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => resolve());
    }
  });
}

/**
 * Runs `cloche mock` until it is told to stop; what is in flight by then is finished.
 *
 * @throws ClocheError for a document, a port or a token file that cannot be used
 */
export async function runMock(input: MockArguments): Promise<void> {
  const port = checkNumber('port', input.port, { from: 0, to: 65_535, whole: true });
  const tokens = await readTokens({ token: input.token, tokenFile: input['token-file'] });
  // A reader of the log that goes away is no reason to stop serving.
  process.stdout.on('error', () => undefined);
  const writer = createLineWriter(process.stdout);
  const log = (entry: RequestLogEntry): void => writer.write(renderLogEntry(entry));
  const mock = await createMock(input.document, {
    ...(tokens.length === 0 ? {} : { tokens }),
    ...(input.quiet ? {} : { log }),
    allowReferences: input['allow-references'],
  });
  const stopped = waitForSignal();
  const { url, close } = await mock.listen({ port, host: input.host });
  const { contract, policy } = mock;
  process.stdout.write(`${contract.title} ${contract.version} (${contract.source}), mocked on ${url}\n`);
  if (
    policy['accepted-tokens'] === 'any' &&
    contract.operations.some(({ security }) => security.length > 0)
  ) {
    process.stderr.write(
      'Any token is accepted, which a test of this mock would rightly report. Pass --token to accept only that one.\n',
    );
  }
  await stopped;
  await close();
  await mock.close();
  writer.flush();
}
