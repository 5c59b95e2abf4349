import { networkInterfaces } from 'node:os';
import type { ListeningPlace } from '../http/accept-connections.ts';

/** A sentence on where others reach what listens on more than this machine's own address. */
export function describeReach({ url, isOpenToOthers }: ListeningPlace): readonly string[] {
  if (!isOpenToOthers) {
    return [];
  }
  const { hostname, port } = new URL(url);
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => `http://${address}:${port}`);
  const isEverywhere = hostname === '0.0.0.0' || hostname === '[::]';
  const places = isEverywhere && addresses.length > 0 ? `, at ${addresses.join(' or ')}` : '';
  return [`Other machines can reach it${places}.`];
}
