import { listPathOperations } from '../document/path-operations.ts';
import { resolveObject } from '../document/references.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import type { OutgoingRequest, RequestBody } from './contract.ts';

type ReadBody = (operation: JsonPointer) => RequestBody | undefined;

/** Returns the member that lists the callbacks of an operation; undefined if it declares none. Lists them on first use. */
export function readCallbacks(
  root: JsonObject,
  { pointer, value }: { readonly pointer: JsonPointer; readonly value: JsonObject },
  readBody: ReadBody,
): (() => readonly OutgoingRequest[]) | undefined {
  const { callbacks } = value;
  if (!isJsonObject(callbacks) || Object.keys(callbacks).length === 0) return undefined;
  return once(() =>
    Object.keys(callbacks).flatMap((name) => {
      // A key of a Callback Object is the URL of its requests (OpenAPI 3.1 §4.8.18).
      const callback = resolveObject(root, appendPointer(pointer, 'callbacks', name));
      const urls = Object.keys(callback?.value ?? {}).filter((key) => !key.startsWith('x-'));
      return urls.flatMap((url) =>
        readPathItem(root, appendPointer(callback?.pointer ?? pointer, url), readBody).map((request) => ({
          ...request,
          name,
          url,
        })),
      );
    }),
  );
}

/** Returns the member that lists the webhooks of a document (OpenAPI 3.1 §4.8.1); undefined if it declares none. */
export function readWebhooks(
  root: JsonObject,
  readBody: ReadBody,
): (() => readonly OutgoingRequest[]) | undefined {
  const { webhooks } = root;
  if (!isJsonObject(webhooks) || Object.keys(webhooks).length === 0) return undefined;
  return once(() =>
    Object.keys(webhooks).flatMap((name) =>
      readPathItem(root, appendPointer('/webhooks', name), readBody).map((request) => ({
        ...request,
        name,
      })),
    ),
  );
}

function readPathItem(
  root: JsonObject,
  place: JsonPointer,
  readBody: ReadBody,
): readonly Omit<OutgoingRequest, 'name'>[] {
  const pathItem = resolveObject(root, place);
  if (pathItem === undefined) return [];
  return listPathOperations(pathItem).map(({ method, pointer }) => ({
    method,
    pointer,
    requestBody: readBody(pointer),
    success: readSuccess(root, pointer),
  }));
}

function readSuccess(root: JsonObject, operation: JsonPointer): number {
  const responses = resolveObject(root, appendPointer(operation, 'responses'));
  const status = Object.keys(responses?.value ?? {}).find((key) => /^2(?:\d\d|XX)$/u.test(key));
  return Number((status ?? '200').replace('XX', '00'));
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
