/** What `cloche test` takes. */
export interface TestArguments {
  readonly 'base-url': string | undefined;
  readonly document: string | undefined;
  readonly policy: string | undefined;
  readonly answer: readonly string[];
  readonly 'allow-references': boolean;
  readonly token: string | undefined;
  readonly against: string | undefined;
  readonly 'against-token': string | undefined;
  readonly header: readonly string[];
  readonly suite: readonly string[];
  readonly runs: number;
  readonly seed: number | undefined;
  readonly path: string | undefined;
  readonly ids: string | undefined;
  readonly connections: number;
  readonly timeout: number;
  readonly 'response-limit': number;
  readonly rate: number | undefined;
  readonly 'rate-wait': number;
  readonly 'max-time': number | undefined;
  readonly strict: boolean;
  readonly baseline: string | undefined;
  readonly 'update-baseline': boolean;
  readonly coverage: boolean;
  readonly report: readonly string[];
  readonly 'unsafe-methods': boolean;
  readonly insecure: boolean;
  readonly ca: string | undefined;
  readonly bail: boolean;
}
