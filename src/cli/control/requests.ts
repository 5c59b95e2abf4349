import type { RequestFilter } from '../../mock/log/filter.ts';
import { describeRequest, renderRequestLines } from '../../mock/log/request-text.ts';
import { terminalWidth } from '../terminal.ts';
import { type MockClient, readJsonArgument, tell } from './client.ts';
import { type ActsOf, requestsGroup } from './commands.ts';

/** The actions of `cloche requests`. */
export const requestsActions: ActsOf<typeof requestsGroup> = {
  async list(client, given) {
    const filter = toFilter(given);
    const { wait, limit } = given;
    const times = Math.max(1, given.times ?? 1);
    if (wait !== undefined) {
      await waitFor(client, filter, { ms: wait, times });
    }
    const { value, shown } = await client.call('listRequests', { ...filter, limit });
    const { requests, dropped } = shown;
    const holds = wait === undefined || requests.length >= Math.min(times, limit ?? times);
    return {
      value,
      lines: renderRequestLines(requests, terminalWidth()),
      notes: [
        ...(requests.length === 0 && holds ? ['No requests.'] : []),
        ...(holds ? [] : [`${requests.length} of ${times} came within ${wait} ms.`]),
        ...(dropped > 0 ? [`${dropped} older ones gave way to newer ones.`] : []),
      ],
      holds,
    };
  },
  async show(client, { id }) {
    const { value, shown } = await client.call('getRequest', { id: id.replace(/^#/u, '') });
    return { value, lines: describeRequest(shown, terminalWidth()) };
  },
  async verify(client, given) {
    const { body: sought, times, 'at-least': atLeast, 'at-most': atMost } = given;
    const range = {
      ...(atLeast === undefined ? {} : { atLeast }),
      ...(atMost === undefined ? {} : { atMost }),
    };
    const wanted = times ?? (Object.keys(range).length === 0 ? undefined : range);
    const filter = {
      ...toFilter(given),
      ...(sought === undefined ? {} : { body: await readJsonArgument(sought) }),
    };
    const question = { filter, ...(wanted === undefined ? {} : { times: wanted }) };
    const { value, shown } = await client.call('verifyRequests', {}, question);
    const { verified, message, nearest } = shown;
    const near =
      nearest === undefined
        ? []
        : [
            'The nearest:',
            ...renderRequestLines([nearest.request], terminalWidth()).map((line) => `  ${line}`),
            ...nearest.differences.map((difference) => `    ${difference}`),
          ];
    return { value, lines: [message, ...near], holds: verified };
  },
  clear: (client) => tell(client.call('clearRequests'), 'The requests are forgotten.'),
};

/** The options that select requests; the control interface has parameters of these names. */
const { Filter: requestFilters } = requestsGroup.actions[0].options;

/** Converts the options to a filter for the control interface. */
function toFilter(given: {
  readonly [Name in (typeof requestFilters)[number]]: RequestFilter[Name] | undefined;
}): RequestFilter {
  return Object.fromEntries(
    requestFilters.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
}

/** Longest wait that the mock accepts for one request, in milliseconds. */
const longestWaitMs = 2_000;

async function waitFor(
  client: MockClient,
  filter: RequestFilter,
  { ms, times }: { readonly ms: number; readonly times: number },
): Promise<void> {
  const end = performance.now() + ms;
  for (;;) {
    const left = Math.max(0, Math.round(end - performance.now()));
    const wait = Math.min(left, longestWaitMs);
    const { shown } = await client.call('listRequests', { ...filter, wait, times });
    if (shown.requests.length >= times || left === 0) return;
  }
}
