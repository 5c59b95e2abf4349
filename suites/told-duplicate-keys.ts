import { buildRequest } from '../src/arbitrary/build-request.ts';
import type { Body } from '../src/arbitrary/body.ts';
import { joinParts } from '../src/arbitrary/join-parts.ts';
import { plainTokens } from '../src/arbitrary/plain-tokens.ts';
import { isJsonObject } from '../src/json/is-json-object.ts';
import type { Property } from '../src/runner/suite.ts';
import { afterPlain } from './after-plain.ts';
import { sequenceProperty } from './sequence-property.ts';
import type { ToldOperation } from './told-operation.ts';

/** One is enough to show which of two counts; a second one is for services that treat one property by itself. */
const mostProperties = 2;

/** Bodies with a key that stands twice, once with a value of a wrong type, so that it shows which of the two counts. */
export function toldDuplicateKeys({ operation, body, told }: ToldOperation): readonly Property[] {
  if (told['duplicate-keys-in-json'] === undefined || body === undefined || !isJsonObject(body.smallest)) {
    return [];
  }
  const { smallest, key } = body;
  const tokens = plainTokens(body, smallest);
  const names = Object.keys(smallest).filter(
    (name) => name !== key?.property && typeof smallest[name] === 'string',
  );
  const bodies = names.slice(0, mostProperties).flatMap((name): Body[] => {
    const member = [JSON.stringify(name), ':', '[]'];
    return [
      ['{', ...member, ',', ...tokens.slice(1)],
      [...tokens.slice(0, -1), ',', ...member, '}'],
    ];
  });
  return sequenceProperty({
    operation,
    name: 'duplicate-keys',
    title: 'Of equal keys in a JSON object the one counts that the policy says',
    traceChecks: [],
    cases: afterPlain(operation, {
      examples: bodies.map((one) => buildRequest(operation, { body: joinParts(one) })),
      arbitrary: undefined,
    }),
  });
}
