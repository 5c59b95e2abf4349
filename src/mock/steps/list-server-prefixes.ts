import type { Contract } from '../../contract/contract.ts';
import { listServerUrls } from '../../contract/list-server-urls.ts';

/**
 * The paths that a document's servers put before its own paths: `/v1` of `https://api.example.com/v1`, each
 * once and without a slash at its end. Servers without such a path have none, and neither has what is no URL.
 */
export function listServerPrefixes(contract: Pick<Contract, 'root'>): readonly string[] {
  const prefixes = listServerUrls(contract).flatMap((url) =>
    URL.canParse(url, 'http://mock.invalid')
      ? [new URL(url, 'http://mock.invalid').pathname.replace(/\/+$/u, '')]
      : [],
  );
  return [...new Set(prefixes.filter((prefix) => prefix !== ''))];
}
