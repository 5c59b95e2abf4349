import type { Contract } from '../../contract/contract.ts';
import { createRouter, type Route } from '../../contract/create-router.ts';
import { listServerPrefixes } from './list-server-prefixes.ts';

/** Which paths a mock answers by its contract. */
export interface DeclaredPaths {
  /** What a path leads to; undefined where the document has none that fits. */
  readonly route: (path: string) => Route | undefined;
  /** A path without the prefix of a server, where it leads somewhere only so. */
  readonly toDeclaredPath: (path: string) => string;
}

/** Indexes the paths of a contract, which are answered as they are, and with the prefix of a server before them. */
export function createDeclaredPaths(contract: Contract): DeclaredPaths {
  const route = createRouter(contract);
  const prefixes = listServerPrefixes(contract);
  return {
    route,
    toDeclaredPath(path) {
      if (prefixes.length === 0 || route(path) !== undefined) {
        return path;
      }
      const prefix = prefixes.find(
        (each) => path.startsWith(`${each}/`) && route(path.slice(each.length)) !== undefined,
      );
      return prefix === undefined ? path : path.slice(prefix.length);
    },
  };
}
