import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { Contract } from './contract.ts';

/** The URL of a server with the defaults of its variables (OpenAPI 3.1 §4.8.5). */
function fillVariables(url: string, { variables }: JsonObject): string {
  return url.replaceAll(/\{([^}]*)\}/gu, (template: string, name: string) => {
    const variable = isJsonObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isJsonObject(variable) && typeof variable['default'] === 'string' ? variable['default'] : template;
  });
}

/** The URLs of a document's servers as it has them, relative ones too, the defaults of their variables filled in. */
export function listServerUrls({ root }: Pick<Contract, 'root'>): readonly string[] {
  const servers = Array.isArray(root['servers']) ? root['servers'].filter(isJsonObject) : [];
  return servers.flatMap((server) =>
    typeof server['url'] === 'string' ? [fillVariables(server['url'], server)] : [],
  );
}
