import type { ResourceKey } from '../../contract/contract.ts';
import { findSuccessResponse } from '../../contract/responses.ts';
import { canonicalPath } from '../../http/path.ts';
import { appendPointer, memberAt, nestMember } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { valueKey } from '../../schema/walk.ts';
import { describeIdProblem, holdsPlainItems, plainMember, prepareKeyCheck } from '../answer/shown-item.ts';
import { inNextTurn } from '../clock.ts';
import { prepareConditionalRequests } from './conditional-requests.ts';
import { type HandlerInput, parseStored } from './items.ts';
import { prepareMadeValues } from './made-values.ts';
import { createLocator, createResourceWriter, markSample } from './resource-view.ts';
import { type MaybePromise, type MockResponse, policyClause, shorten, whenThere } from '../message.ts';
import { type StoredResource, type StoreOutcome, toStoreKey } from '../store/store.ts';
import { type OperationHandler, type KeptBody, prepareStoredForm, type ValidRequest } from './stored-form.ts';

interface Creation extends KeptBody {
  readonly request: ValidRequest;
  /** With the id that the service makes, as soon as it is made. */
  resource: JsonObject;
  /** Whether an exact number is among what was sent. */
  readonly exact: boolean;
  /** What of it the service made, besides the key. */
  readonly made: JsonObject;
  /** The id; null until the service makes it. */
  key: JsonValue;
}

/**
 * Prepares the create of a resource: it is kept under the concrete URL of its collection and its key, once,
 * and the answer is the declared success with what it shows of the resource.
 *
 * @throws ClocheError SCHEMA_UNUSABLE where a schema cannot be compiled
 */
export function prepareCreate(
  input: Omit<HandlerInput<never>, 'kind'> & { readonly key: ResourceKey },
): OperationHandler {
  const { operation, key, policy, reading, store, refuse, parent } = input;
  const { kind } = operation;
  const requestPath = kind.kind === 'create' ? kind.request : [];
  const responsePath = kind.kind === 'create' ? kind.response : undefined;
  const { split, makeKey, withMadeKey, toStored } = prepareStoredForm(operation, key, policy, input.siblings);
  const duplicates = policy['duplicate-key'];
  const unique = policy['unique-properties'];
  const echoes = policy.echo === 'exact';
  const showsKey = policy['response-extras'] === 'id' && key.kind === 'client';
  const writeAnswer = createResourceWriter(operation, reading, responsePath);
  const success = findSuccessResponse(operation);
  const locate = createLocator(operation, success, input.siblings);
  const declaresLocation = success?.headers.some(({ name }) => name.toLowerCase() === 'location') === true;
  const { complete, afterLoading } = prepareMadeValues(input);
  const { tag } = prepareConditionalRequests(input);
  const isShowable = prepareKeyCheck(key, input);
  let isPlain: boolean | undefined;

  function answer(creation: Creation, text: string): MockResponse {
    const { request, resource, exact, key: value, undeclared, made } = creation;
    const further = echoes ? undeclared : undefined;
    const shown = writeAnswer(
      {
        resource: echoes ? resource : key.kind === 'server' ? withMadeKey(made, value) : made,
        exact,
        extras: showsKey ? { ...further, [key.property]: value } : further,
        plain: isPlain === true ? resource[plainMember] : undefined,
      },
      locate?.(request, value),
    );
    return tag(shown, text);
  }

  function answerStored(creation: Creation, text: string): MockResponse {
    const { resource: stored, exact } = parseStored(text);
    const { undeclared } = split(stored);
    const resource = omitMembers(stored, undeclared ?? none);
    return answer({ ...creation, resource, undeclared, exact }, text);
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

  function refuseBody(property: string, problem: string): MockResponse {
    const pointer = appendPointer('', property);
    const reason = `${pointer} ${problem}`;
    const message = `The body is not valid: ${reason}.`;
    return refuse({ condition: 'invalid-body', message, problems: () => [{ pointer, reason }] });
  }

  /** @param whenTaken - is given the text of the resource that has the key already */
  function settle(
    creation: Creation,
    { text }: StoredResource,
    outcome: StoreOutcome,
    whenTaken: (creation: Creation, present: string) => MaybePromise<MockResponse>,
  ): MaybePromise<MockResponse> {
    switch (outcome.kind) {
      case 'stored':
        return inNextTurn(text.length, () => answer(creation, text));
      case 'claim-taken':
        return refuseClaim(outcome.claim);
      case 'key-taken':
        return whenTaken(creation, outcome.text);
      case 'parent-missing':
        // The store reports it only of a creation that has parents.
        return parent?.refuse(creation.request.path) ?? sample(creation.request);
    }
  }

  function settleTaken(creation: Creation, present: string): MaybePromise<MockResponse> {
    switch (duplicates) {
      case 'replace': {
        const stored = toStored(creation, toStoreKey(creation.key));
        return whenThere(store.replace(stored), (outcome) => settle(creation, stored, outcome, settleTaken));
      }
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
      insert(creation, `${valueKey(creation.key)} ${number}`, insertBeside),
    );
  }

  function insert(
    creation: Creation,
    storeKey = toStoreKey(creation.key),
    whenTaken: typeof settleTaken = settleTaken,
  ): MaybePromise<MockResponse> {
    const stored = toStored(creation, storeKey);
    const outcome = store.insertIfAbsent(stored);
    return outcome instanceof Promise
      ? outcome.then((later) => settle(creation, stored, later, whenTaken))
      : settle(creation, stored, outcome, whenTaken);
  }

  /** Keeps a resource under the next key that the service makes. One that is taken all the same is passed over. */
  function insertMade(creation: Creation): MaybePromise<MockResponse> {
    let number = store.nextNumber(creation.collection);
    // Data to start from may hold thousands of keys in a row: a call for each would be too deep.
    while (!(number instanceof Promise)) {
      giveKey(creation, number);
      const stored = toStored(creation, toStoreKey(creation.key));
      const outcome = store.insertIfAbsent(stored);
      if (outcome instanceof Promise) {
        return outcome.then((later) => settle(creation, stored, later, insertMade));
      }
      if (outcome.kind !== 'key-taken') return settle(creation, stored, outcome, insertMade);
      number = store.nextNumber(creation.collection);
    }
    return number.then((later) => {
      giveKey(creation, later);
      return insert(creation, toStoreKey(creation.key), insertMade);
    });
  }

  /** Gives a new item the id that the service makes from a number; another one than before, if it had one. */
  function giveKey(creation: Creation, number: number): void {
    creation.key = makeKey(number);
    creation.resource = withMadeKey(creation.resource, creation.key);
  }

  /** What answers a request of which nothing can be kept. */
  function sample(request: ValidRequest): MockResponse {
    const place = declaresLocation ? locate?.(request, makeKey(1)) : undefined;
    return markSample(writeAnswer({ resource: {}, exact: false, extras: undefined }, place));
  }

  function create(request: ValidRequest): MaybePromise<MockResponse> {
    const { content } = request;
    const isRead = content.kind === 'value';
    if (!isRead && kind.kind !== 'create') return sample(request);
    // Without a body an item is made of what the service makes.
    const sentValue = isRead ? content.value : nestMember({}, requestPath, {});
    const exact = isRead && content.exact;
    // An envelope that is not required may be left out.
    const item = requestPath.length === 0 ? sentValue : (memberAt(sentValue, requestPath) ?? {});
    isPlain ??= key.kind === 'none' && holdsPlainItems(input.siblings);
    // A text, as of a file, is no item, and makes one all the same.
    const isFile = typeof item === 'string' && kind.kind === 'create' && key.kind !== 'client';
    const value = isPlain ? { [plainMember]: item } : isFile ? {} : item;
    if (!isJsonObject(value)) return sample(request);
    const { resource: sent, undeclared } = split(value);
    const resource = complete(sent, request.path);
    const isCompleted = resource !== sent;
    // However a path is percent-encoded, it is the same place.
    const collection = canonicalPath(request.path);
    // A client that may leave the body out leaves the id to the service with it.
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
      made: isCompleted && !echoes ? omitMembers(resource, sent) : none,
      text: isNamed && resource === content.value ? content.text : undefined,
      exact: exact || (isCompleted && holdsExactNumber(resource)),
      key: named ?? null,
    };
    if (!isNamed) {
      // The client may name the id, and did. If it exists already, or no response can show it, the service makes another one.
      const isKept = key.kind === 'server' && named !== undefined && named !== null && isShowable(named);
      return isKept ? insert(creation, toStoreKey(named), insertMade) : insertMade(creation);
    }
    if (named === undefined) return refuseBody(key.property, 'is required, but missing');
    const problem =
      kind.kind === 'create' && kind.resource.parameter !== undefined
        ? describeIdProblem(named, collection)
        : undefined;
    if (problem !== undefined) return refuseBody(key.property, problem);
    return insert(creation);
  }

  return afterLoading((request) =>
    request.content.kind === 'unread' ? whenThere(create(request), markSample) : create(request),
  );
}

const none: JsonObject = {};

/** The members of an object that another one does not have. */
function omitMembers(value: JsonObject, other: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(other, name)));
}
