import type { Operation } from '../contract/operation.ts';
import { asksCredentials } from '../policy/probes/asks-credentials.ts';
import { cannotJudge } from '../runner/cannot-judge.ts';
import type { FoundSample } from './find-sample.ts';
import type { LearnOptions } from './learn-options.ts';

const turnedAway: readonly (number | undefined)[] = [401, 403, 407];

/**
 * Refuses a service that shows nothing of itself.
 *
 * @param samples - what plain requests came to; none before they are sent
 * @throws ClocheError CANNOT_JUDGE where a token is wanted and none is there, where it is turned away everywhere, where no
 * path is known, or where no plain request is answered
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
}
