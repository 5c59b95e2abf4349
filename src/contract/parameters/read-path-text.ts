import type { JsonValue } from '../../json/json-value.ts';
import type { Parameter } from '../parameter.ts';
import { decodePathText } from './decode-path-text.ts';
import type { ParameterShape } from './parameter-shape.ts';
import { readDelimited } from './read-delimited.ts';

type Style = Pick<Parameter, 'name' | 'style' | 'explode'>;

/** Takes the prefix off, and in the matrix style the name at each value: `;id=1;id=2` is `1;2`. */
function toBareText(text: string, { name, style, explode }: Style, kind: ParameterShape['kind']): string {
  if (style === 'label') {
    return text.replace(/^\./u, '');
  }
  if (style !== 'matrix') {
    return text;
  }
  const parts = text.replace(/^;/u, '').split(';');
  if (kind === 'object' && explode) {
    return parts.join(';');
  }
  const withoutName = (part: string): string =>
    part.startsWith(`${name}=`) ? part.slice(name.length + 1) : part === name ? '' : part;
  return parts.map(withoutName).join(';');
}

/**
 * The value of a path parameter, by its style (OpenAPI 3.1 §4.8.12.3).
 *
 * @param input.text - the segment, percent-encoded
 */
export function readPathText(input: {
  readonly text: string;
  readonly parameter: Style;
  readonly shape: ParameterShape;
}): JsonValue {
  const { text, parameter, shape } = input;
  const { style, explode } = parameter;
  const exploded = { label: '.', matrix: ';' }[style] ?? ',';
  return readDelimited({
    text: toBareText(text, parameter, shape.kind),
    shape,
    explode,
    delimiter: explode ? exploded : ',',
    decode: decodePathText,
  });
}
