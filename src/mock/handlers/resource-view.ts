import { encodeSegment, pathOf } from '../../http/path.ts';
import type { DeclaredResponse, Operation } from '../../contract/contract.ts';
import { findShownKey } from '../../contract/created-key.ts';
import { findSuccessResponse, statusOf } from '../../contract/responses.ts';
import { numberKey } from '../../json/exact-number.ts';
import { nestMember, pointerTokens } from '../../json/pointer.ts';
import { stringifyJson, toText } from '../../json/print.ts';
import {
  holdsExactNumber,
  isJsonNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setOwn,
} from '../../json/value.ts';
import { acceptsValue, type SchemaValidator, takesAll, type ValidationMode } from '../../schema/compile.ts';
import type { SchemaProblem } from '../../schema/problems.ts';
import { declaredNames } from '../../schema/properties.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import {
  chooseSentMedia,
  createProjection,
  memberSchema,
  sampleHeaders,
  type SentMedia,
  writeContent,
} from '../answer/representation.ts';
import { shownExample } from '../answer/sample-body.ts';
import { repairSample, sampleValue, shownValue } from '../../schema/value/sample-value.ts';
import { foldSchema } from '../../schema/merge.ts';
import { type AnswerNote, type MockResponse, originOf } from '../message.ts';
import type { ValidRequest } from './stored-form.ts';

/** The parts of a resource that a response shows. */
export interface Shown {
  readonly resource: JsonObject;
  /** Whether the resource contains an exact number. */
  readonly exact: boolean;
  /** Undeclared properties that the response shows nevertheless. */
  readonly extras: JsonObject | undefined;
  /** The item itself, if it is not an object. */
  readonly plain?: JsonValue | undefined;
}

/**
 * Prepares the responses that show a resource, with the success that an operation declares.
 *
 * @param options.path - the path of names to the resource in the body; undefined if the body does not show it
 * @param options.found - the declared response, if it is not the usual one of the operation
 * @throws ClocheError SCHEMA_UNUSABLE if the schema of the response cannot be compiled
 */
export function createResourceWriter(
  operation: Operation,
  reading: ValidationMode,
  {
    path,
    found = findSuccessResponse(operation),
  }: {
    readonly path: readonly string[] | undefined;
    readonly found?: DeclaredResponse | undefined;
  },
): (shown: Shown, location?: string) => MockResponse {
  // If only errors are declared, the mock still returns a success.
  const response = found === undefined || statusOf(found) >= 300 ? undefined : found;
  if (response === undefined) return writeUndeclared(operation);
  const status = statusOf(response);
  const sent = chooseSentMedia(response.media);
  const { kind } = operation;
  const render =
    path === undefined
      ? createShownRenderer(sent?.media, reading, kind)
      : createBodyRenderer(sent?.media, reading, { path, id: idOf(kind) });
  const headers = [
    ...(sent === undefined ? [] : ['Content-Type', sent.contentType]),
    ...sampleHeaders(response.headers, ['location']),
  ];
  const note: AnswerNote = { operation: operation.id };

  return (shown, location) => {
    const all = location === undefined ? headers : [...headers, 'Location', location];
    if (sent === undefined) return { status, headers: all, body: status === 204 ? undefined : '', note };
    const rendered = render(shown);
    const answer = { status, headers: all, body: writeContent(sent, rendered.value, rendered.exact), note };
    return rendered.mismatches === true ? markMismatch(answer, sent.media.schema?.pointer) : answer;
  };
}

/** Marks a response whose value the schema at a pointer in the document does not accept. */
export function markMismatch(answer: MockResponse, place = ''): MockResponse {
  const undeclared = 'not-mocked';
  const message = `No value was found that the schema at ${place} accepts and that shows what is kept.`;
  const headers = [...answer.headers, 'Cloche-Undeclared', undeclared];
  return { ...answer, headers, note: { ...answer.note, undeclared, message } };
}

/** Writes the resource, or nothing if it was deleted, and marks the response as undeclared. */
function writeUndeclared({ id, method, kind }: Operation): (shown: Shown, location?: string) => MockResponse {
  const undeclared = 'other-operations';
  const headers = ['Content-Type', 'application/json', 'Cloche-Undeclared', undeclared];
  const status = kind.kind === 'create' ? 201 : 200;
  const note = { operation: id, undeclared } as const;
  return ({ resource }, location) => {
    if (method === 'DELETE') return { status: 204, headers: headers.slice(2), body: undefined, note };
    const all = location === undefined ? headers : [...headers, 'Location', location];
    return { status, headers: all, body: stringifyJson(resource), note };
  };
}

/**
 * Prepares the URL of a new item (RFC 9110 §10.2.2), if the document has a path for it or the response declares
 * Location. It is a path, a full URL if the header's schema requires one, or else a value that the schema accepts.
 * Undefined if the response is not 201 and declares no Location, or if the item has no path.
 *
 * @param response - the response to the creation of the item
 * @param siblings - all operations on the resource
 */
export function createLocator(
  operation: Operation,
  response: DeclaredResponse | undefined,
  siblings: readonly Operation[],
): ((request: ValidRequest, key: JsonValue) => string) | undefined {
  const header = response?.headers.find(({ name }) => name.toLowerCase() === 'location');
  const isNew = response === undefined || statusOf(response) === 201 || statusOf(response) >= 300;
  const rest = findItemRest(operation, siblings);
  const elsewhere = rest === undefined ? findItemElsewhere(operation, siblings) : undefined;
  const hasPath = rest !== undefined || elsewhere !== undefined;
  if (header === undefined && !(hasPath && isNew)) return undefined;
  const takes = (place: string): boolean => acceptsValue(header?.schema, place);
  const [, sample = ''] = header === undefined ? [] : sampleHeaders([{ ...header, required: true }]);
  const lastResort = takes(sample) ? sample : undefined;
  return ({ head, path: below, parameters }, key) => {
    const own = pathOf(head.target);
    const item = (rest ?? '{}').replace(/\{[^{}]*\}/u, () => toSegment(key));
    const base = own.endsWith(below) ? own.slice(0, own.length - below.length) : '';
    const inside = rest === '' ? own : `${own.replace(/\/$/u, '')}/${item}`;
    const path =
      elsewhere === undefined
        ? inside
        : `${base}${elsewhere.replaceAll(/\{([^{}]*)\}/gu, (_, name: string) => parameters[name] ?? toSegment(key))}`;
    const url = `${originOf(head)}${path}`;
    // Without its first segments, like the path of a service behind a gateway.
    const segments = path.split('/').slice(2);
    const ends = segments.map((_, index) => `/${segments.slice(index).join('/')}`);
    return [path, url, ...ends].find(takes) ?? lastResort ?? url;
  };
}

/** Finds an item path beside an operation's with only its parameters: `/order/{id}`, `/orders('{id}')` of `/orders`. */
function findItemElsewhere({ kind, path }: Operation, siblings: readonly Operation[]): string | undefined {
  const { parameter } = kind.kind === 'sample' ? {} : kind.resource;
  if (parameter === undefined) return undefined;
  const isKnown = (name: string): boolean => name === parameter || path.template.includes(`{${name}}`);
  return siblings
    .map((each) => each.path.template)
    .find(
      (template) =>
        template.slice(template.lastIndexOf('/')).includes(`{${parameter}}`) &&
        [...template.matchAll(/\{([^{}]*)\}/gu)].every(([, name = '']) => isKnown(name)),
    );
}

/** Returns the segments of an item's path below that of an operation; undefined if items have no path below it. */
function findItemRest({ kind, path }: Operation, siblings: readonly Operation[]): string | undefined {
  const { parameter = '' } = kind.kind === 'sample' ? {} : kind.resource;
  const segmentsOf = (template: string): readonly string[] => template.replace(/\/$/u, '').split('/');
  const isItem = (template: string): boolean =>
    parameter !== '' && segmentsOf(template).at(-1)?.includes(`{${parameter}}`) === true;
  if (isItem(path.template)) return '';
  const unnamed = (text: string): string => text.replaceAll(/\{[^{}]*\}/gu, '{}');
  const base = segmentsOf(path.template);
  const rests = ['read', 'replace', 'update', 'delete'].flatMap((role) =>
    siblings
      .filter((each) => each.kind.kind === role && isItem(each.path.template))
      .map((each) => each.path.template)
      .filter((template) => unnamed(template).startsWith(`${unnamed(base.join('/'))}/`))
      .map((template) => template.split('/').slice(base.length).join('/')),
  );
  return rests.find((rest) => rest.indexOf('{') === rest.lastIndexOf('{'));
}

/** Encodes an id as a segment of a path. */
export function toSegment(key: JsonValue): string {
  return encodeSegment(isJsonNumber(key) ? numberKey(key) : toText(key));
}

/** The body of a response and whether it contains an exact number. */
interface AnswerBody {
  readonly value: JsonValue;
  readonly exact: boolean;
  /** Whether its schema rejects it, and no better value was found. */
  readonly mismatches?: boolean;
}

/** Prepares bodies with a resource in an envelope with samples as other members; without it if the path is empty. */
function createBodyRenderer(
  media: SentMedia['media'] | undefined,
  reading: ValidationMode,
  { path, id }: { readonly path: readonly string[]; readonly id: string },
): (shown: Shown) => AnswerBody {
  const schema = media?.schema?.schema ?? true;
  const validate = media?.schema?.validator(reading) ?? takesAll;
  const examples = media?.examples ?? [];
  if (path.length === 0) return createResourceRenderer(schema, validate, { examples, id });
  const plain = sampleEnvelope(schema, path, sampleValue);
  const item = sampleValue(memberSchema(schema, path)) ?? {};
  const envelope =
    [shownExample(media, path), sampleEnvelope(schema, path, shownValue)].find(
      (each) => each !== undefined && validate.accepts(...withExactness(nestMember(each, path, item))),
    ) ?? plain;
  const nest = (value: JsonValue): JsonValue => nestMember(envelope, path, value);
  const judge = (value: JsonValue, exact: boolean): readonly SchemaProblem[] =>
    validate(nest(value), exact).flatMap((problem) => {
      const tokens = pointerTokens(problem.pointer);
      const isInside = path.every((name, index) => tokens[index] === name);
      const pointer = problem.pointer.split('/').slice(path.length + 1);
      return isInside ? [{ ...problem, pointer: ['', ...pointer].join('/') }] : [];
    });
  const accepts: SchemaValidator['accepts'] = (value, exact) =>
    validate.accepts(nest(value), exact) || judge(value, exact).length === 0;
  const inside = Object.assign(judge, { accepts });
  const render = createResourceRenderer(memberSchema(schema, path), inside, { id });
  return (shown) => {
    const { value, mismatches = false } = render(shown);
    return { ...toBody(nest(value)), mismatches };
  };
}

const toBody = (value: JsonValue): AnswerBody => ({ value, exact: holdsExactNumber(value) });
const withExactness = (value: JsonValue): [JsonValue, boolean] => [value, holdsExactNumber(value)];

/** Prepares bodies that do not show the resource. They are as the document shows them, with the id of the resource. */
function createShownRenderer(
  media: SentMedia['media'] | undefined,
  reading: ValidationMode,
  kind: Operation['kind'],
): (shown: Shown) => AnswerBody {
  const example = shownExample(media);
  const schema = media?.schema?.schema ?? true;
  const validate = media?.schema?.validator(reading) ?? takesAll;
  const shown = example === undefined ? shownValue(schema) : undefined;
  const isFitting = shown !== undefined && validate.accepts(...withExactness(shown));
  const render = createResourceRenderer(schema, validate, { shown: isFitting ? shown : undefined });
  const key = idOf(kind);
  return (of) => {
    const rendered = example === undefined ? render(of) : toBody(example);
    const { value } = rendered;
    // A create may show only the id, in a wrapper: `{"data": {"id": 7}}`.
    const found = kind.kind === 'create' ? findShownKey(kind, value) : undefined;
    const isTop = isJsonObject(value) && Object.hasOwn(value, key);
    const top = isTop ? [key] : [];
    const path = found === undefined ? top : [...found.path, found.property];
    if (path.length === 0 || !Object.hasOwn(of.resource, key)) return rendered;
    const named = toBody(nestMember(value, path, of.resource[key] ?? null));
    return validate.accepts(named.value, named.exact) ? named : rendered;
  };
}

/** Returns the property that identifies the items of an operation; empty if there is none. */
function idOf(kind: Operation['kind']): string {
  return kind.kind === 'sample' || kind.resource.key.kind === 'none' ? '' : kind.resource.key.property;
}

/** Returns the envelope of a resource: of an example, only the members that the schema declares or requires. */
function sampleEnvelope(
  schema: JsonSchema,
  [first = '', ...path]: readonly string[],
  make: typeof sampleValue,
): JsonValue {
  const sample = make(schema) ?? {};
  const names = declaredNames(schema);
  if (!isJsonObject(sample) || names === undefined) return sample;
  const required = [foldSchema(schema)['required']].flat();
  const around = Object.fromEntries(
    Object.entries(sample).filter(([name]) => names.has(name) || required.includes(name)),
  );
  if (path.length > 0 && !Object.hasOwn(around, first)) {
    setOwn(around, first, sampleEnvelope(memberSchema(schema, [first]), path, make));
  }
  return around;
}

/**
 * Prepares the response bodies for a resource: the members that the response declares, and samples for required members
 * that the resource lacks. They are valid against the schema of the response if a valid body can be generated.
 *
 * @param options.key - the property that identifies the item; it is shown unchanged, whatever the schema requires
 * @param options.id - the same property, shown unchanged if the schema accepts it
 * @param options.shown - the document's value of a body that does not show the resource: the body contains all of it
 */
export function createResourceRenderer(
  schema: JsonSchema,
  validate: SchemaValidator,
  {
    examples = [],
    key,
    id = key,
    shown,
  }: {
    readonly examples?: readonly JsonValue[];
    readonly key?: string | undefined;
    readonly id?: string | undefined;
    readonly shown?: JsonValue | undefined;
  } = {},
): (shown: Shown) => AnswerBody {
  const project = createProjection(schema, 'writeOnly');
  const sample = [shown, ...examples, sampleValue(schema)].find(
    (value) => value !== undefined && validate.accepts(...withExactness(value)),
  );
  const samples = isJsonObject(sample) ? sample : {};
  const areSamplesExact = holdsExactNumber(samples);
  const { required } = foldSchema(schema);
  const sampled =
    shown === undefined
      ? (Array.isArray(required) ? required.map(String) : []).filter((name) => Object.hasOwn(samples, name))
      : Object.keys(samples);
  const whole = sample === undefined ? undefined : toBody(sample);

  /** Adds missing required members, stored ones or else samples; returns whether any was added. */
  function complete(answer: JsonObject, kept: JsonObject): boolean {
    let isCompleted = false;
    for (const name of sampled) {
      const source = Object.hasOwn(kept, name) ? kept : samples;
      const stand = Object.hasOwn(answer, name) ? undefined : source[name];
      if (stand !== undefined) {
        setOwn(answer, name, stand);
        isCompleted = true;
      }
    }
    return isCompleted;
  }

  /** Replaces invalid members by samples, if there are any. */
  function repair(answer: JsonObject, problems: readonly SchemaProblem[]): AnswerBody | undefined {
    const repaired = { ...answer };
    for (const name of problems.map(propertyOf)) {
      if (name === undefined || name === key) continue;
      const stand = Object.hasOwn(samples, name) ? samples[name] : undefined;
      if (stand === undefined) Reflect.deleteProperty(repaired, name);
      else setOwn(repaired, name, stand);
    }
    return unlessWrong(repaired);
  }

  /** Adds missing required members at any depth, and replaces clearly invalid values by samples. */
  function repairValue(answer: JsonObject): AnswerBody | undefined {
    const value = repairSample(schema, answer);
    if (!isJsonObject(value)) return undefined;
    if (key !== undefined && Object.hasOwn(answer, key)) setOwn(value, key, answer[key] ?? null);
    return unlessWrong(value);
  }

  /** Returns a body with this value, if only the id is invalid. */
  function unlessWrong(value: JsonObject): AnswerBody | undefined {
    const body = toBody(value);
    const isOfKey = (problem: SchemaProblem): boolean => key !== undefined && propertyOf(problem) === key;
    return validate(value, body.exact).every(isOfKey) ? body : undefined;
  }

  /** Returns the sample with the id of the response. */
  function replaceAll(answer: JsonObject): AnswerBody | undefined {
    if (whole === undefined || id === undefined || !Object.hasOwn(answer, id)) return whole;
    const value = { ...samples };
    setOwn(value, id, answer[id] ?? null);
    const body = toBody(value);
    return key === id || validate.accepts(value, body.exact) ? body : whole;
  }

  return ({ resource, exact: isResourceExact, extras, plain }) => {
    if (whole !== undefined && !isJsonObject(sample)) {
      const isShown = plain !== undefined && validate.accepts(plain, isResourceExact);
      return isShown ? { value: plain, exact: isResourceExact } : whole;
    }
    const answer = project(resource);
    const exact = (complete(answer, resource) && areSamplesExact) || isResourceExact;
    if (extras !== undefined) {
      for (const [name, value] of Object.entries(extras)) setOwn(answer, name, value);
    }
    let problems = validate(answer, exact);
    if (respell(answer, problems, key)) problems = validate(answer, exact);
    if (problems.length === 0) return { value: answer, exact };
    return (
      repairValue(answer) ??
      repair(answer, problems) ??
      replaceAll(answer) ?? { value: answer, exact, mismatches: true }
    );
  };
}

const numeric: ReadonlySet<string> = new Set(['integer', 'number']);
/** Few enough digits for an exact number. */
const digits = /^(?:0|[1-9]\d{0,14})$/u;

/**
 * Converts numbers to texts, and texts of digits to numbers, if the type of a property is wrong; returns whether any
 * was. An id that is a number in one response is a text in others.
 */
function respell(answer: JsonObject, problems: readonly SchemaProblem[], key: string | undefined): boolean {
  let isRespelt = false;
  for (const problem of problems) {
    if (problem.keyword !== 'type') continue;
    const [name = '', ...deeper] = pointerTokens(problem.pointer);
    const value = deeper.length === 0 && name !== key && Object.hasOwn(answer, name) ? answer[name] : null;
    const { types } = problem.params;
    if (isJsonNumber(value) && types.includes('string')) {
      setOwn(answer, name, stringifyJson(value));
      isRespelt = true;
    } else if (typeof value === 'string' && digits.test(value) && types.some((type) => numeric.has(type))) {
      setOwn(answer, name, Number(value));
      isRespelt = true;
    }
  }
  return isRespelt;
}

function propertyOf({ pointer, params }: SchemaProblem): string | undefined {
  return pointerTokens(pointer)[0] ?? ('property' in params ? params.property : undefined);
}

/** Marks a success that does not reflect the request, with the field `Cloche-Sample`. */
export function markSample(answer: MockResponse): MockResponse {
  if (answer.status >= 300 || answer.note.sample !== undefined) return answer;
  const sample = (answer.body ?? '') === '' ? 'empty' : 'generated';
  const headers = [...answer.headers, 'Cloche-Sample', sample];
  return { ...answer, headers, note: { ...answer.note, sample } };
}
