/** Returns a media type in lower case, without parameters. */
export function essenceOf(mediaType: string): string {
  return mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * Returns whether a media type, in lower case, without parameters, is JSON: `application/json`, `text/json`, or with
 * the `+json` suffix (RFC 6839 §3.1).
 */
export function isJsonMediaType(essence: string): boolean {
  return essence === 'application/json' || essence === 'text/json' || essence.endsWith('+json');
}

/**
 * Returns whether a media type, in lower case, without parameters, matches a range as written in the document:
 * `application/json`, `text/*`, any.
 */
export function matchesMediaRange(essence: string, range: string): boolean {
  if (range === essence) return true;
  const wanted = essenceOf(range);
  if (wanted === '*/*' || wanted === essence) return true;
  return wanted.endsWith('/*') && essence.startsWith(wanted.slice(0, -1));
}

/** A media type (RFC 9110 §8.3.1), with names in lower case. */
interface MediaType {
  /** `application/json` */
  readonly essence: string;
  /** Values keep their case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Parameters about the notation of content, not about its meaning. */
const ofNotation = new Set(['boundary', 'charset', 'q']);

/**
 * Returns the number of parameters that a media type shares with a range, minus a little for each that only the range
 * has; -Infinity if they have different values for a parameter.
 */
function compareParameters({ parameters }: MediaType, range: string): number {
  let score = 0;
  for (const [name, value] of parseMediaType(range)?.parameters ?? []) {
    if (ofNotation.has(name)) continue;
    const other = parameters.get(name);
    if (other !== undefined && other !== value) return -Infinity;
    score += other === undefined ? -0.001 : 1;
  }
  return score;
}

const bytes: MediaType = { essence: 'application/octet-stream', parameters: new Map() };

/** Finds the declared media type of a message, by the best match of parameters (OpenAPI 3.0.3 §4.7.13). */
export function findMedia<Declared extends { readonly range: string }>(
  declared: readonly Declared[] = [],
  type: MediaType = bytes,
): Declared | undefined {
  const falls = ({ range }: Declared): boolean => matchesMediaRange(type.essence, range);
  if (!declared.some(({ range }) => range.includes(';'))) return declared.find(falls);
  const [best] = declared
    .filter(falls)
    .map((media) => ({ media, score: compareParameters(type, media.range) }))
    .toSorted((left, right) => right.score - left.score);
  return best === undefined || best.score === -Infinity ? undefined : best.media;
}

/** Returns the precision of a range; the most precise one decides (RFC 9110 §12.5.1, OpenAPI 3.1 §4.8.13). */
function precision(range: string): number {
  if (range.startsWith('*/')) return 0;
  return /^[^;]*\*/u.test(range) ? 1 : 2;
}

/** Returns the weight of a media type in an Accept field, from 0 to 1 (RFC 9110 §12.5.1). */
export function weighMedia(
  ranges: readonly { readonly range: string; readonly weight: number }[],
  contentType: string,
): number {
  const type = parseMediaType(contentType) ?? bytes;
  const [best] = ranges
    .filter(({ range }) => matchesMediaRange(type.essence, range))
    .map(({ range, weight }) => ({ range: range.trim(), weight, score: compareParameters(type, range) }))
    .filter(({ score }) => score > -Infinity)
    .toSorted((one, two) => precision(two.range) - precision(one.range) || two.score - one.score);
  return best?.weight ?? 0;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const typePattern = new RegExp(`^[ \\t]*(${token}/${token})[ \\t]*(?=;|$)`, 'u');
const parameterPattern = new RegExp(
  `;[ \\t]*(?:(${token})=(${token}|"(?:[^"\\\\]|\\\\.)*"))?[ \\t]*(?=;|$)`,
  'uy',
);

/** A cache of parsed values: nearly every message has the same ones. */
const known = new Map<string, MediaType | undefined>();
/** The maximum size of the cache, because values come from outside. */
const mostKnown = 100;

/** Parses a Content-Type field; undefined for an invalid media type (RFC 9110 §8.3.1). */
export function parseMediaType(value: string): MediaType | undefined {
  if (known.has(value)) return known.get(value);
  const mediaType = readMediaType(value);
  if (known.size >= mostKnown) {
    known.clear();
  }
  known.set(value, mediaType);
  return mediaType;
}

function readMediaType(value: string): MediaType | undefined {
  const essence = typePattern.exec(value);
  if (essence?.[1] === undefined) return undefined;
  const parameters = new Map<string, string>();
  parameterPattern.lastIndex = essence[0].length;
  while (parameterPattern.lastIndex < value.length) {
    const parameter = parameterPattern.exec(value);
    if (parameter === null) return undefined;
    const [, name, text] = parameter;
    if (name !== undefined && text !== undefined && !parameters.has(name.toLowerCase())) {
      parameters.set(
        name.toLowerCase(),
        text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/gu, '$1') : text,
      );
    }
  }
  return { essence: essence[1].toLowerCase(), parameters };
}
