import { basename } from 'node:path';
import type { Contract } from '../contract/contract.ts';
import { readFileBytes } from '../document/read-file.ts';
import { ClocheError, describeReadFailure } from '../errors/cloche-error.ts';
import type { RecordedExchange } from '../mock/replay/recording.ts';
import type { HarExchange } from '../proxy/har/read-har.ts';
import { readRecording } from '../proxy/har/read-log.ts';
import { findService, targetBelow } from '../proxy/har/traffic.ts';
import { printLines } from './terminal.ts';

/**
 * Reads HAR files and request logs.
 *
 * @throws ClocheError TRAFFIC_UNREADABLE if one of them cannot be read
 */
export async function readRecordings(files: readonly string[]): Promise<readonly HarExchange[]> {
  const names = files.map((file) => basename(file));
  const entries: HarExchange[] = [];
  for (const [index, file] of files.entries()) {
    const bytes = await readFileBytes(file).catch((cause: unknown) => {
      throw new ClocheError('TRAFFIC_UNREADABLE', {
        attempt: 'read the traffic',
        subject: file,
        reason: describeReadFailure(cause),
        remedy: 'Name a HAR 1.2 file, or the lines of cloche mock --log exchanges',
        cause,
      });
    });
    // The folder distinguishes files of the same name.
    const name = names[index] ?? file;
    const isAlone = names.filter((other) => other === name).length === 1;
    // Not spread into the arguments of a call, because their number is limited.
    readRecording(bytes, isAlone ? name : file).forEach((entry) => entries.push(entry));
  }
  return entries;
}

/**
 * Reads the exchanges of a HAR file, or of a request log, that a mock replays. Exchanges that are not complete in the
 * file are left out, with a line on standard error. A `Location` at the service becomes relative, so that a client
 * stays at the mock.
 *
 * @throws ClocheError TRAFFIC_UNREADABLE if the file cannot be read, or has no exchange of an operation
 */
export async function readReplay(file: string, contract: Contract): Promise<readonly RecordedExchange[]> {
  const entries = await readRecordings([file]);
  const baseUrl = findService(contract, entries)?.baseUrl;
  if (baseUrl === undefined) {
    throw new ClocheError('TRAFFIC_UNREADABLE', {
      attempt: 'replay',
      subject: file,
      reason: 'none of its exchanges is for an operation of the document',
      remedy: 'Record the service that the document describes, for example with cloche proxy --record',
    });
  }
  const lost: string[] = [];
  const exchanges = entries.flatMap((entry) => {
    const { place, exchange } = entry;
    const { request, answer } = exchange;
    if (answer.kind !== 'response' || entry.unjudged !== undefined) {
      lost.push(`${place}: ${entry.unjudged ?? 'no answer was recorded'}`);
      return [];
    }
    const { response } = answer;
    // These are about a copy or a part that the client has, or about another protocol.
    if ([101, 206, 304].includes(response.status)) return [];
    const headers = response.headers.map(([name, value]): readonly [string, string] =>
      name.toLowerCase() === 'location' && value.startsWith(`${baseUrl}/`)
        ? [name, value.slice(baseUrl.length)]
        : [name, value],
    );
    const target = targetBelow(baseUrl, entry) ?? `${entry.origin}${request.target}`;
    return [{ place, request: { ...request, target }, response: { ...response, headers } }];
  });
  const [first] = lost;
  if (first !== undefined) {
    printLines(process.stderr, [`Recorded exchanges that are not replayed: ${lost.length}: ${first}.`]);
  }
  return exchanges;
}
