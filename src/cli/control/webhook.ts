import type { ArgumentsOf } from '../../config/command-options.ts';
import { describeCallback } from '../../mock/callbacks/callback.ts';
import { invalidOption } from '../process.ts';
import { readJsonArgument } from './client.ts';
import type { OperationHandler, webhookCommand } from './commands.ts';

/** The action of `cloche webhook`. */
export const sendWebhook: OperationHandler<ArgumentsOf<typeof webhookCommand>> = async (
  client,
  { name, to: url, body: text },
) => {
  if (url === undefined) {
    throw invalidOption('--to', 'the webhook needs a receiver', 'Add --to http://127.0.0.1:9000/hooks');
  }
  const body = text === undefined ? {} : { body: await readJsonArgument(text) };
  const { value, shown } = await client.call('sendWebhook', { name }, { url, ...body });
  return { value, lines: [describeCallback(shown)], holds: shown.outcome === 'sent' };
};
