import { ClocheError } from '../errors/cloche-error.ts';
import { stringifyJson } from '../json/print.ts';
import { describeRequest, renderRequestLines } from '../mock/log/request-text.ts';
import type { Mock } from '../mock/mock.ts';
import { fitLines } from './answer.ts';

/** The part of a mock that a client wants to see; by default its collections and its newest requests. */
export interface WantedPart {
  /** The path of the collection whose items are wanted. */
  readonly collection?: string | undefined;
  /** The number of the request that is wanted in full. */
  readonly request?: number | string | undefined;
  /** The most items or requests. */
  readonly limit: number;
}

/** The most characters of the collections; the requests get the rest. */
const roomOfCollections = 8_000;
const roomOfRequests = 11_000;

/** Renders the number of resources in each collection, empty ones too. */
async function listCollections({ state }: Mock): Promise<readonly string[]> {
  const collections = await state.collections();
  return fitLines(
    collections.map(({ name, count }) => `  ${name}  ${count}`),
    'name one as collection',
    roomOfCollections,
  );
}

async function listItems(mock: Mock, collection: string, limit: number): Promise<readonly string[]> {
  const { total, resources } = await mock.state.list(collection, { limit });
  const items = resources.map(({ value }) => stringifyJson(value));
  return fitLines([`${collection}: ${resources.length} of ${total}`, ...items], 'give a smaller limit');
}

function showRequest({ requests }: Mock, id: number | string): readonly string[] {
  const found = requests.get(Number(String(id).replace(/^#/u, '')));
  if (found !== undefined) return fitLines(describeRequest(found), 'it is too long to be shown here');
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'find the request',
    subject: String(id),
    reason: 'the log of the mock has no such number',
    remedy: 'Give a number that inspect_mock lists',
  });
}

/**
 * Renders the collections of a mock with their counts and its newest requests, a line for each; or the items of one
 * collection, or one request in full. Credentials in requests are redacted.
 *
 * @throws ClocheError DATA_INVALID for an unknown collection, OPTION_INVALID for an unknown request
 */
export async function describeMock(
  mock: Mock,
  url: string,
  { collection, request, limit }: WantedPart,
): Promise<string> {
  if (request !== undefined) return showRequest(mock, request).join('\n');
  if (collection !== undefined) return (await listItems(mock, collection, limit)).join('\n');
  const lines = renderRequestLines(mock.requests.list({}, limit));
  // The newest requests are the last ones.
  const newest = fitLines(lines.toReversed(), 'request shows one by its number', roomOfRequests).toReversed();
  return [
    url,
    '',
    'Resources',
    ...(await listCollections(mock)),
    '',
    `Requests${lines.length === 0 ? ': none' : ''}`,
    ...newest,
  ].join('\n');
}
