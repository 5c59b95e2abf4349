import type { Options } from 'yargs';
import type { JsonValue } from '../../json/value.ts';
import type { Verification } from '../../mock/log/filter.ts';
import { createLogRenderer, explainMissing } from '../../mock/log/log-line.ts';
import type { LoggedMessage, LoggedRequest, RequestProblem } from '../../mock/message.ts';
import { terminalWidth } from '../terminal.ts';
import { type Action, type ActionArguments, type MockClient, readJsonArgument } from './client.ts';

/** `cloche requests clear` */
export const clearRequests: Action = {
  async act(client) {
    await client.call({ method: 'DELETE', path: '/requests' });
    return { value: undefined, lines: ['The requests are forgotten.'] };
  },
};

/** The options that say which requests are meant. */
const filterOptions: Readonly<Record<string, Options>> = {
  operation: { type: 'string', requiresArg: true, describe: 'The id of the operation' },
  method: { type: 'string', requiresArg: true, describe: 'The method' },
  path: {
    type: 'string',
    requiresArg: true,
    describe: 'The path as it was sent, or as the document has it: /orders/{id}',
  },
  status: { requiresArg: true, describe: 'The status of the answer' },
  verdict: {
    type: 'string',
    requiresArg: true,
    choices: ['accepted', 'refused', 'forced'],
    describe: 'What came of it',
  },
  condition: {
    type: 'string',
    requiresArg: true,
    describe: 'Why it was refused: invalid-body, duplicate-key …',
  },
  search: { type: 'string', requiresArg: true, describe: 'A text that target, body or message holds' },
  after: { requiresArg: true, describe: 'Requests with a higher number' },
};

const texts = ['operation', 'method', 'path', 'verdict', 'condition', 'search'];
const numbers = ['status', 'after'];

/** Which requests the options of a command mean, as the control interface takes it. */
function readFilter({ text, whole }: ActionArguments): Readonly<Record<string, string | number>> {
  const given = [
    ...texts.map((name) => [name, text(name)] as const),
    ...numbers.map((name) => [name, whole(name)] as const),
  ];
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Writes requests as lines, each with its number: `#12 12:30:01 POST /orders 400 1.2 ms invalid-body: …`. */
function renderRequestLines(
  requests: readonly LoggedRequest[],
  columns: number | undefined,
): readonly string[] {
  const width = Math.max(0, ...requests.map(({ id }) => String(id).length)) + 1;
  const render = createLogRenderer({
    operations: requests.map(({ target }) => ({ path: { template: target, segments: [] } })),
    columns: () => (columns === undefined ? undefined : columns - width - 1),
  });
  return requests.map(({ problems: _problems, ...request }) => {
    // `as`: conditions and questions are named as the mock of the same version names them.
    const line = render(request as Parameters<typeof render>[0]);
    return `${`#${request.id}`.padStart(width)} ${line}`;
  });
}

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
    if (page.requests.length >= times || left === 0) return;
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

function indent(text: string): readonly string[] {
  return text.split('\n').map((line) => `  ${line}`);
}

function describeProblem({ pointer, reason, clause }: RequestProblem): readonly string[] {
  const place =
    pointer === undefined || reason.startsWith(pointer) ? '' : `${pointer === '' ? 'the body' : pointer}: `;
  return [
    `  ${place}${reason}`,
    ...(clause === undefined ? [] : [`    the ${clause.in} says at ${clause.pointer}: ${clause.text}`]),
  ];
}

function describeMessage(title: string, message: LoggedMessage): readonly string[] {
  const { headers, body, bytes } = message;
  const content = body ?? (bytes === 0 ? '' : `(${bytes} bytes. ${explainMissing(message)})`);
  return [
    '',
    title,
    ...headers.map(([name, value]) => `  ${name}: ${value}`),
    ...(content === '' ? [] : ['', ...indent(content)]),
  ];
}

/** `cloche requests show` */
export const showRequest: Action = {
  options: { id: { describe: 'Its number, as list shows it' } },
  async act(client, { required }) {
    const id = required('id').replace(/^#/u, '');
    const value = await client.call({ method: 'GET', path: `/requests/${encodeURIComponent(id)}` });
    // `as`: the document of the control interface says so.
    const request = value as unknown as LoggedRequest;
    const { method, target, status, problems, message } = request;
    return {
      value,
      lines: [
        ...renderRequestLines([request], terminalWidth()),
        ...(message === undefined ? [] : ['', message]),
        ...problems.flatMap(describeProblem),
        ...describeMessage(`${method} ${target}`, request.request),
        ...describeMessage(status === 0 ? 'No answer' : `Answered ${status}`, request.response),
        '',
        'Again',
        ...indent(request.curl),
      ],
    };
  },
};

type Times = number | { atLeast?: number; atMost?: number };

function readTimes({ whole }: ActionArguments): Times | undefined {
  const [times, atLeast, atMost] = [whole('times'), whole('at-least'), whole('at-most')];
  if (times !== undefined) return times;
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
