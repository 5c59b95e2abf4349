import type { JsonValue } from '../../../json/json-value.ts';
import type { LoggedRequest } from '../../../mock/log/logged-request.ts';
import { terminalWidth } from '../../terminal.ts';
import type { Action } from '../action.ts';
import type { MockClient } from '../mock-client.ts';
import { filterOptions } from './filter-options.ts';
import { readFilter } from './read-filter.ts';
import { renderRequestLines } from './render-request-lines.ts';

/** The mock lets nobody wait longer at a time, in milliseconds. */
const longestWaitMs = 2_000;

interface RequestPage {
  readonly requests: readonly LoggedRequest[];
  readonly dropped: number;
}

interface Wait {
  readonly ms: number;
  readonly times: number;
}

async function ask(
  client: MockClient,
  query: Readonly<Record<string, string | number | undefined>>,
): Promise<{ readonly value: JsonValue | undefined; readonly page: RequestPage }> {
  const value = await client.call({ method: 'GET', path: '/requests', query });
  // `as`: the document of the control interface says so.
  return { value, page: value as unknown as RequestPage };
}

/** Asks again and again until so many are there, or the time is over. */
async function waitFor(
  client: MockClient,
  filter: Readonly<Record<string, string | number>>,
  { ms, times }: Wait,
): Promise<void> {
  const end = performance.now() + ms;
  for (;;) {
    const left = Math.max(0, Math.round(end - performance.now()));
    const { page } = await ask(client, { ...filter, wait: Math.min(left, longestWaitMs), times });
    if (page.requests.length >= times || left === 0) {
      return;
    }
  }
}

/** `cloche requests list` */
export const listRequests: Action = {
  options: {
    ...filterOptions,
    limit: { requiresArg: true, describe: 'The newest so many', defaultDescription: 'all' },
    wait: {
      requiresArg: true,
      describe: 'Wait so many milliseconds at most until one is there; exit code 1 where none came',
    },
    times: { requiresArg: true, describe: 'With --wait: until so many are there', defaultDescription: '1' },
  },
  async act(client, given) {
    const filter = readFilter(given);
    const ms = given.whole('wait');
    const times = Math.max(1, given.whole('times') ?? 1);
    if (ms !== undefined) {
      await waitFor(client, filter, { ms, times });
    }
    const { value, page } = await ask(client, { ...filter, limit: given.whole('limit') });
    const { requests, dropped } = page;
    const holds = ms === undefined || requests.length >= Math.min(times, given.whole('limit') ?? times);
    return {
      value,
      lines: renderRequestLines(requests, terminalWidth()),
      notes: [
        ...(requests.length === 0 && holds ? ['No requests.'] : []),
        ...(holds ? [] : [`${requests.length} of ${times} came within ${ms} ms.`]),
        ...(dropped > 0 ? [`${dropped} older ones gave way to newer ones.`] : []),
      ],
      holds,
    };
  },
};
