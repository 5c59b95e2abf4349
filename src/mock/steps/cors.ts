import type { Contract } from '../../contract/contract.ts';
import type { MockAnswer } from './mock-answer.ts';
import type { RequestHead } from './request-head.ts';

/** Fields that the mock may send and that a page sees only if it is told so (Fetch Standard §3.3.4). */
const ownFields = ['WWW-Authenticate', 'Allow', 'Location', 'Cloche-Undeclared', 'Retry-After'];

/** How long a browser may go without asking again, in seconds. */
const maxAge = '600';

/** What lets a page of another origin read every answer. */
export function corsFields({ operations }: Pick<Contract, 'operations'>): readonly string[] {
  const declared = operations.flatMap(({ responses }) =>
    responses.flatMap(({ headers }) => headers.map(({ name }) => name)),
  );
  const byName = new Map([...declared, ...ownFields].map((name) => [name.toLowerCase(), name]));
  return [
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Expose-Headers',
    [...byName.values()].join(', '),
  ];
}

/** Whether a request is the question of a browser whether it may send another (Fetch Standard §3.3.2). */
export function isPreflight(head: RequestHead): boolean {
  return (
    head.method === 'OPTIONS' &&
    head.header('access-control-request-method') !== undefined &&
    head.header('origin') !== undefined
  );
}

/**
 * The answer to a preflight: the page may send what it asks for. Whether that is any good, the answer to the
 * request itself says.
 *
 * @param methods - those of the path
 */
export function answerPreflight(head: RequestHead, methods: readonly string[]): MockAnswer {
  const asked = head.header('access-control-request-method') ?? '';
  const fields = head.header('access-control-request-headers');
  const isPrivate = head.header('access-control-request-private-network') === 'true';
  return {
    status: 204,
    headers: [
      'Access-Control-Allow-Methods',
      [...new Set([...methods, asked])].join(', '),
      ...(fields === undefined ? [] : ['Access-Control-Allow-Headers', fields]),
      'Access-Control-Max-Age',
      maxAge,
      ...(isPrivate ? ['Access-Control-Allow-Private-Network', 'true'] : []),
      'Vary',
      'Access-Control-Request-Method, Access-Control-Request-Headers',
    ],
    body: undefined,
    note: { message: 'CORS preflight' },
  };
}
