import { buildRequest } from '../src/arbitrary/build-request.ts';
import { missingPropertyBodies } from '../src/arbitrary/missing-properties.ts';
import { pickAlternative } from '../src/arbitrary/pick-alternative.ts';
import { wrongTypeBodies } from '../src/arbitrary/wrong-types.ts';
import type { Property } from '../src/runner/suite.ts';
import { requestProperty } from './request-property.ts';
import type { ToldOperation } from './told-operation.ts';

/** Of each kind one is enough: the order is the same for all. */
const credentials = [{ kind: 'none' }, { kind: 'wrong-token' }] as const;

/** Bodies that break their schema, without good credentials. */
export function toldAuthOrder({ operation, body, told }: ToldOperation): readonly Property[] {
  if (told['auth-order'] === undefined || body === undefined || pickAlternative(operation) === undefined) {
    return [];
  }
  const broken = [missingPropertyBodies(body), wrongTypeBodies(body)].flatMap(({ examples }) =>
    examples.slice(0, 1),
  );
  const examples = broken.flatMap((one) =>
    credentials.map((shown) => buildRequest(operation, { body: one, credentials: shown })),
  );
  return requestProperty({
    operation,
    name: 'auth-order',
    title: 'Credentials are checked before the body or after it, as the policy says',
    cases: { examples, arbitrary: undefined },
  });
}
