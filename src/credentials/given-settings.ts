import type { Contract } from '../contract/contract.ts';
import type { DocumentProblem } from '../document/document.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import { findMismatches } from './fit-schemes.ts';
import { findCredentialFault, type LocatedSetting, readCredentialSettings } from './settings.ts';

/** Credentials in a configuration, and where they stand. */
export interface ConfiguredCredentials {
  /** The settings by security scheme. */
  readonly value: JsonValue;
  /** Their place in the configuration: `/credentials`, `/users/other`. */
  readonly pointer: JsonPointer;
  /** The folder of the configuration, in which commands run and to which names of files are relative. */
  readonly folder: string;
  /** Creates the error for problems of the settings, with their places: see LocatedFile.toError. */
  readonly toError: (problems: readonly DocumentProblem[]) => Error;
}

/** The credentials that a user gave for a service. */
export interface GivenSettings {
  /** @defaultValue none */
  readonly configured?: ConfiguredCredentials | undefined;
  /** The values of `--credential`, SCHEME=VALUE, which replace the configured ones. @defaultValue none */
  readonly credential?: readonly string[];
  /** The token for all schemes without settings of their own. @defaultValue none */
  readonly token?: string | undefined;
  /** The command that prints this token. @defaultValue none */
  readonly tokenCommand?: string | undefined;
}

/** Reads `SCHEME=VALUE`. The error messages do not show the text, which may be a secret. */
function parseFlag(text: string): readonly [scheme: string, value: string] {
  const at = text.indexOf('=');
  const [scheme, value] = [text.slice(0, at), text.slice(at + 1)];
  const fault = at < 1 ? 'it is not SCHEME=VALUE' : findCredentialFault(value);
  if (fault === undefined) return [scheme, value];
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'read the credential of',
    subject: '--credential',
    reason: fault.replace(/^it is empty/u, 'its value is empty'),
    remedy: 'Write the name of a security scheme, = and the credential',
  });
}

/**
 * Reads the settings by scheme, from the configuration and the command line, and checks that they fit the document.
 *
 * @throws Error that `configured.toError` creates, or ClocheError OPTION_INVALID for values of the command line
 */
export function readSettings(
  { configured, credential = [] }: GivenSettings,
  contract: Contract,
): ReadonlyMap<string, LocatedSetting> {
  const read = configured && readCredentialSettings(configured.value, configured.pointer);
  const settings = new Map(read?.settings);
  for (const [scheme, value] of credential.map(parseFlag)) {
    settings.set(scheme, { kind: 'value', value, pointer: undefined });
  }
  const mismatches = findMismatches(settings, contract);
  const flag = mismatches.find(({ scheme }) => settings.get(scheme)?.pointer === undefined);
  if (flag !== undefined) {
    const { scheme: subject, reason, remedy } = flag;
    throw new ClocheError('OPTION_INVALID', { attempt: 'use the credential of', subject, reason, remedy });
  }
  const located = mismatches.map(({ scheme, ...problem }) => ({
    pointer: settings.get(scheme)?.pointer ?? '',
    ...problem,
  }));
  const problems = [...(read?.problems ?? []), ...located];
  if (configured !== undefined && problems.length > 0) throw configured.toError(problems);
  return settings;
}
