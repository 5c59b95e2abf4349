import type { Asker, ProbeRequest } from '../probe.ts';

/** Those that change nothing, the most usual first (RFC 9110 §9.2.1). */
const safeMethods = ['GET', 'OPTIONS', 'HEAD'];

/** A request with a safe method that the path of an operation does not have; undefined where it has them all. */
export function unknownMethod({ contract, operation }: Asker): ProbeRequest | undefined {
  const declared = new Set(
    contract.operations
      .filter(({ path }) => path.template === operation.path.template)
      .map(({ method }) => method),
  );
  const method = safeMethods.find((each) => !declared.has(each));
  return method === undefined ? undefined : { method, body: undefined };
}

/** A request to a path that the document does not have. */
export const unknownPath: ProbeRequest = { method: 'GET', target: '/cloche-no-such-path', body: undefined };
