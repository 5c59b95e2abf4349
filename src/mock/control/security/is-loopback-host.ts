const loopback = /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/iu;

/**
 * Whether the value of Host, or the authority of a URL, names the machine itself (RFC 6761 §6.3, RFC 1122 §3.2.1.3,
 * RFC 4291 §2.5.3). A page whose name was made to lead here still sends its own name.
 */
export function isLoopbackHost(host: string): boolean {
  return loopback.test(host);
}
