import type { HarExchange } from './har-exchange.ts';

/**
 * The target of an entry below a base URL, as the document has its paths.
 *
 * @returns undefined where it is not below it
 */
export function targetBelow(
  baseUrl: string,
  { origin, exchange }: Pick<HarExchange, 'origin' | 'exchange'>,
): string | undefined {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/u, '');
  const { target } = exchange.request;
  if (origin !== base.origin || !target.startsWith(prefix)) {
    return undefined;
  }
  const rest = target.slice(prefix.length);
  if (rest === '' || rest.startsWith('?')) {
    return `/${rest}`;
  }
  return rest.startsWith('/') ? rest : undefined;
}
