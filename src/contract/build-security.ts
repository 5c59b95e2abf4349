import { appendPointer } from '../json/json-pointer.ts';
import type { JsonObject } from '../json/json-value.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { resolveObject } from './resolve-object.ts';
import type { SecurityAlternative, SecurityScheme } from './security.ts';

function buildScheme(root: JsonObject, name: string): SecurityScheme {
  const scheme = resolveObject(root, appendPointer('/components/securitySchemes', name))?.value ?? {};
  const { type, in: place, name: parameter } = scheme;
  const httpScheme = typeof scheme['scheme'] === 'string' ? scheme['scheme'].toLowerCase() : '';
  if (type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && httpScheme === 'bearer')) {
    return { kind: 'bearer', name };
  }
  if (type === 'http' && httpScheme === 'basic') {
    return { kind: 'basic', name };
  }
  if (type === 'apiKey' && typeof parameter === 'string') {
    if (place === 'header' || place === 'query' || place === 'cookie') {
      return { kind: 'api-key', name, in: place, parameter };
    }
  }
  return {
    kind: 'unjudged',
    name,
    reason: `the scheme is ${httpScheme || (typeof type === 'string' ? type : 'unnamed')}`,
  };
}

/**
 * The ways in which an operation lets a request in (OpenAPI 3.1 §4.8.30): its own list, else that of the
 * document.
 */
export function buildSecurity(root: JsonObject, operation: JsonObject): readonly SecurityAlternative[] {
  const list = operation['security'] ?? root['security'];
  if (!Array.isArray(list)) {
    return [];
  }
  return list.filter(isJsonObject).map((names) => Object.keys(names).map((name) => buildScheme(root, name)));
}
