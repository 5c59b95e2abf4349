import type { Operation } from '../../contract/operation.ts';
import type { ResourceKey } from '../../contract/operation-kind.ts';
import { normalizePath } from '../../http/normalize-path.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { Policy } from '../../policy/policy.ts';
import type { SchemaReading } from '../../schema/schema-reading.ts';
import { parseJson } from '../../json/parse-json.ts';
import { setOwn } from '../bodies/set-own.ts';
import type { Refuse } from '../refusals/create-refuser.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';
import type { Store } from '../store/store.ts';
import type { Act } from './act.ts';
import { createAnswerWriter } from './create-answer-writer.ts';
import { createInserter } from './create-inserter.ts';
import type { Creation } from './creation.ts';
import { prepareKeeping } from './prepare-keeping.ts';
import { findSuccessResponse } from './success-response.ts';

/**
 * Prepares the create of a resource: it is kept under the concrete URL of its collection and its key, once,
 * and the answer is the declared success with what it shows of the resource.
 *
 * @param input.key - where the key comes from
 * @throws ClocheError SCHEMA_UNUSABLE where a schema cannot be compiled
 */
export function prepareCreate(input: {
  readonly operation: Operation;
  readonly key: ResourceKey;
  readonly policy: Policy;
  readonly reading: SchemaReading;
  readonly store: Store;
  readonly refuse: Refuse;
}): Act {
  const { operation, key, policy, refuse } = input;
  const keeping = prepareKeeping({ operation, key, policy });
  const { split, makeKey } = keeping;
  const echoes = policy.echo === 'exact';
  const showsKey = policy['response-extras'] === 'id' && key.kind === 'client';
  const writeAnswer = createAnswerWriter(input, findSuccessResponse(operation));

  /** What is left of a resource in an answer that does not echo it. */
  function madeKey(value: JsonValue): JsonObject {
    const shown: JsonObject = {};
    if (key.kind === 'server') {
      setOwn(shown, key.property, value);
    }
    return shown;
  }

  function answer({ request, resource, exact, key: value, undeclared }: Creation): MockAnswer {
    const further = echoes ? undeclared : undefined;
    const extras = showsKey ? { ...further, [key.property]: value } : further;
    return writeAnswer({ request, resource: echoes ? resource : madeKey(value), exact, key: value, extras });
  }

  function answerStored(creation: Creation, text: string): MockAnswer {
    const stored = parseJson(text);
    // What is stored is an object that was valid once.
    const isObject = stored.kind === 'json' && isJsonObject(stored.value);
    return answer(isObject ? { ...creation, ...split(stored.value), exact: stored.exact } : creation);
  }

  const { insert, insertMade } = createInserter({ ...input, keeping, answer, answerStored });

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
