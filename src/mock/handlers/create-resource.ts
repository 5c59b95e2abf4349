import type { DeclaredHeader, Operation, ResourceKey } from '../../contract/contract.ts';
import { findSuccessResponse, statusOf } from '../../contract/responses.ts';
import { normalizePath, pathOf } from '../../http/path.ts';
import { ExactNumber, numberKey } from '../../json/exact-number.ts';
import { parseJson } from '../../json/parse.ts';
import { appendPointer, pointerTokens } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Policy } from '../../policy/policy.ts';
import type { ValidationMode } from '../../schema/compile.ts';
import type { SchemaProblem } from '../../schema/problems.ts';
import { valueKey } from '../../schema/walk.ts';
import type { Refuse } from '../answer/refusal.ts';
import { chooseSentMedia, createProjection, renderText, type SentMedia } from '../answer/representation.ts';
import { mergeSchema, sampleHeaders, sampleValue, setOwn } from '../answer/sample-value.ts';
import { type MaybePromise, type MockResponse, policyClause, shorten, whenThere } from '../message.ts';
import { type Store, type StoreOutcome, toStoreKey } from '../store/store.ts';
import { type OperationHandler, type KeptBody, prepareStoredForm, type ValidRequest } from './stored-form.ts';

interface Creation extends KeptBody {
  readonly request: ValidRequest;
  /** Whether an exact number is among what was sent. */
  readonly exact: boolean;
  readonly key: JsonValue;
}

/**
 * Prepares the create of a resource: it is kept under the concrete URL of its collection and its key, once,
 * and the answer is the declared success with what it shows of the resource.
 *
 * @throws ClocheError SCHEMA_UNUSABLE where a schema cannot be compiled
 */
export function prepareCreate(input: {
  readonly operation: Operation;
  readonly key: ResourceKey;
  readonly policy: Policy;
  readonly reading: ValidationMode;
  readonly store: Store;
  readonly refuse: Refuse;
}): OperationHandler {
  const { operation, key, policy, reading, store, refuse } = input;
  const { split, makeKey, withMadeKey, toStored } = prepareStoredForm(operation, key, policy);
  const duplicates = policy['duplicate-key'];
  const unique = policy['unique-properties'];
  const echoes = policy.echo === 'exact';
  const showsKey = policy['response-extras'] === 'id' && key.kind === 'client';
  const writeAnswer = createAnswerWriter(operation, reading);

  function answer(creation: Creation): MockResponse {
    const { request, resource, exact, key: value, undeclared } = creation;
    const further = echoes ? undeclared : undefined;
    return writeAnswer({
      request,
      resource: echoes ? resource : withMadeKey({}, value),
      exact,
      key: value,
      extras: showsKey ? { ...further, [key.property]: value } : further,
    });
  }

  function answerStored(creation: Creation, text: string): MockResponse {
    const stored = parseJson(text);
    // What is stored is an object that was valid once.
    const isObject = stored.kind === 'json' && isJsonObject(stored.value);
    return answer(isObject ? { ...creation, ...split(stored.value), exact: stored.exact } : creation);
  }

  function refuseClaim(claim: string): MockResponse {
    const name = claim.slice(0, claim.indexOf('\0'));
    const reason = `The value of "${shorten(name)}" is taken: another resource has it, and it must be unique`;
    const pointer = appendPointer('', name);
    return refuse({
      condition: 'duplicate-value',
      message: `${reason}.`,
      problems: () => [{ pointer, reason, clause: policyClause('unique-properties', [...unique]) }],
    });
  }

  function refuseKey(value: JsonValue): MockResponse {
    const pointer = key.kind === 'none' ? undefined : appendPointer('', key.property);
    const reason = `${pointer ?? 'the key'} ${shorten(stringifyJson(value))} is taken: a resource with it exists already`;
    return refuse({
      condition: 'duplicate-key',
      message: `${reason}.`,
      problems: () => [{ pointer, reason, clause: policyClause('duplicate-key', duplicates) }],
    });
  }

  /** @param whenTaken - is given the text of the resource that has the key already */
  function settle(
    creation: Creation,
    outcome: StoreOutcome,
    whenTaken: (creation: Creation, present: string) => MaybePromise<MockResponse>,
  ): MaybePromise<MockResponse> {
    switch (outcome.kind) {
      case 'stored':
        return answer(creation);
      case 'claim-taken':
        return refuseClaim(outcome.claim);
      case 'key-taken':
        return whenTaken(creation, outcome.text);
    }
  }

  function settleTaken(creation: Creation, present: string): MaybePromise<MockResponse> {
    switch (duplicates) {
      case 'replace':
        return whenThere(store.replace(toStored(creation, toStoreKey(creation.key))), (outcome) =>
          outcome.kind === 'claim-taken' ? refuseClaim(outcome.claim) : answer(creation),
        );
      case 'keep-first':
        return answerStored(creation, present);
      case 'accept':
        return insertBeside(creation);
      case 'refuse':
      case 'conflict':
      case 'unprocessable':
        return refuseKey(creation.key);
    }
  }

  /** Keeps a resource beside the one that has its key, under a number that data which was brought in may have. */
  function insertBeside(creation: Creation): MaybePromise<MockResponse> {
    return whenThere(store.nextNumber(creation.collection), (number) =>
      whenThere(store.insertIfAbsent(toStored(creation, `${valueKey(creation.key)} ${number}`)), (outcome) =>
        settle(creation, outcome, insertBeside),
      ),
    );
  }

  function insert(creation: Creation): MaybePromise<MockResponse> {
    const outcome = store.insertIfAbsent(toStored(creation, toStoreKey(creation.key)));
    return outcome instanceof Promise
      ? outcome.then((later) => settle(creation, later, settleTaken))
      : settle(creation, outcome, settleTaken);
  }

  /** Keeps a resource under the next key that the service makes. One that is taken all the same is passed over. */
  function insertMade(creation: Omit<Creation, 'key'>): MaybePromise<MockResponse> {
    let number = store.nextNumber(creation.collection);
    // Data to start from may hold thousands of keys in a row: a call for each would be too deep.
    while (!(number instanceof Promise)) {
      const attempt = withKey(creation, number);
      const outcome = store.insertIfAbsent(toStored(attempt, toStoreKey(attempt.key)));
      if (outcome instanceof Promise) return outcome.then((later) => settle(attempt, later, insertMade));
      if (outcome.kind !== 'key-taken') return settle(attempt, outcome, insertMade);
      number = store.nextNumber(creation.collection);
    }
    return number.then(async (later) => {
      const attempt = withKey(creation, later);
      return settle(
        attempt,
        await store.insertIfAbsent(toStored(attempt, toStoreKey(attempt.key))),
        insertMade,
      );
    });
  }

  function withKey(creation: Omit<Creation, 'key'>, number: number): Creation {
    const made = makeKey(number);
    return { ...creation, resource: withMadeKey(creation.resource, made), key: made };
  }

  return (request) => {
    const { content } = request;
    if (content.kind !== 'value') {
      // Nothing was read that could be kept: the answer is a sample.
      return writeAnswer({ request, resource: {}, exact: false, key: makeKey(1), extras: undefined });
    }
    const { value, exact } = content;
    if (!isJsonObject(value)) {
      const message = 'The body is not valid: the body must be an object.';
      return refuse({ condition: 'invalid-body', message });
    }
    const { resource, undeclared } = split(value);
    // A path that is percent-encoded needlessly is the same place.
    const collection = normalizePath(request.path);
    if (key.kind !== 'client') {
      return insertMade({ request, collection, resource, undeclared, text: undefined, exact });
    }
    const sent = Object.hasOwn(value, key.property) ? value[key.property] : undefined;
    if (sent === undefined) {
      const pointer = appendPointer('', key.property);
      const reason = `${pointer} is required, but missing`;
      const message = `The body is not valid: ${reason}.`;
      return refuse({ condition: 'invalid-body', message, problems: () => [{ pointer, reason }] });
    }
    const text = resource === value ? content.text : undefined;
    return insert({ request, collection, resource, undeclared, text, exact, key: sent });
  };
}

interface Shown {
  readonly resource: JsonObject;
  /** Whether the resource holds an exact number. */
  readonly exact: boolean;
  /** Properties to be shown although the response does not declare them. */
  readonly extras: JsonObject | undefined;
}

function createAnswerWriter(
  operation: Operation,
  reading: ValidationMode,
): (creation: Shown & Pick<Creation, 'request' | 'key'>) => MockResponse {
  const response = findSuccessResponse(operation);
  const status = response === undefined ? 200 : statusOf(response);
  const sent = chooseSentMedia(response?.media ?? []);
  const render = createResourceRenderer(sent?.media, reading);
  const location = response?.headers.find(({ name }) => name.toLowerCase() === 'location');
  const locate = location && createLocator(location);
  const headers = [
    ...(sent === undefined ? [] : ['Content-Type', sent.contentType]),
    ...sampleHeaders(response?.headers ?? [], ['location']),
  ];
  const note = { operation: operation.id };

  function writeBody(shown: Shown): string | undefined {
    if (sent === undefined) return status === 204 ? undefined : '';
    const { value, exact } = render(shown);
    if (!sent.isJson) return renderText(sent.contentType, value);
    return exact ? stringifyJson(value) : JSON.stringify(value);
  }

  return (creation) => ({
    status,
    headers:
      locate === undefined ? headers : [...headers, 'Location', locate(creation.request, creation.key)],
    body: writeBody(creation),
    note,
  });
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

/** The body of an answer, and whether it holds an exact number. */
interface AnswerBody {
  readonly value: JsonValue;
  readonly exact: boolean;
}

/**
 * Prepares the bodies of answers about a resource: what the response declares of it, completed with samples
 * where the response requires what the resource does not have, and valid against the response's schema as
 * far as a valid body can be made at all.
 */
function createResourceRenderer(
  media: SentMedia['media'] | undefined,
  reading: ValidationMode,
): (shown: Shown) => AnswerBody {
  const schema = media?.schema?.schema ?? true;
  const root = isJsonObject(schema) ? schema : {};
  const validate = media?.schema?.validator(reading) ?? ((): readonly SchemaProblem[] => []);
  const project = createProjection(schema, 'writeOnly');
  const sample = [sampleValue(schema), ...(media?.examples ?? [])].find(
    (value) => value !== undefined && validate(value, holdsExactNumber(value)).length === 0,
  );
  const samples = isJsonObject(sample) ? sample : {};
  const areSamplesExact = holdsExactNumber(samples);
  const { required } = mergeSchema(root, schema);
  const sampled = (Array.isArray(required) ? required.map(String) : []).filter((name) =>
    Object.hasOwn(samples, name),
  );
  const whole = sample === undefined ? undefined : { value: sample, exact: holdsExactNumber(sample) };

  /** Puts in what is required and missing, and says whether anything was. */
  function complete(answer: JsonObject): boolean {
    let isCompleted = false;
    for (const name of sampled) {
      const stand = Object.hasOwn(answer, name) ? undefined : samples[name];
      if (stand !== undefined) {
        setOwn(answer, name, stand);
        isCompleted = true;
      }
    }
    return isCompleted;
  }

  /** Has samples in place of what is wrong, as far as there are any. */
  function repair(answer: JsonObject, problems: readonly SchemaProblem[]): AnswerBody | undefined {
    const repaired = { ...answer };
    for (const name of problems.map(propertyOf)) {
      if (name === undefined) continue;
      const stand = Object.hasOwn(samples, name) ? samples[name] : undefined;
      if (stand === undefined) {
        Reflect.deleteProperty(repaired, name);
      } else {
        setOwn(repaired, name, stand);
      }
    }
    const exact = holdsExactNumber(repaired);
    return validate(repaired, exact).length === 0 ? { value: repaired, exact } : undefined;
  }

  return ({ resource, exact: isResourceExact, extras }) => {
    if (whole !== undefined && !isJsonObject(sample)) return whole;
    const answer = project(resource);
    const exact = (complete(answer) && areSamplesExact) || isResourceExact;
    if (extras !== undefined) {
      for (const [name, value] of Object.entries(extras)) {
        setOwn(answer, name, value);
      }
    }
    const problems = validate(answer, exact);
    if (problems.length === 0) return { value: answer, exact };
    return repair(answer, problems) ?? whole ?? { value: answer, exact };
  };
}

function propertyOf({ pointer, params }: SchemaProblem): string | undefined {
  return pointerTokens(pointer)[0] ?? ('property' in params ? params.property : undefined);
}
