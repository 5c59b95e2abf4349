import type { PartedFields } from './part-hop-fields.ts';

/**
 * The fields of a request as they leave for the service: Host is that of the base URL (RFC 9110 §7.2), and
 * Connection says what is true of our own connection. No Via is added, which an intermediary would have to
 * (§7.6.3): services answer otherwise where they see one, and the proxy is to see what they answer without it.
 *
 * @param input.host - of the base URL
 * @param input.isOld - whether the client speaks HTTP/1.0, in which nobody needs a Host; ours is a client of 1.1
 * @param input.isLast - whether the client wants no more of the connection
 * @param input.isUpgrade - whether an Upgrade is passed on (RFC 9110 §7.8)
 */
export function toUpstreamFields(
  { kept, removed }: PartedFields,
  input: {
    readonly host: string;
    readonly isOld: boolean;
    readonly isLast: boolean;
    readonly isUpgrade: boolean;
  },
): readonly string[] {
  const fields = [...kept];
  let hasHost = false;
  for (let index = 0; index + 1 < fields.length; index += 2) {
    if (fields[index]?.toLowerCase() === 'host') {
      fields[index + 1] = input.host;
      hasHost = true;
    }
  }
  if (!hasHost && input.isOld) {
    fields.unshift('Host', input.host);
  }
  const upgrade = input.isUpgrade ? removed.get('upgrade') : undefined;
  // Trailers are passed on, so a service may be told that they are taken (RFC 9110 §10.1.4).
  const takesTrailers = /\btrailers\b/iu.test(removed.get('te') ?? '');
  const options = [
    ...(upgrade === undefined ? [] : ['Upgrade']),
    ...(takesTrailers ? ['TE'] : []),
    ...(input.isLast && upgrade === undefined ? ['close'] : []),
  ];
  return [
    ...fields,
    ...(takesTrailers ? ['TE', 'trailers'] : []),
    ...(upgrade === undefined ? [] : ['Upgrade', upgrade]),
    ...(options.length === 0 ? [] : ['Connection', options.join(', ')]),
  ];
}
