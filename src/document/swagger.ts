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

/** The styles of lists in 3.0 (OpenAPI 2.0, Parameter Object, `collectionFormat`). It has none for tabs. */
const listStyles: Readonly<Record<string, JsonObject>> = {
  csv: { style: 'form', explode: false },
  ssv: { style: 'spaceDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
  multi: { style: 'form', explode: true },
};

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The flows that have a different name in 3.0. */
const flows = new Map([
  ['application', 'clientCredentials'],
  ['accessCode', 'authorizationCode'],
]);

const usualJson: readonly string[] = ['application/json'];
const usualFile: readonly string[] = ['application/octet-stream'];

/** The maximum number of media types in a document. Each response has all those of the document. */
const mostMediaTypes = 200_000;

const tooManyMediaTypes: DocumentProblem = {
  pointer: '/produces',
  reason: `"produces" and "consumes" declare more than ${mostMediaTypes} media types for responses and bodies`,
  remedy: 'List only the media types that the operations have',
};

const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** Members of a document that are in another place in 3.0, or do not exist there. */
const oldMembers =
  'swagger host basePath schemes consumes produces definitions parameters securityDefinitions responses'.split(
    ' ',
  );

function isOfBody(parameter: JsonObject | undefined): boolean {
  return ['body', 'formData'].includes(textOf(parameter?.['in']));
}

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

/** Returns the members of an object that are not undefined. */
function present(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const found: JsonObject = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) found[name] = value;
  return found;
}

interface ConversionContext {
  /** Receives the places of the new objects in the text. */
  readonly places: TextPlaces;
  /** Receives the documents of the new objects. */
  readonly origins: WeakMap<object, DocumentPlace>;
  /** Throws an error for a problem. */
  readonly refuse: (problem: DocumentProblem) => never;
}

/**
 * Converts a document of OpenAPI 2.0 to 3.0. The result reuses the objects of the document, which keeps their lines and
 * their names in the text. Parts without an equivalent in 3.0 are left out. Mistakes are kept.
 *
 * @param root - with internal references only, each a plain pointer; it is consumed by the conversion
 */
export function convertSwagger(root: JsonObject, context: ConversionContext): JsonObject {
  return new SwaggerConversion(root, context).convert();
}

class SwaggerConversion {
  readonly #root: JsonObject;
  readonly #context: ConversionContext;
  /** The targets of references, as objects: their places change. */
  readonly #targets = new Map<JsonObject, object>();
  readonly #converted = new Set<JsonObject>();
  #mediaTypes = 0;

  constructor(root: JsonObject, context: ConversionContext) {
    this.#root = root;
    this.#context = context;
    visitReferences(root, {
      reference: (holder, reference) => {
        const pointer = plainPointer(reference);
        const target = pointer === undefined ? undefined : resolvePointer(root, pointer);
        if (typeof target === 'object' && target !== null) this.#targets.set(holder, target);
      },
    });
  }

  convert(): JsonObject {
    const root = this.#root;
    const { definitions, parameters, securityDefinitions, responses, paths } = root;
    entriesOf(definitions).forEach(([, schema]) => this.#convertSchema(schema));
    for (const [, parameter] of entriesOf(parameters)) {
      if (isJsonObject(parameter) && !isOfBody(parameter)) this.#convertParameter(parameter);
    }
    for (const [, pathItem] of entriesOf(paths)) {
      if (!isJsonObject(pathItem)) continue;
      const shared = this.#takeBodyParameters(pathItem);
      for (const method of methods) {
        const operation = pathItem[method];
        if (isJsonObject(operation)) this.#convertOperation(operation, shared);
      }
    }
    for (const [, scheme] of entriesOf(securityDefinitions)) {
      if (isJsonObject(scheme)) this.#convertScheme(scheme);
    }
    const outside = entriesOf(parameters).filter(([, each]) => !isOfBody(this.#follow(each)));
    const produces = textsAt(root, 'produces') ?? [];
    const answers = entriesOf(responses).map(
      ([name, each]) => [name, this.#toResponse(each, produces)] as const,
    );
    const components = {
      schemas: definitions,
      parameters:
        outside.length === 0 || !isJsonObject(parameters)
          ? undefined
          : this.#putAt(Object.fromEntries(outside), parameters),
      responses: isJsonObject(responses) ? this.#putAt(Object.fromEntries(answers), responses) : undefined,
      securitySchemes: securityDefinitions,
    };
    const servers = toServers(root);
    const others = Object.entries(root).filter(([name]) => !oldMembers.includes(name));
    const whole = this.#putAt(
      {
        openapi: '3.0.4',
        ...Object.fromEntries(others),
        ...(servers.length === 0 ? {} : { servers: [...servers] }),
        components: this.#putAt(present(components), root, {
          schemas: 'definitions',
          securitySchemes: 'securityDefinitions',
        }),
      },
      root,
      {
        openapi: 'swagger',
        components: 'definitions',
        servers: root['host'] === undefined ? 'basePath' : 'host',
      },
    );
    renameReferences(whole, this.#targets);
    return whole;
  }

  /** Returns an object itself, or the target of its reference. */
  #follow(value: JsonValue | undefined): JsonObject | undefined {
    const seen = new Set<JsonValue>();
    let found: JsonValue | undefined = value;
    while (isJsonObject(found) && !seen.has(found)) {
      seen.add(found);
      const target = this.#targets.get(found);
      if (target === undefined) return found;
      // `as`: the target of a reference is a part of the document.
      found = target as JsonValue;
    }
    return undefined;
  }

  /** Gives a new object the place of an object in the text, and its members the places of the given members. */
  #putAt(
    made: JsonObject,
    from: object,
    members: Readonly<Record<string, object | string>> = {},
  ): JsonObject {
    const { places, origins } = this.#context;
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

  #convertSchema(value: JsonValue | undefined): void {
    if (!isJsonObject(value) || this.#converted.has(value)) return;
    this.#converted.add(value);
    if (typeof value['discriminator'] === 'string') {
      value['discriminator'] = this.#putAt({ propertyName: value['discriminator'] }, value);
    }
    if (value['x-nullable'] === true) value['nullable'] = true;
    if (value['type'] === 'file') Object.assign(value, { type: 'string', format: 'binary' });
    entriesOf(value['properties']).forEach(([, schema]) => this.#convertSchema(schema));
    [...listAt(value, 'allOf'), value['items'], value['additionalProperties']].forEach((each) =>
      this.#convertSchema(each),
    );
  }

  /** Moves the schema keywords of a parameter, a header or a list of them into a new schema. */
  #takeSchema(holder: JsonObject): JsonObject {
    const taken = schemaKeywords.filter((keyword) => Object.hasOwn(holder, keyword));
    const schema = this.#putAt(
      Object.fromEntries(taken.map((keyword) => [keyword, holder[keyword] ?? null])),
      holder,
    );
    for (const keyword of taken) delete holder[keyword];
    const { items } = schema;
    if (isJsonObject(items)) delete items['collectionFormat'];
    this.#convertSchema(schema);
    return schema;
  }

  /** Converts in place a parameter that is not part of the body. */
  #convertParameter(parameter: JsonObject): void {
    if (this.#converted.has(parameter) || this.#targets.has(parameter)) return;
    this.#converted.add(parameter);
    const { collectionFormat = 'csv', type, in: place } = parameter;
    delete parameter['collectionFormat'];
    const schema = this.#takeSchema(parameter);
    Object.assign(parameter, { schema });
    if (type === 'array' && place === 'query')
      Object.assign(parameter, listStyles[textOf(collectionFormat)] ?? listStyles['csv']);
    this.#putAt(parameter, parameter);
  }

  /** Writes out a list of media types; those without an example share one Media Type Object. */
  #toContent(input: {
    readonly types: readonly string[];
    readonly from: object;
    readonly toMedia: (type: string) => JsonObject;
    readonly member: object | string;
  }): JsonObject {
    const { types, from, toMedia, member } = input;
    this.#mediaTypes += types.length;
    if (this.#mediaTypes > mostMediaTypes) this.#context.refuse(tooManyMediaTypes);
    return this.#putAt(
      Object.fromEntries(types.map((type) => [type, toMedia(type)])),
      from,
      Object.fromEntries(types.map((type) => [type, member])),
    );
  }

  #toBody(parameters: readonly JsonObject[], consumes: readonly string[]): JsonObject | undefined {
    const body = parameters.find((each) => each['in'] === 'body');
    if (body === undefined) return this.#toForm(parameters, consumes);
    const { schema = {}, description, required } = body;
    this.#convertSchema(schema);
    const media = this.#putAt({ schema }, body);
    const content = this.#toContent({
      types: consumes.length === 0 ? usualJson : consumes,
      from: body,
      toMedia: () => media,
      member: body,
    });
    return this.#putAt(present({ description, required, content }), body, { content: 'schema' });
  }

  #toForm(parameters: readonly JsonObject[], consumes: readonly string[]): JsonObject | undefined {
    const fields = parameters.filter((each) => each['in'] === 'formData');
    const [first] = fields;
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
      // Another operation may refer to the same field.
      const schema = this.#takeSchema(this.#putAt({ ...field }, field));
      if (description !== undefined) Object.assign(schema, { description });
      properties[name] = this.#putAt(schema, field);
    }
    this.#putAt(properties, first, Object.fromEntries(fields.map((field) => [textOf(field['name']), field])));
    const schema = this.#putAt(
      { type: 'object', properties, ...(required.length === 0 ? {} : { required }) },
      first,
    );
    const media = this.#putAt({ schema, ...(Object.keys(encoding).length === 0 ? {} : { encoding }) }, first);
    const usual = isFile ? ['multipart/form-data'] : ['application/x-www-form-urlencoded'];
    const content = this.#toContent({
      types: types.length === 0 ? usual : types,
      from: first,
      toMedia: () => media,
      member: first,
    });
    return this.#putAt({ ...(required.length === 0 ? {} : { required: true }), content }, first);
  }

  #toResponse(value: JsonValue, produces: readonly string[]): JsonValue {
    const response = this.#follow(value);
    if (response === undefined) return value;
    const { schema, headers, examples, ...others } = response;
    const examplesOf = new Map(entriesOf(examples));
    const isFile = isJsonObject(schema) && schema['type'] === 'file';
    this.#convertSchema(schema);
    for (const [, header] of entriesOf(headers)) {
      if (isJsonObject(header) && !this.#converted.has(header)) {
        this.#converted.add(header);
        delete header['collectionFormat'];
        Object.assign(header, { schema: this.#takeSchema(header) });
        this.#putAt(header, header);
      }
    }
    const usual = isFile ? usualFile : usualJson;
    const listed = produces.length === 0 ? usual : produces;
    const types = examplesOf.size === 0 ? listed : [...new Set([...listed, ...examplesOf.keys()])];
    const plain = this.#putAt(present({ schema }), response);
    const toMedia = (type: string): JsonObject => {
      const example = examplesOf.get(type);
      return example === undefined
        ? plain
        : this.#putAt({ ...plain, example }, response, { example: 'examples' });
    };
    const isEmpty = schema === undefined && examplesOf.size === 0;
    const content = isEmpty
      ? undefined
      : this.#toContent({ types, from: response, toMedia, member: 'schema' });
    return this.#putAt({ ...others, ...present({ headers, content }) }, response, { content: 'schema' });
  }

  /** Removes the parameters for bodies from a list, and returns them with references resolved. */
  #takeBodyParameters(holder: JsonObject): readonly JsonObject[] {
    const list = holder['parameters'];
    if (!Array.isArray(list)) return [];
    const all = list.map((each, index) => ({ each, index, found: this.#follow(each) }));
    const taken = all.flatMap(({ found }) => (found !== undefined && isOfBody(found) ? [found] : []));
    const kept = all.filter(({ found }) => !isOfBody(found));
    const { places } = this.#context;
    const known = places.get(list);
    const starts = kept.map(({ index }, at): [string, number] => [
      String(at),
      known?.members.get(String(index)) ?? 0,
    ]);
    list.splice(0, list.length, ...kept.map(({ each }) => each));
    if (known !== undefined) places.set(list, { ...known, members: new Map(starts) });
    list.filter(isJsonObject).forEach((parameter) => this.#convertParameter(parameter));
    return taken;
  }

  #convertOperation(operation: JsonObject, shared: readonly JsonObject[]): void {
    const consumes = textsAt(operation, 'consumes') ?? textsAt(this.#root, 'consumes') ?? [];
    const produces = textsAt(operation, 'produces') ?? textsAt(this.#root, 'produces') ?? [];
    for (const key of ['consumes', 'produces', 'schemes']) delete operation[key];
    const own = this.#takeBodyParameters(operation);
    const names = new Set(own.map(({ name }) => name));
    const isBody = own.some((each) => each['in'] === 'body');
    const all = isBody ? own : [...shared.filter(({ name }) => !names.has(name)), ...own];
    const body = this.#toBody(all, consumes);
    if (body !== undefined) {
      Object.assign(operation, { requestBody: body });
      this.#putAt(operation, operation, { requestBody: all[0] ?? operation });
    }
    const { responses } = operation;
    if (!isJsonObject(responses)) return;
    for (const [status, response] of Object.entries(responses)) {
      if (!status.startsWith('x-')) responses[status] = this.#toResponse(response, produces);
    }
  }

  #convertScheme(scheme: JsonObject): void {
    if (scheme['type'] === 'basic') Object.assign(scheme, { type: 'http', scheme: 'basic' });
    if (scheme['type'] !== 'oauth2') return;
    const { flow, authorizationUrl, tokenUrl, scopes = {} } = scheme;
    for (const key of ['flow', 'authorizationUrl', 'tokenUrl', 'scopes']) delete scheme[key];
    const parts = this.#putAt(present({ authorizationUrl, tokenUrl, scopes }), scheme);
    const name = flows.get(textOf(flow)) ?? textOf(flow);
    Object.assign(scheme, { flows: this.#putAt({ [name]: parts }, scheme) });
    this.#putAt(scheme, scheme);
  }
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

/** Updates references to the current places of their targets; if there are several, to the first. */
function renameReferences(root: JsonObject, references: ReadonlyMap<JsonObject, object>): void {
  const wanted = new Set(references.values());
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
  // Components come first, because their names are meaningful.
  visit(root['components'] ?? {}, '/components');
  visit(root['paths'] ?? {}, '/paths');
  for (const [holder, target] of references) {
    const pointer = found.get(target);
    if (pointer !== undefined) holder['$ref'] = `#${pointer}`;
  }
}
