import { checkToken } from './check-token.ts';
import { createArgumentReader } from './create-argument-reader.ts';

/** What `cloche proxy` takes. */
export interface ProxyArguments {
  readonly 'base-url': string | undefined;
  readonly port: number;
  readonly host: string | undefined;
  readonly document: string | undefined;
  readonly 'allow-references': boolean;
  readonly policy: string | undefined;
  readonly answer: readonly string[];
  readonly token: readonly string[];
  readonly insecure: boolean;
  readonly ca: string | undefined;
  /** Bytes of content of each side. */
  readonly 'judge-limit': number;
  readonly mark: boolean;
  readonly quiet: boolean;
  readonly coverage: boolean;
  readonly report: readonly string[];
  readonly strict: boolean;
}

/**
 * Reads what `cloche proxy` was given.
 *
 * @param given - as yargs gives it
 * @throws ClocheError OPTION_INVALID for the first option that has a value it cannot take
 */
export function readProxyArguments(given: {
  readonly [Name in keyof ProxyArguments]: unknown;
}): ProxyArguments {
  const { text, number, list, flag } = createArgumentReader(given);
  return {
    'base-url': text('base-url'),
    port: number('port'),
    host: text('host'),
    document: text('document'),
    'allow-references': flag('allow-references'),
    policy: text('policy'),
    answer: list('answer'),
    token: list('token').map((token) => checkToken('--token', token)),
    insecure: flag('insecure'),
    ca: text('ca'),
    'judge-limit': number('judge-limit'),
    mark: flag('mark'),
    quiet: flag('quiet'),
    coverage: flag('coverage'),
    report: list('report'),
    strict: flag('strict'),
  };
}
