import type { Verification } from '../../../mock/log/request-log.ts';
import { terminalWidth } from '../../terminal.ts';
import type { Action, ActionArguments } from '../action.ts';
import { readJsonArgument } from '../read-json-argument.ts';
import { filterOptions } from './filter-options.ts';
import { readFilter } from './read-filter.ts';
import { renderRequestLines } from './render-request-lines.ts';

type Times = number | { atLeast?: number; atMost?: number };

function readTimes({ whole }: ActionArguments): Times | undefined {
  const [times, atLeast, atMost] = [whole('times'), whole('at-least'), whole('at-most')];
  if (times !== undefined) {
    return times;
  }
  return atLeast === undefined && atMost === undefined
    ? undefined
    : {
        ...(atLeast === undefined ? {} : { atLeast }),
        ...(atMost === undefined ? {} : { atMost }),
      };
}

/** `cloche requests verify` */
export const verifyRequests: Action = {
  options: {
    ...filterOptions,
    body: {
      type: 'string',
      requiresArg: true,
      describe: 'What the body holds at least, as JSON, or a file with it',
    },
    times: {
      requiresArg: true,
      describe: 'So often',
      conflicts: ['at-least', 'at-most'],
      defaultDescription: 'at least once',
    },
    'at-least': { requiresArg: true, describe: 'At least so often' },
    'at-most': { requiresArg: true, describe: 'At most so often' },
  },
  async act(client, given) {
    const sought = given.text('body');
    const times = readTimes(given);
    const filter = {
      ...readFilter(given),
      ...(sought === undefined ? {} : { body: await readJsonArgument(sought) }),
    };
    const value = await client.call({
      method: 'POST',
      path: '/requests/verify',
      body: { filter, ...(times === undefined ? {} : { times }) },
    });
    // `as`: the document of the control interface says so.
    const { verified, message, nearest } = value as unknown as Verification;
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
};
