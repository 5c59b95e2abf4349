import type { Operation } from '../../contract/operation.ts';
import type { ResourceKey } from '../../contract/operation-kind.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { Policy } from '../../policy/policy.ts';
import { valueKey } from '../../schema/value-key.ts';
import { chooseSentMedia } from '../bodies/sent-media.ts';
import { setOwn } from '../bodies/set-own.ts';
import type { StoredResource, StoreKey } from '../store/store.ts';
import { createBodySplitter, type SplitBody } from './create-body-splitter.ts';
import { createKeyMaker, type MakeKey, makeUuid } from './create-key-maker.ts';
import type { KeptBody } from './kept-body.ts';
import { findSuccessResponse } from './success-response.ts';

/** How the bodies of a create are kept, whether a client sends them or data brings them. */
export interface Keeping {
  readonly key: ResourceKey;
  readonly split: SplitBody;
  /** Makes the keys that the service gives. */
  readonly makeKey: MakeKey;
  /** The resource with a key that was made, where it shows it. */
  readonly withMadeKey: (resource: JsonObject, made: JsonValue) => JsonObject;
  /** The resource on its way into a store. */
  readonly toStored: (body: KeptBody, key: StoreKey) => StoredResource;
}

const noClaims: readonly string[] = [];

/**
 * Prepares the keeping of the bodies of a create, as the document and the policy say.
 *
 * @throws ClocheError SCHEMA_UNUSABLE where the schema of its answer cannot be compiled
 */
export function prepareKeeping(input: {
  readonly operation: Operation;
  readonly key: ResourceKey;
  readonly policy: Policy;
}): Keeping {
  const { operation, key, policy } = input;
  const bodySchema = operation.requestBody?.media.find(({ isJson }) => isJson)?.schema?.schema ?? true;
  const answerSchema = chooseSentMedia(findSuccessResponse(operation)?.media ?? [])?.media.schema;
  const unique = policy['unique-properties'];

  /** The texts that no two resources may share: a name, a NUL and the value. */
  function claimsOf(resource: JsonObject): readonly string[] {
    return unique.flatMap((name) => {
      const value = Object.hasOwn(resource, name) ? resource[name] : undefined;
      return value === undefined ? [] : [`${name}\0${valueKey(value)}`];
    });
  }

  const splitAll = createBodySplitter(bodySchema, policy['undeclared-properties'] === 'store');

  /** A client has no say in a key that the service gives. */
  function splitUnkeyed(body: JsonObject, property: string): ReturnType<SplitBody> {
    const { resource, undeclared } = splitAll(body);
    if (undeclared === undefined || !Object.hasOwn(undeclared, property)) {
      return { resource, undeclared };
    }
    const { [property]: _own, ...others } = undeclared;
    return { resource, undeclared: others };
  }

  return {
    key,
    split: key.kind === 'server' ? (body) => splitUnkeyed(body, key.property) : splitAll,
    makeKey: key.kind === 'server' ? createKeyMaker(key.property, answerSchema) : makeUuid,
    withMadeKey(resource, made) {
      const shown = { ...resource };
      if (key.kind === 'server') {
        setOwn(shown, key.property, made);
      }
      return shown;
    },
    toStored: ({ collection, resource, undeclared, text }, storeKey) => ({
      collection,
      key: storeKey,
      text: text ?? stringifyJson({ ...resource, ...undeclared }),
      claims: unique.length === 0 ? noClaims : claimsOf(resource),
    }),
  };
}
