import type { PlainBody } from '../../arbitrary/plain-body.ts';
import { type ValuePlace, valuePlaces } from '../../arbitrary/value-places.ts';
import type { Boundary } from '../../check/boundary.ts';
import type { Judged } from '../../check/judged.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { runSideBySide } from '../run-side-by-side.ts';
import { explorePlace, type RefusedValue } from './explore-place.ts';
import { findBodySizeBoundary } from './find-body-size-boundary.ts';
import { placePattern } from './place-pattern.ts';
import type { Prober } from './prober.ts';

/** More than any key and any change of a text's own notation adds to a body. */
const spareBytes = 64;

/** The most places of a plain body that are looked at, where nothing says which of them it is refused for. */
const mostPlainPlaces = 20;

/** More than limits of lists usually allow, and of texts. */
const manyItems = 1_001;

/** The places of a body whose values may be what it is refused for: those that are odd, or any of a plain one. */
function suspiciousPlaces({ request: { body } }: Judged, plain: PlainBody): readonly ValuePlace[] {
  if (body.kind !== 'valid' || body.grade.kind === 'contested') {
    return [];
  }
  const places = valuePlaces(body.value);
  if (body.grade.kind === 'extreme') {
    const odd = new Set(body.grade.oddities.map(({ place }) => place));
    return places.filter(({ at }) => at !== '' && odd.has(at));
  }
  // What refuses plain bodies hides what else is refused, so that more than their own values are to be tried.
  const others = valuePlaces(plain.fullest).flatMap(({ at, value }) =>
    extremesOf(value).map((extreme) => ({ at, value: extreme })),
  );
  return [...places.slice(0, mostPlainPlaces), ...others.slice(0, 2 * mostPlainPlaces)].filter(
    ({ at }) => at !== '' && at !== plain.key?.pointer,
  );
}

function extremesOf(value: JsonValue): readonly JsonValue[] {
  if (typeof value === 'string') {
    return ['', 'a'.repeat(manyItems)];
  }
  return Array.isArray(value) ? [[], Array.from({ length: manyItems }, () => null)] : [];
}

/** The suspicious values of the bodies that were refused, by place; those in a list as those in its first item. */
function groupByPlace(
  refused: readonly Judged[],
  plain: PlainBody,
): ReadonlyMap<string, readonly RefusedValue[]> {
  const groups = new Map<string, RefusedValue[]>();
  for (const judged of refused) {
    for (const { at, value } of suspiciousPlaces(judged, plain)) {
      const place = placePattern(at);
      groups.set(place, [...(groups.get(place) ?? []), { value, judged }]);
    }
  }
  return groups;
}

/**
 * Finds the limits that one operation holds to, besides those of the document.
 *
 * @param input.refused - valid bodies that it refused
 * @param input.atOnce - how many places may be explored together
 */
export async function exploreOperation(input: {
  readonly prober: Prober;
  readonly refused: readonly Judged[];
  readonly atOnce: number;
}): Promise<readonly Boundary[]> {
  const { prober, refused, atOnce } = input;
  const { smallest, fullest } = prober.body;
  const plain = new Map<string, ValuePlace>();
  for (const place of [...valuePlaces(fullest), ...valuePlaces(smallest)]) {
    plain.set(placePattern(place.at), plain.get(placePattern(place.at)) ?? place);
  }
  const size = await findBodySizeBoundary(
    prober,
    Math.max(...refused.map(({ request }) => request.bodyBytes)),
  );
  const plainBytes = stringifyJson(fullest).length + spareBytes;
  const mostBytes = size?.what === 'body-size' ? size.accepted - plainBytes : Number.MAX_SAFE_INTEGER;
  const found: { readonly place: string; readonly boundaries: readonly Boundary[] }[] = [];
  const groups = [...groupByPlace(refused, prober.body)];
  await runSideBySide({
    tasks: groups,
    atOnce,
    isStopped: () => false,
    async run([pattern, values]) {
      const known = plain.get(pattern);
      const place = known?.at ?? pattern.replaceAll('/*', '/0');
      const boundaries = await explorePlace({
        prober,
        place,
        refused: values,
        plain: known?.value,
        mostBytes,
      });
      found.push({ place: pattern, boundaries });
    },
  });
  const inOrder = groups.flatMap(([pattern]) =>
    found
      .filter(({ place }) => place === pattern)
      .flatMap(({ boundaries }) => boundaries.map((boundary): Boundary => withPlace(boundary, pattern))),
  );
  return size === undefined ? inOrder : [size, ...inOrder];
}

function withPlace(boundary: Boundary, place: string): Boundary {
  return boundary.what === 'body-size' ? boundary : { ...boundary, place };
}
