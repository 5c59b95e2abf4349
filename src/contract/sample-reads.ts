import { findResponseMedia, isReadable } from '../http/codecs/registry.ts';
import { matchesMediaRange } from '../http/media-type.ts';
import { isJsonObject } from '../json/value.ts';
import { schemasInPlace, schemaTypes } from '../schema/walk.ts';
import type { MediaTypeContract, Operation } from './contract.ts';
import { withoutNames } from './operation-reading.ts';
import { findSuccessResponse } from './responses.ts';

/** Returns whether content of a media type is a file: bytes, or a text without further description. */
export function isFile(media: MediaTypeContract): boolean {
  const whole = media.schema?.schema ?? true;
  const isBinary =
    isJsonObject(whole) && schemasInPlace(whole, whole).some(({ format }) => format === 'binary');
  return isBinary || (!isReadable(media) && [...schemaTypes(whole)].every((type) => type === 'string'));
}

const isSampleRead = ({ method, kind }: Operation): boolean => method === 'GET' && kind.kind === 'sample';

/** Returns whether an operation is a GET that returns a sample that is a JSON object. */
export function readsObject(operation: Operation): boolean {
  const media = isSampleRead(operation)
    ? findResponseMedia(findSuccessResponse(operation)?.media)
    : undefined;
  const types = schemaTypes(media?.schema?.schema ?? true);
  return media !== undefined && (types.size === 0 || types.has('object'));
}

/** Returns whether an operation accepts a file: as its body, or as a part of a form. */
const acceptsFile = ({ method, requestBody }: Operation): boolean =>
  ['PUT', 'POST', 'PATCH'].includes(method) &&
  requestBody?.media.some((each) => isFile(each) || matchesMediaRange('multipart/form-data', each.range)) ===
    true;

/** Returns whether an operation has the path of a GET or creates its item: `/files/{id}`, `/files/{id}/content`. */
function reaches({ method, path, kind }: Operation, read: Operation): boolean {
  const own = withoutNames(path.template);
  const other = withoutNames(read.path.template);
  if (own === other || method !== 'POST' || kind.kind !== 'create') return own === other;
  return other.startsWith(`${own}/{}`) && /^(?:\/[^/{}]+)?$/u.test(other.slice(own.length + 3));
}

/** Returns whether an operation is a GET that returns a sample of a file that another operation uploads. */
export function readsFile(read: Operation, operations: readonly Operation[]): boolean {
  const media = isSampleRead(read) ? (findSuccessResponse(read)?.media ?? []) : [];
  const own = withoutNames(read.path.template);
  return (
    media.length > 0 &&
    media.every(isFile) &&
    operations.some((each) => acceptsFile(each) && reaches(each, read)) &&
    operations.every(({ kind }) => kind.kind === 'sample' || withoutNames(kind.resource.collection) !== own)
  );
}

/** Finds the GET of the file that an operation uploads or deletes. If there are several, the shortest path wins. */
export function findFileRead(operation: Operation, operations: readonly Operation[]): Operation | undefined {
  if (operation.method !== 'DELETE' && !acceptsFile(operation)) return undefined;
  return operations
    .filter((read) => read.method === 'GET' && reaches(operation, read) && readsFile(read, operations))
    .toSorted((left, right) => left.path.segments.length - right.path.segments.length)[0];
}
