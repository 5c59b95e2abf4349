import type { RequestHead } from '../../steps/request-head.ts';
import { isLoopbackHost } from './is-loopback-host.ts';

/** An address that only programs on the same machine have (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3), with a port or without. */
const loopback = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}(?::\d+)?|::1|\[::1\](?::\d+)?)$/iu;

/** A parameter of Forwarded that says where a request was from or for (RFC 7239 §5.2, §5.3). */
const forwarded = /(?:^|[;,\s])(for|host)=(?:"([^"]*)"|([^;,\s]*))/giu;

/** Fields in which proxies and tunnels of all kinds name who asked them. */
const clientFields = [
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
];

function listOf(value: string | undefined): readonly string[] {
  return value === undefined ? [] : value.split(',').map((each) => each.trim());
}

/**
 * Whether a proxy says that it hands on a request from another machine: a tunnel that shows a mock to others sends all
 * requests from this one, and often with its host.
 */
export function isForwarded(head: RequestHead): boolean {
  const pairs = [...(head.header('forwarded') ?? '').matchAll(forwarded)].map(
    ([, name = '', quoted, plain = '']) => ({ name: name.toLowerCase(), value: quoted ?? plain }),
  );
  const valuesOf = (wanted: string): readonly string[] =>
    pairs.filter(({ name }) => name === wanted).map(({ value }) => value);
  const clients = [
    ...listOf(head.header('x-forwarded-for')),
    ...clientFields.flatMap((name) => listOf(head.header(name))),
    ...valuesOf('for'),
  ];
  const hosts = [...listOf(head.header('x-forwarded-host')), ...valuesOf('host')];
  return clients.some((client) => !loopback.test(client)) || hosts.some((host) => !isLoopbackHost(host));
}
