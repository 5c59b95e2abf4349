import type { Operation, Resource } from '../../contract/contract.ts';
import { findSuccessResponse, statusOf } from '../../contract/responses.ts';
import { findFileRead, isFile, readsFile, readsObject } from '../../contract/sample-reads.ts';
import { latin1Text, textBytes } from '../../http/bytes.ts';
import { findMedia, parseMediaType } from '../../http/media-type.ts';
import { toFieldValue } from '../../http/message.ts';
import { parseMultipart } from '../../http/multipart.ts';
import { canonicalPath } from '../../http/path.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import type { ValidationMode } from '../../schema/compile.ts';
import { listSentMedia, sampleHeaders } from '../answer/representation.ts';
import { keyOfBodies } from '../log/touched-item.ts';
import { type MockResponse, whenThere } from '../message.ts';
import type { Store } from '../store/store.ts';
import type { HandlerStep } from './handler-step.ts';
import { parseStored, singletonKey } from './item-places.ts';
import { createResourceWriter, toSegment } from './resource-view.ts';
import type { ValidRequest } from './stored-form.ts';

/** A GET with a sample response, converted to the read of a singleton. */
interface SampleSingleton {
  readonly resource: Resource;
  readonly operations: readonly [Operation];
  /** Whether a file is stored instead of a JSON object. */
  readonly isFile: boolean;
}

/**
 * Returns a GET with a sample response as the read of a singleton. Imported data replaces the JSON object of the
 * sample; an upload sets the file. Returns undefined for any other operation.
 */
export function toSingleton(
  operation: Operation,
  operations: readonly Operation[],
): SampleSingleton | undefined {
  const { kind, path } = operation;
  const isOfFile = readsFile(operation, operations);
  if (kind.kind !== 'sample' || !(isOfFile || readsObject(operation))) return undefined;
  const resource: Resource = {
    name: path.template,
    kind: 'singleton',
    collection: path.template,
    parameter: undefined,
    key: { kind: 'none', evidence: kind.evidence },
    parent: undefined,
    isKept: isOfFile || kind.isFilled === true,
  };
  const response = isOfFile ? undefined : [];
  const read = { ...kind, kind: 'read', resource, certainty: 'declared', response } as const;
  return { operations: [{ ...operation, kind: read }], resource, isFile: isOfFile };
}

/** An uploaded file. */
interface StoredFile {
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** Parses a file in the state: `{ "contentType": "image/png", "base64": "iVBORw0…" }`; undefined for other values. */
export function readFile(value: JsonValue): StoredFile | undefined {
  const { contentType, base64 } = isJsonObject(value) ? value : {};
  if (typeof contentType !== 'string' || parseMediaType(contentType) === undefined) return undefined;
  try {
    return typeof base64 === 'string' ? { contentType, content: textBytes(atob(base64)) } : undefined;
  } catch {
    return undefined;
  }
}

interface Context {
  readonly operation: Operation;
  readonly operations: readonly Operation[];
  readonly store: Store;
  readonly reading: ValidationMode;
}

/** Makes a GET return the stored value of its path, or else its sample. Undefined if it stores nothing. */
export function showStored({ operation, operations, store, reading }: Context): HandlerStep | undefined {
  const singleton = toSingleton(operation, operations);
  if (singleton?.resource.isKept !== true) return undefined;
  const write = singleton.isFile
    ? undefined
    : createResourceWriter(singleton.operations[0], reading, { path: [] });
  const show = write
    ? (text: string) => write({ ...parseStored(text), extras: undefined })
    : createFileWriter(operation);
  return (request, next) =>
    whenThere(
      store.get(canonicalPath(request.path), singletonKey),
      (text) => (text === undefined ? undefined : show(text)) ?? next(request),
    );
}

/** Browsers must not run uploaded pages or pictures as part of the mock: its control interface has the same origin. */
const guards = ['X-Content-Type-Options', 'nosniff', 'Content-Security-Policy', 'sandbox'];

/** Prepares responses with a file, in the uploaded media type if the document declares it. */
function createFileWriter(operation: Operation): (text: string) => MockResponse | undefined {
  const response = findSuccessResponse(operation);
  const media = response?.media ?? [];
  const status = response === undefined ? 200 : statusOf(response);
  const fields = [...sampleHeaders(response?.headers ?? [], ['content-type']), ...guards];
  const [usual] = listSentMedia(media);
  return (text) => {
    const file = readFile(parseStored(text).resource);
    if (file === undefined) return undefined;
    const isDeclared = findMedia(media, parseMediaType(file.contentType)) !== undefined;
    const contentType = toFieldValue(isDeclared ? file.contentType : (usual?.contentType ?? ''));
    const headers = ['Content-Type', contentType, ...fields];
    return { status, headers, body: file.content, note: { operation: operation.id } };
  };
}

/** Makes an upload store its file and a DELETE remove it, if the handler succeeded. Undefined if there is no file. */
export function keepFile({ operation, operations, store }: Context): HandlerStep | undefined {
  const read = findFileRead(operation, operations);
  if (read === undefined) return undefined;
  const { kind, method, path: own } = operation;
  const rest = read.path.template.split('/').slice(own.segments.length + 1);

  /** Returns the concrete path of the file; undefined if the response of a create does not identify its item. */
  function findPath(path: string, answer: MockResponse): string | undefined {
    if (rest.length === 0 || kind.kind !== 'create') return canonicalPath(path);
    const item = keyOfBodies(kind, { content: undefined, answer });
    return item && [canonicalPath(path), toSegment(item), ...rest.slice(1)].join('/');
  }

  return (request, next) =>
    whenThere(next(request), (answer) => {
      const collection = answer.status < 300 ? findPath(request.path, answer) : undefined;
      const file = method === 'DELETE' ? undefined : findFile(request, operation);
      if (collection === undefined || (file === undefined && method !== 'DELETE')) return answer;
      const text =
        file && JSON.stringify({ contentType: file.contentType, base64: btoa(latin1Text(file.content)) });
      const kept =
        text === undefined
          ? store.delete(collection, singletonKey)
          : store.replace({ collection, key: singletonKey, text, claims: [] });
      return whenThere<unknown, MockResponse>(kept, () => answer);
    });
}

/** Finds the file in a request: the body, or the first part of a form that has a file name. */
function findFile(
  { head, bytes = empty, content }: ValidRequest,
  operation: Operation,
): StoredFile | undefined {
  const contentType = head.header('content-type') ?? '';
  const type = parseMediaType(contentType);
  if (type?.essence === 'multipart/form-data') {
    const parts = parseMultipart(bytes, type.parameters.get('boundary'), mostParts);
    const part = typeof parts === 'string' ? undefined : parts.find((each) => each.isFile);
    return part && { contentType: part.contentType ?? 'application/octet-stream', content: part.content };
  }
  // Content with a content coding is not the file.
  const isPlain = content.kind !== 'value' && head.header('content-encoding') === undefined;
  const media = isPlain && type !== undefined ? findMedia(operation.requestBody?.media, type) : undefined;
  return media !== undefined && isFile(media) ? { contentType, content: bytes } : undefined;
}

const empty = new Uint8Array(0);
const mostParts = 10_000;
