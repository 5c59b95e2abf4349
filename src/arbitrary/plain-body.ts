import type { Arbitrary } from 'fast-check';
import type { Operation } from '../contract/operation.ts';
import type { MediaTypeContract } from '../contract/media-type-contract.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { CompiledSchema } from '../schema/compile-schema.ts';
import { type BodyKey, bodyKey } from './body-key.ts';
import { plainValues } from './plain-values.ts';

/** The bodies that anybody would send to an operation; every generator of bodies starts from them. */
export interface PlainBody {
  /** The value of Content-Type. */
  readonly contentType: string;
  readonly schema: CompiledSchema | undefined;
  /** Optional properties are left out. A key of the plain class stands for the key. */
  readonly smallest: JsonValue;
  /** Optional properties are there. */
  readonly fullest: JsonValue;
  readonly arbitrary: Arbitrary<JsonValue>;
  readonly key: BodyKey | undefined;
}

/** What is known of the bodies of an operation. */
export type PlainBodyResult =
  | { readonly kind: 'body'; readonly body: PlainBody }
  /** The operation takes none. */
  | { readonly kind: 'none' }
  /** It takes one, and none can be made. */
  | { readonly kind: 'unavailable'; readonly reason: string };

function concreteType({ range }: MediaTypeContract): string {
  const isRange = range.startsWith('*/*') || range.toLowerCase().startsWith('application/*');
  return isRange ? 'application/json' : range;
}

/** The plain bodies of an operation, or why there are none. */
export function plainBody(operation: Operation): PlainBodyResult {
  const { requestBody, kind } = operation;
  if (requestBody === undefined || requestBody.media.length === 0) {
    return { kind: 'none' };
  }
  const media =
    requestBody.media.find((one) => one.isJson) ??
    requestBody.media.find((one) => concreteType(one) !== one.range);
  if (media === undefined) {
    const declared = requestBody.media.map(({ range }) => range).join(', ');
    return { kind: 'unavailable', reason: `its body is not JSON, but ${declared}` };
  }
  const { schema } = media;
  const values = plainValues(schema, media.examples);
  if (values === undefined) {
    return { kind: 'unavailable', reason: 'no value was found that the schema of its body allows' };
  }
  const property = kind.kind === 'create' && kind.key.kind === 'client' ? kind.key.property : undefined;
  const key = property === undefined ? undefined : bodyKey({ schema, property, value: values.smallest });
  const withKey = (value: JsonValue): JsonValue =>
    key === undefined || !isJsonObject(value)
      ? value
      : { ...value, [key.property]: key.classes.get('plain') ?? null };
  const body: PlainBody = {
    contentType: concreteType(media),
    schema,
    smallest: withKey(values.smallest),
    fullest: withKey(values.fullest),
    // A key is never a generated value: it is drawn as the request leaves, and does not shrink.
    arbitrary: values.arbitrary.map(withKey),
    key,
  };
  return { kind: 'body', body };
}
