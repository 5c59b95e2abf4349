import type { Contract } from '../../contract/contract.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject } from '../../json/json-value.ts';

/** The URL of a server with the defaults of its variables (OpenAPI 3.1 §4.8.5). */
function fillVariables(url: string, { variables }: JsonObject): string {
  return url.replaceAll(/\{([^}]*)\}/gu, (template: string, name: string) => {
    const variable = isJsonObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isJsonObject(variable) && typeof variable['default'] === 'string' ? variable['default'] : template;
  });
}

/**
 * The paths that a document's servers put before its own paths: `/v1` of `https://api.example.com/v1`, each
 * once and without a slash at its end. Servers without such a path have none, and neither has what is no URL.
 */
export function listServerPrefixes({ root }: Pick<Contract, 'root'>): readonly string[] {
  const servers = Array.isArray(root['servers']) ? root['servers'].filter(isJsonObject) : [];
  const prefixes = servers.flatMap((server) => {
    const url = typeof server['url'] === 'string' ? fillVariables(server['url'], server) : '';
    return URL.canParse(url, 'http://mock.invalid')
      ? [new URL(url, 'http://mock.invalid').pathname.replace(/\/+$/u, '')]
      : [];
  });
  return [...new Set(prefixes.filter((prefix) => prefix !== ''))];
}
