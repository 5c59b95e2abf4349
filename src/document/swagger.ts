import { type JsonPointer, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { DocumentPlace, DocumentProblem, TextPlaces } from './document.ts';
import { plainPointer, visitReferences } from './references.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** Members of a parameter or a header that became members of its schema in 3.0. */
const schemaKeywords = (
  'type format items default maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems ' +
  'uniqueItems enum multipleOf x-nullable'
).split(' ');

/** How lists are written in 3.0 (OpenAPI 2.0, Parameter Object, `collectionFormat`); tabs between items have no like there. */
const listStyles: Readonly<Record<string, JsonObject>> = {
  csv: { style: 'form', explode: false },
  ssv: { style: 'spaceDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
  multi: { style: 'form', explode: true },
};

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

const flows: Readonly<Record<string, string>> = {
  implicit: 'implicit',
  password: 'password',
  application: 'clientCredentials',
  accessCode: 'authorizationCode',
};

const usualJson: readonly string[] = ['application/json'];
const usualFile: readonly string[] = ['application/octet-stream'];

/** The maximum of media types in a document: each response has those of the whole document. */
const mostMediaTypes = 200_000;

const tooManyMediaTypes: DocumentProblem = {
  pointer: '/produces',
  reason: `"produces" and "consumes" declare more than ${mostMediaTypes} media types for responses and bodies`,
  remedy: 'List only the media types that the operations have',
};

const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];

function listAt(holder: JsonObject, key: string): readonly JsonValue[] {
  const list = holder[key];
  return Array.isArray(list) ? list : [];
}

function textsAt(holder: JsonObject, key: string): readonly string[] | undefined {
  const list = holder[key];
  return Array.isArray(list) ? [...new Set(list.filter((each) => typeof each === 'string'))] : undefined;
}

function entriesOf(value: JsonValue | undefined): readonly [string, JsonValue][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

/**
 * Makes a document of OpenAPI 2.0 one of 3.0, of the very objects that it is made of, so that everything keeps its line
 * and what it is called in the text. What has no like in 3.0 is left out; what is wrong stays wrong.
 *
 * @param root - each reference in it internal, and a plain pointer; it is used up
 * @param places - learns where what is made stands
 * @param origins - the same
 * @param refuse - throws an error for a problem
 */
export function convertSwagger(
  root: JsonObject,
  context: {
    readonly places: TextPlaces;
    readonly origins: WeakMap<object, DocumentPlace>;
    readonly refuse: (problem: DocumentProblem) => never;
  },
): JsonObject {
  const { places, origins, refuse } = context;
  /** What references lead to, by the object itself: its place is another afterwards. */
  const references: { readonly holder: JsonObject; readonly target: object }[] = [];
  visitReferences(root, {
    reference(holder, reference) {
      const pointer = plainPointer(reference);
      const target = pointer === undefined ? undefined : resolvePointer(root, pointer);
      if (typeof target === 'object' && target !== null) references.push({ holder, target });
    },
  });
  const targets = new Map(references.map(({ holder, target }) => [holder, target]));

  /** What stands for an object: it, or what its reference leads to. */
  function follow(value: JsonValue | undefined): JsonObject | undefined {
    const seen = new Set<JsonValue>();
    let found: JsonValue | undefined = value;
    while (isJsonObject(found) && !seen.has(found)) {
      seen.add(found);
      const target = targets.get(found);
      if (target === undefined) return found;
      // `as`: what a document refers to is a part of it.
      found = target as JsonValue;
    }
    return undefined;
  }

  /** Says that something made stands where something of the text does, and each member where one of that does. */
  function putAt(
    made: JsonObject,
    from: object,
    members: Readonly<Record<string, object | string>> = {},
  ): JsonObject {
    const known = places.get(from);
    if (known !== undefined) {
      const all = new Map(known.members);
      for (const key of Object.keys(made)) {
        const of = members[key] ?? key;
        const start = typeof of === 'string' ? known.members.get(of) : places.get(of)?.start;
        all.set(key, start ?? all.get(key) ?? known.start);
      }
      places.set(made, { ...known, members: all });
    }
    const origin = origins.get(from);
    if (origin !== undefined) origins.set(made, origin);
    return made;
  }

  const converted = new Set<JsonObject>();

  function convertSchema(value: JsonValue | undefined): void {
    if (!isJsonObject(value) || converted.has(value)) return;
    converted.add(value);
    if (typeof value['discriminator'] === 'string') {
      value['discriminator'] = putAt({ propertyName: value['discriminator'] }, value);
    }
    if (value['x-nullable'] === true) value['nullable'] = true;
    if (value['type'] === 'file') Object.assign(value, { type: 'string', format: 'binary' });
    entriesOf(value['properties']).forEach(([, schema]) => convertSchema(schema));
    [...listAt(value, 'allOf'), value['items'], value['additionalProperties']].forEach(convertSchema);
  }

  /** The schema that the members of a parameter, a header or a list of them come to. */
  function takeSchema(holder: JsonObject): JsonObject {
    const taken = schemaKeywords.filter((keyword) => Object.hasOwn(holder, keyword));
    const schema = putAt(
      Object.fromEntries(taken.map((keyword) => [keyword, holder[keyword] ?? null])),
      holder,
    );
    for (const keyword of taken) delete holder[keyword];
    const { items } = schema;
    if (isJsonObject(items)) delete items['collectionFormat'];
    convertSchema(schema);
    return schema;
  }

  /** A parameter that is no part of the body, as it stands. */
  function convertParameter(parameter: JsonObject): void {
    if (converted.has(parameter) || targets.has(parameter)) return;
    converted.add(parameter);
    const { collectionFormat = 'csv', type, in: place } = parameter;
    delete parameter['collectionFormat'];
    const schema = takeSchema(parameter);
    Object.assign(parameter, { schema });
    if (type === 'array' && place === 'query')
      Object.assign(parameter, listStyles[textOf(collectionFormat)] ?? listStyles['csv']);
    putAt(parameter, parameter);
  }

  let mediaTypes = 0;

  /** Writes out a list of media types; those without an example share one Media Type Object. */
  function toContent(input: {
    readonly types: readonly string[];
    readonly from: object;
    readonly toMedia: (type: string) => JsonObject;
    readonly member: object | string;
  }): JsonObject {
    const { types, from, toMedia, member } = input;
    mediaTypes += types.length;
    if (mediaTypes > mostMediaTypes) refuse(tooManyMediaTypes);
    return putAt(
      Object.fromEntries(types.map((type) => [type, toMedia(type)])),
      from,
      Object.fromEntries(types.map((type) => [type, member])),
    );
  }

  function toBody(parameters: readonly JsonObject[], consumes: readonly string[]): JsonObject | undefined {
    const body = parameters.find((each) => each['in'] === 'body');
    const fields = parameters.filter((each) => each['in'] === 'formData');
    const [first] = fields;
    if (body !== undefined) {
      const { schema = {}, description, required } = body;
      convertSchema(schema);
      const media = putAt({ schema }, body);
      return putAt(
        {
          ...(description === undefined ? {} : { description }),
          ...(required === undefined ? {} : { required }),
          content: toContent({
            types: consumes.length === 0 ? usualJson : consumes,
            from: body,
            toMedia: () => media,
            member: body,
          }),
        },
        body,
        { content: 'schema' },
      );
    }
    if (first === undefined) return undefined;
    const isFile = fields.some(({ type }) => type === 'file');
    const types = consumes.filter((type) => forms.includes(type.split(';')[0]?.trim().toLowerCase() ?? ''));
    const required = fields.filter((field) => field['required'] === true).map((field) => field['name'] ?? '');
    const encoding: JsonObject = {};
    const properties: JsonObject = {};
    for (const field of fields) {
      const { name, collectionFormat = 'csv', type, description } = field;
      if (typeof name !== 'string') continue;
      if (type === 'array') encoding[name] = listStyles[textOf(collectionFormat)] ?? listStyles['csv'] ?? {};
      // Another operation may have the same field by a reference.
      const schema = takeSchema(putAt({ ...field }, field));
      if (description !== undefined) Object.assign(schema, { description });
      properties[name] = putAt(schema, field);
    }
    const schema: JsonObject = putAt(
      {
        type: 'object',
        properties: putAt(
          properties,
          first,
          Object.fromEntries(fields.map((field) => [textOf(field['name']), field])),
        ),
        ...(required.length === 0 ? {} : { required }),
      },
      first,
    );
    const media = putAt({ schema, ...(Object.keys(encoding).length === 0 ? {} : { encoding }) }, first);
    const usual = isFile ? ['multipart/form-data'] : ['application/x-www-form-urlencoded'];
    const content = toContent({
      types: types.length === 0 ? usual : types,
      from: first,
      toMedia: () => media,
      member: first,
    });
    return putAt({ ...(required.length === 0 ? {} : { required: true }), content }, first);
  }

  function toResponse(value: JsonValue, produces: readonly string[]): JsonValue {
    const response = follow(value);
    if (response === undefined) return value;
    const { schema, headers, examples, ...others } = response;
    const isFile = isJsonObject(schema) && schema['type'] === 'file';
    convertSchema(schema);
    for (const [, header] of entriesOf(headers)) {
      if (isJsonObject(header) && !converted.has(header)) {
        converted.add(header);
        delete header['collectionFormat'];
        Object.assign(header, { schema: takeSchema(header) });
        putAt(header, header);
      }
    }
    const examplesOf = new Map(entriesOf(examples));
    const usual = isFile ? usualFile : usualJson;
    const listed = produces.length === 0 ? usual : produces;
    const types = examplesOf.size === 0 ? listed : [...new Set([...listed, ...examplesOf.keys()])];
    const plain = putAt(schema === undefined ? {} : { schema }, response);
    const toMedia = (type: string): JsonObject => {
      const example = examplesOf.get(type);
      return example === undefined ? plain : putAt({ ...plain, example }, response, { example: 'examples' });
    };
    const isEmpty = schema === undefined && examplesOf.size === 0;
    return putAt(
      {
        ...others,
        ...(headers === undefined ? {} : { headers }),
        ...(isEmpty
          ? {}
          : {
              content: toContent({ types, from: response, toMedia, member: 'schema' }),
            }),
      },
      response,
      { content: 'schema' },
    );
  }

  /** Takes the parameters of bodies out of a list, and gives them, references followed. */
  function takeBodyParameters(holder: JsonObject): readonly JsonObject[] {
    const list = holder['parameters'];
    if (!Array.isArray(list)) return [];
    const isOfBody = (each: JsonValue): boolean =>
      ['body', 'formData'].includes(textOf(follow(each)?.['in']));
    const taken = list.flatMap((each): JsonObject[] => {
      const found = isOfBody(each) ? follow(each) : undefined;
      return found === undefined ? [] : [found];
    });
    const kept = list.map((each, index) => ({ each, index })).filter(({ each }) => !isOfBody(each));
    const known = places.get(list);
    const starts = kept.map(({ index }, at): [string, number] => [
      String(at),
      known?.members.get(String(index)) ?? 0,
    ]);
    list.splice(0, list.length, ...kept.map(({ each }) => each));
    if (known !== undefined) places.set(list, { ...known, members: new Map(starts) });
    list.filter(isJsonObject).forEach(convertParameter);
    return taken;
  }

  const usual = { consumes: textsAt(root, 'consumes') ?? [], produces: textsAt(root, 'produces') ?? [] };

  function convertOperation(operation: JsonObject, shared: readonly JsonObject[]): void {
    const consumes = textsAt(operation, 'consumes') ?? usual.consumes;
    const produces = textsAt(operation, 'produces') ?? usual.produces;
    for (const key of ['consumes', 'produces', 'schemes']) delete operation[key];
    const own = takeBodyParameters(operation);
    const names = new Set(own.map(({ name }) => name));
    const isBody = own.some((each) => each['in'] === 'body');
    const all = isBody ? own : [...shared.filter(({ name }) => !names.has(name)), ...own];
    const body = toBody(all, consumes);
    if (body !== undefined) {
      Object.assign(operation, { requestBody: body });
      putAt(operation, operation, { requestBody: all[0] ?? operation });
    }
    const { responses } = operation;
    if (!isJsonObject(responses)) return;
    for (const [status, response] of Object.entries(responses)) {
      if (!status.startsWith('x-')) responses[status] = toResponse(response, produces);
    }
  }

  const { definitions, parameters, securityDefinitions, responses, ...others } = root;
  entriesOf(definitions).forEach(([, schema]) => convertSchema(schema));
  for (const [, parameter] of entriesOf(parameters)) {
    if (isJsonObject(parameter) && !['body', 'formData'].includes(textOf(parameter['in'])))
      convertParameter(parameter);
  }
  for (const [, pathItem] of entriesOf(root['paths'])) {
    if (!isJsonObject(pathItem)) continue;
    const shared = takeBodyParameters(pathItem);
    for (const method of methods) {
      const operation = pathItem[method];
      if (isJsonObject(operation)) convertOperation(operation, shared);
    }
  }
  for (const [, scheme] of entriesOf(securityDefinitions)) {
    if (isJsonObject(scheme)) convertScheme(scheme, putAt);
  }
  const outside = Object.fromEntries(
    entriesOf(parameters).filter(([, each]) => !['body', 'formData'].includes(textOf(follow(each)?.['in']))),
  );
  const components = putAt(
    {
      ...(definitions === undefined ? {} : { schemas: definitions }),
      ...(Object.keys(outside).length === 0
        ? {}
        : { parameters: isJsonObject(parameters) ? putAt(outside, parameters) : outside }),
      ...(responses === undefined || !isJsonObject(responses)
        ? {}
        : {
            responses: putAt(
              Object.fromEntries(
                Object.entries(responses).map(([name, each]) => [name, toResponse(each, usual.produces)]),
              ),
              responses,
            ),
          }),
      ...(securityDefinitions === undefined ? {} : { securitySchemes: securityDefinitions }),
    },
    root,
    { schemas: 'definitions', securitySchemes: 'securityDefinitions' },
  );
  const servers = toServers(root);
  for (const key of ['swagger', 'host', 'basePath', 'schemes', 'consumes', 'produces']) delete others[key];
  const whole = putAt(
    { openapi: '3.0.4', ...others, ...(servers.length === 0 ? {} : { servers: [...servers] }), components },
    root,
    {
      openapi: 'swagger',
      components: 'definitions',
      servers: root['host'] === undefined ? 'basePath' : 'host',
    },
  );
  renameReferences(whole, references);
  return whole;
}

function convertScheme(scheme: JsonObject, putAt: (made: JsonObject, from: object) => JsonObject): void {
  if (scheme['type'] === 'basic') Object.assign(scheme, { type: 'http', scheme: 'basic' });
  if (scheme['type'] !== 'oauth2') return;
  const { flow, authorizationUrl, tokenUrl, scopes = {} } = scheme;
  for (const key of ['flow', 'authorizationUrl', 'tokenUrl', 'scopes']) delete scheme[key];
  const parts = {
    ...(authorizationUrl === undefined ? {} : { authorizationUrl }),
    ...(tokenUrl === undefined ? {} : { tokenUrl }),
    scopes,
  };
  const name = flows[textOf(flow)] ?? textOf(flow);
  Object.assign(scheme, { flows: putAt({ [name]: putAt(parts, scheme) }, scheme) });
  putAt(scheme, scheme);
}

function toServers(root: JsonObject): readonly JsonObject[] {
  const { host, basePath } = root;
  const path = typeof basePath === 'string' ? basePath.replace(/\/$/u, '') : '';
  if (typeof host !== 'string') return path === '' ? [] : [{ url: path }];
  const schemes = textsAt(root, 'schemes') ?? [];
  return (schemes.length === 0 ? ['https'] : schemes).map((scheme) => ({
    url: `${scheme}://${host}${path}`,
  }));
}

/** Where a thing of the text stands by now; of several places the first. */
function renameReferences(
  root: JsonObject,
  references: readonly { readonly holder: JsonObject; readonly target: object }[],
): void {
  const wanted = new Set(references.map(({ target }) => target));
  const found = new Map<object, JsonPointer>();
  const visited = new Set<object>();
  const visit = (value: JsonValue, pointer: JsonPointer): void => {
    if (typeof value !== 'object' || value === null || visited.has(value)) return;
    visited.add(value);
    if (wanted.has(value) && !found.has(value)) found.set(value, pointer);
    // `as`: an array has no other members.
    for (const [key, member] of Object.entries(value as JsonObject)) {
      visit(member, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    }
  };
  // Components first: it is there that a name says what is meant.
  visit(root['components'] ?? {}, '/components');
  visit(root['paths'] ?? {}, '/paths');
  for (const { holder, target } of references) {
    const pointer = found.get(target);
    if (pointer !== undefined) holder['$ref'] = `#${pointer}`;
  }
}
