import { networkInterfaces } from 'node:os';
import type { ListeningPlace } from '../http/listen.ts';

/** Describes the addresses at which other machines can reach a server, if they can. */
export function describeReach({ url, isOpenToOthers }: ListeningPlace): readonly string[] {
  if (!isOpenToOthers) return [];
  const { hostname, port } = new URL(url);
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => `http://${address}:${port}`);
  const isEverywhere = hostname === '0.0.0.0' || hostname === '[::]';
  const places = isEverywhere && addresses.length > 0 ? `, at ${addresses.join(' or ')}` : '';
  return [`Other machines can reach it${places}.`];
}
