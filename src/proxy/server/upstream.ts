import type { TlsTrust } from '../../http/tls-trust.ts';

/** The service that requests are forwarded to. */
export interface Upstream {
  readonly baseUrl: URL;
  /** Which certificates it may show; looked at for https: alone. */
  readonly trust: TlsTrust;
}
