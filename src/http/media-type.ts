/** A media type (RFC 9110 §8.3.1), its names in lower case. */
export interface MediaType {
  /** `application/json` */
  readonly essence: string;
  /** Values keep their case. */
  readonly parameters: ReadonlyMap<string, string>;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const typePattern = new RegExp(`^[ \\t]*(${token}/${token})[ \\t]*(?=;|$)`, 'u');
const parameterPattern = new RegExp(
  `;[ \\t]*(?:(${token})=(${token}|"(?:[^"\\\\]|\\\\.)*"))?[ \\t]*(?=;|$)`,
  'uy',
);

/**
 * Reads the value of a Content-Type field.
 *
 * @returns undefined where the value is no media type (RFC 9110 §8.3.1)
 */
export function parseMediaType(value: string): MediaType | undefined {
  const essence = typePattern.exec(value);
  if (essence?.[1] === undefined) {
    return undefined;
  }
  const parameters = new Map<string, string>();
  parameterPattern.lastIndex = essence[0].length;
  while (parameterPattern.lastIndex < value.length) {
    const parameter = parameterPattern.exec(value);
    if (parameter === null) {
      return undefined;
    }
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
