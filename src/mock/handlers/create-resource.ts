import type { ResourceKey } from '../../contract/contract.ts';
import { findSuccessResponse } from '../../contract/responses.ts';
import { canonicalPath } from '../../http/path.ts';
import { isClientError } from '../../http/status.ts';
import { appendPointer, memberAt, nestMember } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Condition } from '../../policy/behaviour.ts';
import { schemaTypes, valueKey } from '../../schema/walk.ts';
import { describeIdProblem, holdsPlainItems, plainMember, prepareKeyCheck } from '../answer/shown-item.ts';
import { inNextTurn } from '../clock.ts';
import { prepareConditionalRequests } from './conditional-requests.ts';
import { parseStored } from './item-places.ts';
import { type HandlerInput } from './items.ts';
import { prepareMadeValues } from './made-values.ts';
import { createLocator, createResourceWriter, markSample } from './resource-view.ts';
import {
  type MaybePromise,
  type MockResponse,
  policyClause,
  type RequestProblem,
  shorten,
  whenThere,
} from '../message.ts';
import { type StoredResource, type StoreOutcome, toStoreKey } from '../store/store.ts';
import { type OperationHandler, type KeptBody, prepareStoredForm, type ValidRequest } from './stored-form.ts';

interface Creation extends KeptBody {
  readonly request: ValidRequest;
  /** The resource. It has its id as soon as the service generates one. */
  resource: JsonObject;
  /** Whether the body contains an exact number. */
  readonly exact: boolean;
  /** The members that the service generated, except the id. */
  readonly made: JsonObject;
  /** The id; null until the service generates it. */
  key: JsonValue;
  /** Handles the case that another resource has the id. */
  whenTaken: WhenTaken;
}

/** @param present - the text of the resource that has the id */
type WhenTaken = (creation: Creation, present: string) => MaybePromise<MockResponse>;

/**
 * Prepares the creation of a resource. The mock stores it once, under the concrete URL of its collection and its id.
 * The response is the declared success with the members of the resource that it shows.
 *
 * @throws ClocheError SCHEMA_UNUSABLE if a schema cannot be compiled
 */
export function prepareCreate(input: CreateInput): OperationHandler {
  const parts = prepareParts(input);
  const handler = new CreateHandler(parts);
  return parts.afterLoading((request) =>
    request.content.kind === 'skipped'
      ? whenThere(handler.create(request), markSample)
      : handler.create(request),
  );
}

type CreateInput = Omit<HandlerInput<never>, 'kind'> & { readonly key: ResourceKey };

/** Prepares the values that all creates of an operation share. */
function prepareParts(input: CreateInput) {
  const { operation, key, policy, reading, siblings } = input;
  const { kind } = operation;
  const requestPath = kind.kind === 'create' ? kind.request : [];
  const responsePath = kind.kind === 'create' ? kind.response : undefined;
  const keyShown = policy['response-extras'] === 'id' && key.kind === 'client' ? key.property : undefined;
  const writeAnswer = createResourceWriter(operation, reading, { path: responsePath });
  const success = findSuccessResponse(operation);
  const locate = createLocator(operation, success, siblings);
  const declaresLocation = success?.headers.some(({ name }) => name.toLowerCase() === 'location') === true;
  return {
    ...input,
    ...prepareStoredForm(operation, { key, policy, siblings }),
    ...prepareMadeValues(input),
    ...prepareConditionalRequests(input),
    isShowable: prepareKeyCheck(key, input),
    duplicates: policy['duplicate-key'],
    unique: policy['unique-properties'],
    echoes: policy.echo === 'exact',
    kind,
    requestPath,
    writeAnswer,
    keyShown,
    locate,
    declaresLocation,
  };
}

class CreateHandler {
  readonly #parts: ReturnType<typeof prepareParts>;
  #isPlain: boolean | undefined;

  constructor(parts: ReturnType<typeof prepareParts>) {
    this.#parts = parts;
  }

  #answer(creation: Creation, text: string): MockResponse {
    const { request, resource, exact, key: value, undeclared, made } = creation;
    const { echoes, key, keyShown } = this.#parts;
    const further = echoes ? undeclared : undefined;
    let answered = made;
    if (echoes) answered = resource;
    else if (key.kind === 'server') answered = this.#parts.withMadeKey(made, value);
    const extras = keyShown === undefined ? further : { ...further, [keyShown]: value };
    const plain = this.#isPlain === true ? resource[plainMember] : undefined;
    const location = this.#parts.locate?.(request, value);
    const shown = this.#parts.writeAnswer({ resource: answered, exact, extras, plain }, location);
    return this.#parts.tag(shown, text);
  }

  #answerStored(creation: Creation, text: string): MockResponse {
    const { resource: stored, exact } = parseStored(text);
    const { undeclared } = this.#parts.split(stored);
    const resource = omitMembers(stored, undeclared ?? none);
    return this.#answer({ ...creation, resource, undeclared, exact }, text);
  }

  #refuseClaim(claim: string): MockResponse {
    const name = claim.slice(0, claim.indexOf('\0'));
    const reason = `The value of "${shorten(name)}" is taken: another resource has it, and it must be unique`;
    return this.#refuse('duplicate-value', `${reason}.`, () => ({
      pointer: appendPointer('', name),
      reason,
      clause: policyClause('unique-properties', [...this.#parts.unique]),
    }));
  }

  #refuseKey(value: JsonValue): MockResponse {
    const { key, duplicates } = this.#parts;
    const pointer = key.kind === 'none' ? undefined : appendPointer('', key.property);
    const reason = `${pointer ?? 'the key'} ${shorten(stringifyJson(value))} is taken: a resource with it exists already`;
    return this.#refuse('duplicate-key', `${reason}.`, () => ({
      pointer,
      reason,
      clause: policyClause('duplicate-key', duplicates),
    }));
  }

  #refuseBody(property: string, problem: string): MockResponse {
    const pointer = appendPointer('', property);
    const reason = `${pointer} ${problem}`;
    return this.#refuse('invalid-body', `The body is not valid: ${reason}.`, () => ({ pointer, reason }));
  }

  #refuse(condition: Condition, message: string, describe: () => RequestProblem): MockResponse {
    return this.#parts.refuse({ condition, message, problems: () => [describe()] });
  }

  #settle(creation: Creation, { text }: StoredResource, outcome: StoreOutcome): MaybePromise<MockResponse> {
    switch (outcome.kind) {
      case 'stored':
        return inNextTurn(text.length, () => this.#answer(creation, text));
      case 'claim-taken':
        return this.#refuseClaim(outcome.claim);
      case 'key-taken':
        return creation.whenTaken(creation, outcome.text);
      case 'parent-missing':
        // The store reports it only for a creation that has parents.
        return this.#parts.parent?.refuse(creation.request.path) ?? this.#sample(creation.request);
    }
  }

  readonly #settleTaken: WhenTaken = (creation, present) => {
    switch (this.#parts.duplicates) {
      case 'replace': {
        const stored = this.#parts.toStored(creation, toStoreKey(creation.key));
        const settle = (outcome: StoreOutcome) => this.#settle(creation, stored, outcome);
        return whenThere(this.#parts.store.replace(stored), settle);
      }
      case 'keep-first':
        return this.#answerStored(creation, present);
      case 'accept':
        return this.#insertBeside(creation, present);
      case 'refuse':
      case 'conflict':
      case 'unprocessable':
        return this.#refuseKey(creation.key);
    }
  };

  /** Stores a resource beside the one with the same id, under a number that imported data may have. */
  readonly #insertBeside: WhenTaken = (creation) => {
    creation.whenTaken = this.#insertBeside;
    return whenThere(this.#parts.store.nextNumber(creation.collection), (number) =>
      this.#insert(creation, `${valueKey(creation.key)} ${number}`),
    );
  };

  #insert(creation: Creation, storeKey = toStoreKey(creation.key)): MaybePromise<MockResponse> {
    const stored = this.#parts.toStored(creation, storeKey);
    return whenThere(this.#parts.store.insertIfAbsent(stored), (outcome) =>
      this.#settle(creation, stored, outcome),
    );
  }

  /** Stores a resource under the next id that the service generates. Ids that already exist are skipped. */
  readonly #insertMade: WhenTaken = (creation) => {
    let number = this.#parts.store.nextNumber(creation.collection);
    // Initial data may contain thousands of consecutive ids: a recursive call for each would be too deep.
    while (!(number instanceof Promise)) {
      this.#giveKey(creation, number);
      const stored = this.#parts.toStored(creation, toStoreKey(creation.key));
      const outcome = this.#parts.store.insertIfAbsent(stored);
      if (outcome instanceof Promise) return outcome.then((later) => this.#settle(creation, stored, later));
      if (outcome.kind !== 'key-taken') return this.#settle(creation, stored, outcome);
      number = this.#parts.store.nextNumber(creation.collection);
    }
    return number.then((later) => {
      this.#giveKey(creation, later);
      return this.#insert(creation, toStoreKey(creation.key));
    });
  };

  /** Sets the id of a new item. The service generates it from a number; it replaces an earlier id. */
  #giveKey(creation: Creation, number: number): void {
    creation.key = this.#parts.makeKey(number);
    creation.resource = this.#parts.withMadeKey(creation.resource, creation.key);
  }

  /** Returns a sample response to a request that cannot create an item. */
  #sample(request: ValidRequest): MockResponse {
    const { declaresLocation, locate, makeKey } = this.#parts;
    const place = declaresLocation ? locate?.(request, makeKey(1)) : undefined;
    return markSample(this.#parts.writeAnswer({ resource: {}, exact: false, extras: undefined }, place));
  }

  /** Creates an item for each object of a list, up to the first refusal. The response is that of the last one. */
  #createEach(
    request: ValidRequest,
    content: Extract<ValidRequest['content'], { kind: 'value' }>,
    items: readonly JsonObject[],
  ): MaybePromise<MockResponse> {
    const { requestPath } = this.#parts;
    let answer: MaybePromise<MockResponse> = this.#sample(request);
    for (const item of items) {
      const value = nestMember({}, requestPath, item);
      const own = { ...request, content: { ...content, text: undefined, value } };
      answer = whenThere(answer, (last) => (isClientError(last.status) ? last : this.create(own)));
    }
    return answer;
  }

  create(request: ValidRequest): MaybePromise<MockResponse> {
    const { content } = request;
    const { kind, key, requestPath, parent, siblings } = this.#parts;
    const isRead = content.kind === 'value';
    if (!isRead && kind.kind !== 'create') return this.#sample(request);
    // Without a body, an item consists of the generated members.
    const sentValue = isRead ? content.value : nestMember({}, requestPath, {});
    const exact = isRead && content.exact;
    // The client may omit an envelope that is not required.
    const item = requestPath.length === 0 ? sentValue : (memberAt(sentValue, requestPath) ?? {});
    this.#isPlain ??= key.kind === 'none' && holdsPlainItems(siblings);
    // A text, for example a file, is not an item, but creates one.
    const isFile = typeof item === 'string' && kind.kind === 'create' && key.kind !== 'client';
    const isItems = Array.isArray(item) && kind.kind === 'create' && item.every(isJsonObject);
    // Only a list that the document declares is one of items.
    if (isRead && isItems && schemaTypes(content.media.schema?.schema ?? true).has('array')) {
      return this.#createEach(request, content, item);
    }
    const whole = isFile ? {} : item;
    const value = this.#isPlain ? { [plainMember]: item } : whole;
    if (!isJsonObject(value)) return this.#sample(request);
    const { resource: sent, undeclared } = this.#parts.split(value);
    const resource = this.#parts.complete(sent, request.path);
    const isCompleted = resource !== sent;
    // Different percent-encodings of a path mean the same collection.
    const collection = canonicalPath(request.path);
    // If the client omits an optional body, the service generates the id.
    const isNamed = key.kind === 'client' && isRead;
    const source = isNamed ? value : resource;
    const named =
      key.kind !== 'none' && Object.hasOwn(source, key.property) ? source[key.property] : undefined;
    const creation: Creation = {
      request,
      collection,
      parents: parent?.placesOf(request.path),
      resource,
      undeclared,
      made: isCompleted && !this.#parts.echoes ? omitMembers(resource, sent) : none,
      text: isNamed && resource === content.value ? content.text : undefined,
      exact: exact || (isCompleted && holdsExactNumber(resource)),
      key: named ?? null,
      whenTaken: isNamed ? this.#settleTaken : this.#insertMade,
    };
    if (!isNamed) {
      // The client chose the id. If it already exists, or no response can show it, the service generates another one.
      const isKept =
        key.kind === 'server' && named !== undefined && named !== null && this.#parts.isShowable(named);
      return isKept ? this.#insert(creation) : this.#insertMade(creation, '');
    }
    if (named === undefined) return this.#refuseBody(key.property, 'is required, but missing');
    const problem =
      kind.kind === 'create' && kind.resource.parameter !== undefined
        ? describeIdProblem(named, collection)
        : undefined;
    if (problem !== undefined) return this.#refuseBody(key.property, problem);
    return this.#insert(creation);
  }
}

const none: JsonObject = {};

/** Returns the members of an object that another object does not have. */
function omitMembers(value: JsonObject, other: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(other, name)));
}
