import type { Operation } from '../contract/operation.ts';
import { matchesMediaRange } from '../http/matches-media-range.ts';
import type { RequestReading } from './request-reading.ts';

interface Item {
  readonly range: string;
  readonly weight: number;
}

/** A media range, with a weight and nothing else behind it (RFC 9110 §12.4.2, §12.5.1). */
const form =
  /^([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/iu;

function readItem(text: string): Item | undefined {
  const [, range, weight = '1'] = form.exec(text) ?? [];
  return range === undefined ? undefined : { range: range.toLowerCase(), weight: Number(weight) };
}

function precision(range: string): number {
  return range === '*/*' ? 0 : range.endsWith('/*') ? 1 : 2;
}

/** The most precise range that speaks of a media type decides (RFC 9110 §12.5.1). */
function allows(items: readonly Item[], mediaType: string): boolean {
  const [best] = items
    .filter(({ range }) => matchesMediaRange(mediaType, range))
    .toSorted((left, right) => precision(right.range) - precision(left.range));
  return best !== undefined && best.weight > 0;
}

/** The media types that a success is declared in; `default` speaks for it where nothing else does. */
function successTypes({ responses }: Operation): readonly string[] {
  const successes = responses.filter(
    ({ status }) =>
      (status.kind === 'exact' && status.status >= 200 && status.status < 300) ||
      (status.kind === 'range' && status.hundreds === 2),
  );
  const speaking =
    successes.length > 0 ? successes : responses.filter(({ status }) => status.kind === 'default');
  return speaking.flatMap(({ media }) =>
    media.map(({ range }) => range.split(';', 1)[0]?.trim().toLowerCase() ?? ''),
  );
}

/**
 * Whether the declared success can meet an Accept field (RFC 9110 §12.5.1). An empty one, and one with
 * anything in it but media ranges and their weights, is contested unless it is met all the same.
 *
 * @param accept - undefined where there is no such field
 */
export function readAccept(accept: string | undefined, operation: Operation): RequestReading['accept'] {
  if (accept === undefined) {
    return 'met';
  }
  const types = successTypes(operation);
  if (types.length === 0) {
    return 'met';
  }
  const texts = accept.split(',').flatMap((text) => (text.trim() === '' ? [] : [text.trim()]));
  const items = texts.flatMap((text) => readItem(text) ?? []);
  if (types.some((type) => type.includes('*') || allows(items, type))) {
    return items.length === texts.length ? 'met' : 'contested';
  }
  return items.length === texts.length && items.length > 0 ? 'unmet' : 'contested';
}
