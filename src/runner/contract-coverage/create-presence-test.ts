import type { Parameter } from '../../contract/parameter.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import { firstValue } from './first-value.ts';

/** Prepares to say whether a request has a parameter, without reading its value. */
export function createPresenceTest({
  name,
  in: place,
}: Pick<Parameter, 'name' | 'in'>): (request: HttpRequest) => boolean {
  const encoded = encodeURIComponent(name);
  switch (place) {
    case 'path':
      return () => true;
    case 'query':
      return ({ target }) => target.includes(name) || target.includes(encoded);
    case 'header': {
      const field = name.toLowerCase();
      return ({ headers }) => firstValue(headers, field) !== undefined;
    }
    case 'cookie':
      return ({ headers }) => firstValue(headers, 'cookie')?.includes(name) ?? false;
  }
}
