import type { DeclaredHeader, DeclaredResponse, Operation } from '../../contract/contract.ts';
import { statusOf } from '../../contract/responses.ts';
import { pathOf } from '../../http/path.ts';
import { ExactNumber, numberKey } from '../../json/exact-number.ts';
import { pointerTokens } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { CompiledSchema, SchemaReading } from '../../schema/compile.ts';
import type { SchemaProblem } from '../../schema/problems.ts';
import { chooseSentMedia, createProjection, renderText } from '../answer/representation.ts';
import { mergeSchema, sampleHeaders, sampleValue, setOwn } from '../answer/sample-value.ts';
import type { MockAnswer } from '../message.ts';
import type { ValidRequest } from './stored-form.ts';

/** The body of an answer about a resource. */
interface AnswerBody {
  readonly value: JsonValue;
  /** Whether it holds an exact number. */
  readonly exact: boolean;
}

/** Makes the body of an answer about a resource. */
type RenderResource = (input: {
  readonly resource: JsonObject;
  /** Whether the resource holds an exact number. */
  readonly exact: boolean;
  /** Properties to be shown although the response does not declare them. */
  readonly extras: Readonly<JsonObject> | undefined;
}) => AnswerBody;

/** The property of the whole that a problem lies in. */
function propertyOf(problem: SchemaProblem): string | undefined {
  return (
    pointerTokens(problem.pointer)[0] ?? ('property' in problem.params ? problem.params.property : undefined)
  );
}

/**
 * Prepares the bodies of answers about a resource: what the response declares of it, completed with samples
 * where the response requires what the resource does not have, and valid against the response's schema as
 * far as a valid body can be made at all.
 *
 * @param input.examples - of the document, for what no sample can be made of
 */
function createResourceRenderer(input: {
  readonly schema: CompiledSchema | undefined;
  readonly examples: readonly JsonValue[];
  readonly reading: SchemaReading;
}): RenderResource {
  const { schema: compiled, examples, reading } = input;
  const schema = compiled?.schema ?? true;
  const root = isJsonObject(schema) ? schema : {};
  const validate = compiled?.validator(reading) ?? ((): readonly SchemaProblem[] => []);
  const project = createProjection(schema, 'writeOnly');
  const sample = [sampleValue({ schema, root }), ...examples].find(
    (value) => value !== undefined && validate(value, holdsExactNumber(value)).length === 0,
  );
  const samples = isJsonObject(sample) ? sample : {};
  const samplesExact = holdsExactNumber(samples);
  const merged = mergeSchema(root, schema);
  const required = Array.isArray(merged['required']) ? merged['required'].map(String) : [];
  const isObject = sample === undefined || isJsonObject(sample);

  function complete(answer: JsonObject): boolean {
    let completed = false;
    for (const name of required) {
      const stand = Object.hasOwn(answer, name) || !Object.hasOwn(samples, name) ? undefined : samples[name];
      if (stand !== undefined) {
        setOwn(answer, name, stand);
        completed = true;
      }
    }
    return completed;
  }

  function repair(answer: JsonObject, problems: readonly SchemaProblem[]): AnswerBody | undefined {
    const repaired = { ...answer };
    for (const name of problems.map(propertyOf)) {
      const stand = name !== undefined && Object.hasOwn(samples, name) ? samples[name] : undefined;
      if (name !== undefined && stand !== undefined) {
        setOwn(repaired, name, stand);
      } else if (name !== undefined) {
        Reflect.deleteProperty(repaired, name);
      }
    }
    const exact = holdsExactNumber(repaired);
    return validate(repaired, exact).length === 0 ? { value: repaired, exact } : undefined;
  }

  return ({ resource, exact: resourceExact, extras }) => {
    if (!isObject) return { value: sample, exact: holdsExactNumber(sample) };
    const answer = project(resource);
    const exact = (complete(answer) && samplesExact) || resourceExact;
    if (extras !== undefined) {
      for (const [name, value] of Object.entries(extras)) {
        setOwn(answer, name, value);
      }
    }
    const problems = validate(answer, exact);
    if (problems.length === 0) return { value: answer, exact };
    return (
      repair(answer, problems) ??
      (sample === undefined ? { value: answer, exact } : { value: sample, exact: holdsExactNumber(sample) })
    );
  };
}

/** Writes the answer to a create. */
type WriteAnswer = (creation: {
  readonly request: ValidRequest;
  readonly resource: JsonObject;
  readonly exact: boolean;
  readonly key: JsonValue;
  readonly extras: JsonObject | undefined;
}) => MockAnswer;

function toSegment(key: JsonValue): string {
  const text =
    typeof key === 'number' || key instanceof ExactNumber
      ? numberKey(key)
      : typeof key === 'string'
        ? key
        : stringifyJson(key);
  // A lone surrogate has no UTF-8, and encodeURIComponent would throw.
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'));
}

/**
 * The place of a new resource: a path, or a whole URL where the header's schema takes nothing else (RFC 9110
 * §10.2.2). Where it takes neither, a value that it does take.
 */
function createLocator(header: DeclaredHeader): (request: ValidRequest, key: JsonValue) => string {
  const validate = header.schema?.validator({ formats: 'assert', integers: 'by-value' });
  const takes = (place: string): boolean => validate === undefined || validate(place, false).length === 0;
  const [, sample = ''] = sampleHeaders([{ ...header, required: true }]);
  const lastResort = takes(sample) ? sample : undefined;
  return ({ head }, key) => {
    const path = `${pathOf(head.target)}/${toSegment(key)}`;
    if (takes(path)) return path;
    const url = `http://${head.header('host') ?? 'localhost'}${path}`;
    return takes(url) ? url : (lastResort ?? url);
  };
}

/** Prepares the answers of a create under its declared success response. */
export function createAnswerWriter(
  { operation, reading }: { readonly operation: Operation; readonly reading: SchemaReading },
  response: DeclaredResponse | undefined,
): WriteAnswer {
  const status = response === undefined ? 200 : statusOf(response);
  const sent = chooseSentMedia(response?.media ?? []);
  const schema = sent?.media.schema;
  const render = createResourceRenderer({ schema, examples: sent?.media.examples ?? [], reading });
  const location = response?.headers.find(({ name }) => name.toLowerCase() === 'location');
  const locate = location === undefined ? undefined : createLocator(location);
  const headers = [
    ...(sent === undefined ? [] : ['Content-Type', sent.contentType]),
    ...sampleHeaders(response?.headers ?? [], ['location']),
  ];
  const note = { operation: operation.id };

  function writeBody({ resource, exact, extras }: Parameters<WriteAnswer>[0]): string | undefined {
    if (sent === undefined) return status === 204 ? undefined : '';
    const body = render({ resource, exact, extras });
    if (!sent.isJson) return renderText(sent.contentType, body.value);
    return body.exact ? stringifyJson(body.value) : JSON.stringify(body.value);
  }

  return (creation) => ({
    status,
    headers:
      locate === undefined ? headers : [...headers, 'Location', locate(creation.request, creation.key)],
    body: writeBody(creation),
    note,
  });
}
