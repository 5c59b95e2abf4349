import {
  credentialCases,
  type CredentialProbes,
  listAlternatives,
  nameAlternative,
  pickAlternative,
} from '../src/arbitrary/credentials.ts';
import { bodyMedia } from '../src/arbitrary/plain-body.ts';
import type { Cases, RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest, plainRequest } from '../src/arbitrary/request.ts';
import type { Operation, SecurityAlternative } from '../src/contract/contract.ts';
import type { Property, Suite, SuiteInput } from '../src/runner/suite.ts';
import { examplesOnly, isSendable, lateOf, requestProperty, takesJson, toPlan } from './property.ts';

/** The maximum number of operations for each requirement. The same code of the service checks all others. */
const mostOperations = 3;

interface GuardedOperation {
  readonly operation: Operation;
  readonly probes: CredentialProbes;
}

/** Returns probes of all alternatives. Each must reject bad credentials. Only the first surely accepts good ones. */
function probesOf(operation: Operation, first: SecurityAlternative): CredentialProbes {
  const { security } = operation;
  const probes = credentialCases(first, security);
  const all = listAlternatives(operation);
  if (all.length < 2) return probes;
  const refused = all.flatMap((each) =>
    credentialCases(each, security)
      .refused.filter(({ kind }) => kind !== 'none' || each === first)
      .map((credentials) => ({ ...credentials, alternative: nameAlternative(each) })),
  );
  return { ...probes, refused };
}

/** Returns the first operations of each security requirement. */
function guardedOperations({ contract, isCounted = false }: SuiteInput): readonly GuardedOperation[] {
  const isPossible = (operation: Operation): boolean =>
    isCounted ? isSendable(operation) : plainRequest(operation).problem === undefined;
  const counts = new Map<string, number>();
  return contract.operations.flatMap((operation): GuardedOperation[] => {
    const { security } = operation;
    const alternative = pickAlternative(operation);
    // Operations that accept anonymous requests, or credentials of an unknown scheme, show nothing.
    const isOpen = security.some((schemes) => schemes.every(({ kind }) => kind === 'unjudged'));
    if (alternative === undefined || isOpen) return [];
    // A probe sends no token with too few scopes, so scopes make no other requirement.
    const requirement = security.map(nameAlternative).join(' or ');
    const count = counts.get(requirement) ?? 0;
    if (count >= mostOperations || !isPossible(operation)) return [];
    counts.set(requirement, count + 1);
    return [{ operation, probes: probesOf(operation, alternative) }];
  });
}

/** Many services parse JSON before they check credentials. They reject malformed JSON in any order. */
function unreadable(operation: Operation): readonly RequestCase[] {
  return takesJson(operation)
    ? [buildRequest(operation, { credentials: { kind: 'none' }, body: ['{'] })]
    : [];
}

function propertiesOf({ operation, probes }: GuardedOperation): readonly Property[] {
  const themes = [
    ['refused-credentials', 'A request without valid credentials is refused', probes.refused],
    ['spelled-credentials', 'The scheme of valid credentials is accepted in any case', probes.spelled],
  ] as const;
  return themes.flatMap(([name, title, list]) => {
    const isRefused = name === 'refused-credentials';
    const make = (): Cases<RequestCase> => {
      const plain = list.map((credentials) => buildRequest(operation, { credentials }));
      return examplesOnly(isRefused ? [...plain, ...unreadable(operation)] : plain);
    };
    const takesBody = bodyMedia(operation).kind === 'media';
    const mostExamples = list.length + (isRefused && takesBody ? 1 : 0);
    return requestProperty(operation, [
      name,
      title,
      lateOf(operation, make, { most: mostExamples, mayBeRandom: false }),
    ]);
  });
}

/** Requests with valid and with bad credentials. */
export const credentials: Suite = {
  id: 'credentials',
  title: 'Credentials',
  plan: (input) =>
    toPlan(
      guardedOperations(input).flatMap(propertiesOf),
      'no operation asks for credentials that Cloche can judge',
    ),
};
