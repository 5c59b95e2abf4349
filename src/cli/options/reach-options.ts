import type { Options } from 'yargs';
import { usualResponseLimit } from '../../http/send-target.ts';
import { listOption } from './list-option.ts';

/** The options of every command that talks to a service. */
export const reachOptions: Readonly<
  Record<'token' | 'header' | 'insecure' | 'ca' | 'timeout' | 'response-limit', Options>
> = {
  token: {
    type: 'string',
    requiresArg: true,
    describe: 'A token that the service accepts; user:password for basic authentication',
    defaultDescription: '$CLOCHE_TOKEN',
  },
  header: {
    ...listOption,
    alias: 'H',
    describe: 'A header field for every request, "Name: value"; may be given again',
  },
  insecure: { type: 'boolean', describe: "Take any certificate of the service's" },
  ca: {
    type: 'string',
    requiresArg: true,
    describe: 'A file with the certificate authority to trust, PEM',
  },
  timeout: { requiresArg: true, default: 5_000, describe: 'Milliseconds that one answer may take' },
  'response-limit': {
    requiresArg: true,
    default: usualResponseLimit,
    defaultDescription: '16 MiB',
    describe: 'Bytes of an answer to read; the content of a longer one is not judged',
  },
};
