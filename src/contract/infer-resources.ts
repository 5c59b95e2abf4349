import { schemaProperties } from '../schema/properties.ts';
import type { DeclaredResponse, OperationKind, PathTemplate, RequestBody, ResourceKey } from './contract.ts';
import { isSuccess } from './responses.ts';

type Properties = ReturnType<typeof schemaProperties>;

function jsonProperties(media: RequestBody['media'] | undefined): Properties {
  return schemaProperties(media?.find(({ isJson }) => isJson)?.schema?.schema);
}

function findSuccess(responses: readonly DeclaredResponse[]): DeclaredResponse | undefined {
  const preferred = [201, 200, 202, 204];
  const rank = ({ status }: DeclaredResponse): number => {
    const index = status.kind === 'exact' ? preferred.indexOf(status.status) : -1;
    return index === -1 ? preferred.length : index;
  };
  return responses.filter(isSuccess).toSorted((left, right) => rank(left) - rank(right))[0];
}

/** The names that a key may have, likeliest first: that of the item path's parameter, then `id`. */
function keyNames(path: PathTemplate, paths: readonly PathTemplate[]): readonly string[] {
  const item = paths.find(
    ({ template, segments }) =>
      segments.length === path.segments.length + 1 &&
      template.startsWith(`${path.template}/`) &&
      segments.at(-1)?.kind === 'parameter',
  );
  const last = item?.segments.at(-1);
  return last?.kind === 'parameter' ? [last.name, 'id'] : ['id'];
}

function inferKey(names: readonly string[], request: Properties, answer: Properties): ResourceKey {
  for (const name of names) {
    const sent = request.get(name);
    if (sent !== undefined && sent.required && !sent.readOnly) {
      return { kind: 'client', property: name, evidence: `the request body requires "${name}"` };
    }
    if (answer.has(name)) {
      const evidence = `the answer has "${name}", and the request need not`;
      return { kind: 'server', property: name, evidence };
    }
  }
  const evidence = 'neither the request body nor the answer has a property that could be a key';
  return { kind: 'none', evidence };
}

/**
 * What an operation does: a POST on a path that does not end in a parameter, with a JSON object as its body
 * and a declared success, creates a resource; whatever else there is, is answered by a sample. `paths` are
 * all of the document.
 */
export function inferOperationKind(input: {
  readonly method: string;
  readonly path: PathTemplate;
  readonly paths: readonly PathTemplate[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: readonly DeclaredResponse[];
}): OperationKind {
  const { method, path, paths, requestBody, responses } = input;
  const success = findSuccess(responses);
  const properties = jsonProperties(requestBody?.media);
  if (method !== 'POST') return { kind: 'sample', evidence: `${method} reads or changes what is there` };
  if (properties.size === 0) {
    return { kind: 'sample', evidence: 'the request body has no JSON object with properties' };
  }
  if (success === undefined) return { kind: 'sample', evidence: 'no success is declared' };
  if (path.segments.at(-1)?.kind !== 'literal') {
    return { kind: 'sample', evidence: 'the path ends in a parameter' };
  }
  const key = inferKey(keyNames(path, paths), properties, jsonProperties(success.media));
  return { kind: 'create', collection: path.template, key, success: success.pointer };
}
