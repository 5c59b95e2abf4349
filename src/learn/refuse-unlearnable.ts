import type { Operation } from '../contract/operation.ts';
import { declaresStatus } from '../policy/probes/declares-status.ts';
import { asksCredentials } from '../policy/probes/asks-credentials.ts';
import { cannotJudge } from '../runner/cannot-judge.ts';
import type { FoundSample } from './find-sample.ts';
import type { LearnOptions } from './learn-options.ts';

const turnedAway: readonly (number | undefined)[] = [401, 403, 407];

interface Sent {
  readonly operation: Operation;
  readonly sample: FoundSample;
}

/** Whether an answer comes of no service of this document: what it says of one question says nothing. */
function isStrange({ operation, sample: { status = 0, mediaType } }: Sent): boolean {
  const isPage =
    mediaType === 'text/html' &&
    status < 300 &&
    operation.responses.every(({ media }) =>
      media.every(({ range }) => range !== mediaType && !range.includes('*')),
    );
  return isPage || (status >= 300 && status < 400 && !declaresStatus(operation, status)) || status >= 500;
}

/** Why nothing can be learnt of such an answer, and what to do. */
function describeStrange({ operation, sample }: Sent): readonly [reason: string, remedy: string] {
  const { status = 0, location, mediaType = '' } = sample;
  const request = `${operation.method} ${operation.path.template}`;
  if (status >= 500) {
    return [`it answers ${status} to ${request}, a plain request`, 'Mend it first'];
  }
  return status >= 300
    ? [
        `it answers ${status} to ${request}${location === undefined ? '' : `, and sends the client to ${location.replace(/[?#].*/u, '')}`}`,
        'Redirects are not followed: give the base URL under which the service lives',
      ]
    : [
        `it answers ${status} to ${request} with ${mediaType}, which the document does not declare`,
        'Give the base URL under which the service lives',
      ];
}

/**
 * Refuses a service that shows nothing of itself.
 *
 * @param samples - what plain requests came to; none before they are sent
 * @throws ClocheError CANNOT_JUDGE where a token is wanted and none is there, where it is turned away everywhere, where no
 * path is known, where every plain request is redirected, fails, or is answered with a page for people, and where none is
 * answered
 */
export function refuseUnlearnable(
  { contract, token, target = 'the service' }: LearnOptions,
  samples: readonly { readonly operation: Operation; readonly sample: FoundSample | undefined }[],
): void {
  if (token === undefined && contract.operations.some(asksCredentials)) {
    throw cannotJudge(
      target,
      'its document asks for credentials, and none were given',
      'Pass --token, or set CLOCHE_TOKEN',
    );
  }
  const sent = samples.flatMap(({ operation, sample }) =>
    sample === undefined ? [] : [{ operation, sample }],
  );
  const [first] = sent;
  if (first === undefined) {
    return;
  }
  const { method, path } = first.operation;
  if (sent.every(({ sample }) => sample.status === undefined)) {
    throw cannotJudge(
      target,
      `it does not answer ${method} ${path.template}, a plain request`,
      'Give it more time with --timeout, or mend it first',
    );
  }
  const guarded = sent.filter(({ operation }) => asksCredentials(operation));
  const [shut] = guarded;
  if (shut !== undefined && guarded.every(({ sample }) => turnedAway.includes(sample.status))) {
    throw cannotJudge(
      target,
      `it turns the given token away with ${shut.sample.status}`,
      'Pass a token that it accepts with --token',
    );
  }
  const isConcrete = ({ segments }: Operation['path']): boolean =>
    segments.every(({ kind }) => kind === 'literal');
  if (sent.every(({ operation, sample }) => sample.status === 404 && isConcrete(operation.path))) {
    throw cannotJudge(
      target,
      `it answers 404 to ${method} ${path.template}`,
      'Give the base URL with the path prefix under which the service lives',
    );
  }
  const reason = sent.every(isStrange) ? describeStrange(first) : undefined;
  if (reason !== undefined) {
    throw cannotJudge(target, ...reason);
  }
}
