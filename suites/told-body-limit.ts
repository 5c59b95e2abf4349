import { buildRequest } from '../src/arbitrary/build-request.ts';
import { joinParts } from '../src/arbitrary/join-parts.ts';
import { plainTokens } from '../src/arbitrary/plain-tokens.ts';
import type { Property } from '../src/runner/suite.ts';
import { afterPlain } from './after-plain.ts';
import { sequenceProperty } from './sequence-property.ts';
import type { ToldOperation } from './told-operation.ts';

/** As long as a key may be that is filled in as the request leaves. */
const longestKey = 40;
/** More would take longer to send than it is worth. */
const mostBytes = 16_777_216;

/** Bodies that are plain but for the white space in them, with nearly as many bytes as are read and with more. */
export function toldBodyLimit({ operation, body, told }: ToldOperation): readonly Property[] {
  const limit = told['body-limit']?.bytes;
  if (limit === undefined || limit > mostBytes || body === undefined) {
    return [];
  }
  const tokens = plainTokens(body, body.smallest);
  const written = tokens.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
  const sizes = [limit - longestKey, limit + longestKey].filter((size) => size > written);
  return sequenceProperty({
    operation,
    name: 'body-limit',
    title: 'A body is read up to the size that the policy says, and no further',
    traceChecks: [],
    cases: afterPlain(operation, {
      examples: sizes.map((size) =>
        buildRequest(operation, {
          body: joinParts([...tokens.slice(0, -1), ' '.repeat(size - written), ...tokens.slice(-1)]),
        }),
      ),
      arbitrary: undefined,
    }),
  });
}
