import { closestWord, joinWords } from '../errors/suggest.ts';
import { appendPointer, type JsonPointer, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import { describePath, type DocumentProblem, type Recovery } from './document.ts';
import { listPathOperations } from './path-operations.ts';
import { type ResolvedObject, resolveObject } from './references.ts';
import { passOver, createRecovery } from './recoveries.ts';
import { wrongType, wrongValue } from './structure-problems.ts';

interface FoundPath {
  /** `/orders/{id}` */
  readonly template: string;
  /** The place of the path in `paths`, not of the target of its reference. */
  readonly pointer: JsonPointer;
  readonly item: ResolvedObject;
  readonly operations: Operations;
}

type Operations = readonly ResolvedObject[];

/** Finds contradictions in a document without external references, even if each part has the right structure. */
export function checkMeaning(root: JsonObject): readonly DocumentProblem[] {
  const paths = findPaths(root);
  const operations = paths.flatMap((path) => path.operations);
  return [
    ...duplicateOperationIds(root, operations),
    ...equalPaths(paths),
    // Checks for path parameters that are not declared, or declared and not in the path (OpenAPI 3.1 §4.8.12.1).
    ...paths.flatMap((path) => [
      ...malformedTemplate(path),
      ...undeclaredNames(root, path),
      ...strayDeclarations(root, path),
      ...surplusQuerystrings(root, path),
    ]),
    ...pastPaths(paths),
    ...mediaTypes(root, operations),
    ...undeclaredSecuritySchemes(root, operations),
    ...schemeFields(root),
    ...operations.flatMap(resourceSettings),
  ];
}

const resourceRoles = ['create', 'list', 'read', 'replace', 'update', 'delete', 'action', 'sample'];
const resourceNames = ['name', 'role', 'key'];

/** Finds mistakes in `x-cloche-resource`. It overrides inferred values, which would hide a mistake. */
function resourceSettings({ pointer, value }: ResolvedObject): readonly DocumentProblem[] {
  const said = value['x-cloche-resource'];
  if (said === undefined) return [];
  const place = appendPointer(pointer, 'x-cloche-resource');
  if (!isJsonObject(said)) return [wrongType(place, ['object'], said)];
  return Object.entries(said).flatMap(([name, setting]): DocumentProblem[] => {
    const at = appendPointer(place, name);
    if (!resourceNames.includes(name)) {
      const closest = closestWord(name, resourceNames) ?? joinWords(resourceNames, 'or');
      return [{ pointer: at, reason: 'unknown setting of a resource', remedy: `Write ${closest}` }];
    }
    if (typeof setting !== 'string' || setting === '') return [wrongType(at, ['string'], setting)];
    return name === 'role' && !resourceRoles.includes(setting)
      ? [wrongValue(at, resourceRoles, setting)]
      : [];
  });
}

/** Finds the valid paths of a document, even if other parts contain mistakes. */
function findPaths(root: JsonObject): readonly FoundPath[] {
  const { paths } = root;
  if (!isJsonObject(paths)) return [];
  return Object.keys(paths).flatMap((template) => {
    const pointer = appendPointer('/paths', template);
    const item = template.startsWith('/') ? resolveObject(root, pointer) : undefined;
    if (item === undefined) return [];
    const operations = listPathOperations(item);
    return [{ template, pointer, item, operations }];
  });
}

/** Lists the places of the operations of a document. */
export function listOperations(root: JsonObject): readonly JsonPointer[] {
  return findPaths(root).flatMap(({ operations }) => operations.map(({ pointer }) => pointer));
}

/** Finds operations that share an operationId, which must be unique (OpenAPI 3.1 §4.8.10). */
function duplicateOperationIds(root: JsonObject, operations: Operations): readonly DocumentProblem[] {
  const owners = new Map<string, JsonPointer>();
  return operations.flatMap(({ pointer, value: { operationId } }): DocumentProblem[] => {
    if (typeof operationId !== 'string') return [];
    const owner = owners.get(operationId) ?? pointer;
    owners.set(operationId, owner);
    // Two paths may refer to one path item, and then share its operations.
    if (owner === pointer) return [];
    const reason = `${JSON.stringify(operationId)} is already the operationId of ${describePath(root, owner)}`;
    const place = appendPointer(pointer, 'operationId');
    const recovery = createRecovery('ignored', { changes: [{ pointer: place, value: undefined }] });
    return [{ pointer: place, reason, remedy: 'Give each operation its own', recovery }];
  });
}

/**
 * Finds paths that differ only in their parameter names and match the same requests (OpenAPI 3.1 §4.8.8). If both
 * declare a method, it is ambiguous which operation the service uses.
 */
function equalPaths(paths: readonly FoundPath[]): readonly DocumentProblem[] {
  const owners = new Map<string, FoundPath[]>();
  return paths.flatMap((path): DocumentProblem[] => {
    const { template, pointer } = path;
    const shape = template.replaceAll(/\{[^{}]*\}/gu, '{}');
    const earlier = owners.get(shape) ?? [];
    owners.set(shape, [...earlier, path]);
    const [owner] = earlier;
    if (owner === undefined) return [];
    const methodOf = (operation: ResolvedObject): string | undefined =>
      pointerTokens(operation.pointer).at(-1);
    const own = new Set(path.operations.map(methodOf));
    const shared = earlier.flatMap(({ operations }) => operations).filter((each) => own.has(methodOf(each)));
    const both = new Set(shared.map(methodOf));
    const unclear = [...shared, ...path.operations.filter((each) => both.has(methodOf(each)))];
    const recovery = createRecovery(
      both.size === 0 ? 'both are used as one path' : 'the first of equal operations is used',
      { unclear: unclear.map((each) => each.pointer) },
    );
    const reason = `is the same path as ${owner.template} with other parameter names`;
    const remedy = 'Make one path of the two, or tell them apart by a fixed segment';
    return [{ pointer, reason, remedy, recovery: swapsNames([...earlier, path]) ? undefined : recovery }];
  });
}

/** Returns whether equal paths use a name at different positions. Then one path cannot use the names of all. */
function swapsNames(paths: readonly FoundPath[]): boolean {
  const places = new Map<string, number>();
  return paths.some(({ template }) =>
    namesIn(template).some((name, index) => {
      const known = places.get(name) ?? index;
      places.set(name, known);
      return known !== index;
    }),
  );
}

/** Finds paths that contain `?` or `#` (RFC 3986 §3.3). Reported once, as documents of remote calls have hundreds. */
function pastPaths(paths: readonly FoundPath[]): readonly DocumentProblem[] {
  const past = paths.filter(({ template }) => /[?#]/u.test(template));
  const [first] = past;
  if (first === undefined) return [];
  const others = past.length === 1 ? '' : `, as ${past.length - 1} more ${past.length === 2 ? 'does' : 'do'}`;
  const { pointer, template } = first;
  const reason = `contains "${template.includes('#') ? '#' : '?'}", which ends the path of a URL${others}`;
  const recovery = createRecovery('requests must percent-encode it', { isNote: true });
  return [{ pointer, reason, remedy: 'Declare what follows it as a parameter', recovery }];
}

/** Matches a media type or range, with or without parameters (RFC 9110 §8.3.1), leniently. */
const mediaType = /^[^\s/;,]+\/[^\s/;,]+\s*(?:;.*)?$/u;

/** Returns the body and the responses of an operation. */
function contentHolders(root: JsonObject, { pointer, value }: ResolvedObject): readonly ResolvedObject[] {
  const statuses = isJsonObject(value['responses']) ? Object.keys(value['responses']) : [];
  const places = [
    appendPointer(pointer, 'requestBody'),
    ...statuses.map((status) => appendPointer(pointer, 'responses', status)),
  ];
  return places.flatMap((place) => resolveObject(root, place) ?? []);
}

/** Finds keys of `content` that are not media types and cannot be sent (OpenAPI 3.1 §4.8.14). */
function mediaTypes(root: JsonObject, operations: Operations): readonly DocumentProblem[] {
  const places = operations.flatMap((operation) =>
    contentHolders(root, operation).flatMap(({ pointer, value }) =>
      Object.keys(isJsonObject(value['content']) ? value['content'] : {})
        .filter((name) => !mediaType.test(name))
        .map((name) => appendPointer(pointer, 'content', name)),
    ),
  );
  return [...new Set(places)].map((pointer) => ({
    pointer,
    reason: 'is not a media type',
    remedy: 'Write a type and a subtype, such as application/json',
    recovery: severalTypes(root, pointer) ?? passOver(pointer),
  }));
}

/** Splits a key that lists media types, like an `Accept` header, into one key for each. */
function severalTypes(root: JsonObject, pointer: JsonPointer): Recovery | undefined {
  const key = pointerTokens(pointer).at(-1) ?? '';
  const types = key.split(',').map((type) => type.trim());
  const value = resolvePointer(root, pointer);
  if (types.length < 2 || !types.every((type) => mediaType.test(type)) || value === undefined)
    return undefined;
  const content = pointer.slice(0, pointer.lastIndexOf('/'));
  const added = types
    .map((type) => appendPointer(content, type))
    .filter((place) => resolvePointer(root, place) === undefined);
  return createRecovery(`read as ${joinWords(types, 'and')}`, {
    changes: [{ pointer, value: undefined }, ...added.map((place) => ({ pointer: place, value }))],
  });
}

function namesIn(template: string): readonly string[] {
  return [...template.matchAll(/\{([^{}]*)\}/gu)].map(([, name = '']) => name);
}

/** Returns the path parameters of an operation or path item by name, with their places. */
function declaredNames(
  root: JsonObject,
  { pointer, value }: ResolvedObject,
): ReadonlyMap<string, JsonPointer> {
  const { parameters } = value;
  const places = Array.isArray(parameters)
    ? parameters.map((_, index) => appendPointer(pointer, 'parameters', index))
    : [];
  return new Map(
    places.flatMap((place) => {
      const parameter = resolveObject(root, place)?.value;
      return parameter?.['in'] === 'path' && typeof parameter['name'] === 'string'
        ? [[parameter['name'], place]]
        : [];
    }),
  );
}

function malformedTemplate({ template, pointer, operations }: FoundPath): readonly DocumentProblem[] {
  const names = namesIn(template);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  const unclear = operations.map((operation) => operation.pointer);
  if (twice !== undefined) {
    const reason = `has the parameter {${twice}} twice`;
    const recovery = createRecovery('the last one is used', { unclear });
    return [{ pointer, reason, remedy: 'Give each its own name', recovery }];
  }
  if (!/[{}]/u.test(template.replaceAll(/\{[^{}]+\}/gu, ''))) return [];
  const reason = 'has an unpaired brace';
  const recovery = createRecovery('used as it is', { unclear });
  return [{ pointer, reason, remedy: 'Write parameters as {name}', recovery }];
}

function undeclaredNames(
  root: JsonObject,
  { template, pointer, item, operations }: FoundPath,
): readonly DocumentProblem[] {
  const shared = declaredNames(root, item);
  return namesIn(template).flatMap((name) => {
    const lacking = operations.filter(
      (operation) => !shared.has(name) && !declaredNames(root, operation).has(name),
    );
    // A parameter that all operations lack is one mistake.
    const places =
      lacking.length === operations.length
        ? [pointer].slice(0, lacking.length)
        : lacking.map((operation) => operation.pointer);
    const ownersOf = (place: JsonPointer): readonly JsonPointer[] =>
      place === pointer ? lacking.map((operation) => operation.pointer) : [place];
    return places.map((place) => ({
      pointer: place,
      reason: `does not declare the parameter {${name}} of the path`,
      remedy: `Add a parameter with name: ${name}, in: path and required: true`,
      recovery: {
        effect: 'any text is accepted for it',
        changes: ownersOf(place).map((owner) => ({
          pointer: `${owner}/parameters/-`,
          value: { name, in: 'path', required: true, schema: { type: 'string' } },
        })),
        unclear: ownersOf(place),
      },
    }));
  });
}

function strayDeclarations(
  root: JsonObject,
  { template, item, operations }: FoundPath,
): readonly DocumentProblem[] {
  const names = namesIn(template);
  return [item, ...operations].flatMap((owner) =>
    [...declaredNames(root, owner)]
      .filter(([name]) => !names.includes(name))
      .map(([name, pointer]) => ({
        pointer,
        reason: `declares the path parameter ${JSON.stringify(name)}, which ${template} does not have`,
        remedy: `Put {${name}} into the path, or remove the parameter`,
        recovery: passOver(pointer),
      })),
  );
}

/** Finds parameters of the whole query string beside others of the query (OpenAPI 3.2 §4.12.1). */
function surplusQuerystrings(root: JsonObject, { item, operations }: FoundPath): readonly DocumentProblem[] {
  const listQueries = ({ value, pointer }: ResolvedObject): readonly (readonly [JsonPointer, boolean])[] => {
    const list = Array.isArray(value['parameters']) ? value['parameters'] : [];
    return list.flatMap((_, index) => {
      const place = appendPointer(pointer, 'parameters', index);
      const location = resolveObject(root, place)?.value['in'];
      return location === 'querystring' || location === 'query' ? [[place, location === 'querystring']] : [];
    });
  };
  const shared = listQueries(item);
  const found = [[], ...operations.map(listQueries)].flatMap((own) => {
    const all = [...own, ...shared];
    return all.length < 2 ? [] : all.flatMap(([place, isWhole]) => (isWhole ? [place] : []));
  });
  return [...new Set(found)].map((pointer) => ({
    pointer,
    reason: 'describes the whole query string, of which other parameters describe parts',
    remedy: 'Put all of them into its schema, or remove it',
    recovery: passOver(pointer),
  }));
}

/** Finds security requirements for schemes that the document does not declare (OpenAPI 3.1 §4.8.30). */
function undeclaredSecuritySchemes(root: JsonObject, operations: Operations): readonly DocumentProblem[] {
  const components = isJsonObject(root['components']) ? root['components'] : {};
  const schemes = isJsonObject(components['securitySchemes']) ? components['securitySchemes'] : {};
  return [{ pointer: '', value: root }, ...operations].flatMap(({ pointer, value }) => {
    const requirements = Array.isArray(value['security']) ? value['security'] : [];
    return requirements.flatMap((requirement, index) =>
      Object.keys(isJsonObject(requirement) ? requirement : {})
        .filter((name) => !Object.hasOwn(schemes, name))
        .map((name) => ({
          pointer: appendPointer(pointer, 'security', index, name),
          reason: 'undeclared security scheme',
          remedy: `Declare it in components.securitySchemes, or correct the name`,
          recovery: createRecovery('its credentials are not checked'),
        })),
    );
  });
}

/** Matches names of header fields (RFC 9110 §5.1). */
const fieldName = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/u;

/** Finds API keys with invalid header field names. The text before a colon is usually the intended name. */
function schemeFields(root: JsonObject): readonly DocumentProblem[] {
  const { securitySchemes } = isJsonObject(root['components']) ? root['components'] : {};
  return Object.keys(isJsonObject(securitySchemes) ? securitySchemes : {}).flatMap((id) => {
    const scheme = resolveObject(root, appendPointer('/components/securitySchemes', id));
    const { type, in: place, name } = scheme?.value ?? {};
    if (scheme === undefined || type !== 'apiKey' || place !== 'header') return [];
    // The change below replaces an unusable name with an empty one.
    if (typeof name !== 'string' || name === '' || fieldName.test(name)) return [];
    const [intended = ''] = name.split(':').map((part) => part.trim());
    const isUsable = fieldName.test(intended);
    const pointer = appendPointer(scheme.pointer, 'name');
    const reason = `${JSON.stringify(name)} is not the name of a header field`;
    const remedy = `Write ${isUsable ? intended : 'a name without spaces and colons'}`;
    const recovery = createRecovery(isUsable ? `read as ${intended}` : 'its credentials are not checked', {
      changes: [{ pointer, value: isUsable ? intended : '' }],
    });
    return [{ pointer, reason, remedy, recovery }];
  });
}
