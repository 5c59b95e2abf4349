import { readFile } from 'node:fs/promises';
import type { Given } from '../../config/command-options.ts';
import { configurationKey } from '../../config/keys.ts';
import type { Option } from '../../config/option.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { fingerprint } from '../../json/fingerprint.ts';
import { maskValue } from './run-config.ts';
import type { TestArguments } from './test.ts';

/** Fingerprints of the settings of a run, by option. Redis stores them, so they do not contain the values. */
export type SettingFingerprints = Readonly<Record<string, string>>;

/** Options that do not change what the parts of a run test. */
const ofCommand = new Set([
  'baseline',
  'config',
  'coverage',
  'queue',
  'quiet',
  'report',
  'service',
  'shell',
  'verbose',
  'workers',
]);

/** Returns the value of an option without secrets, with the text of each file in place of its path. */
async function readSetting(option: Option, value: unknown): Promise<unknown> {
  if (option.isPath !== true) return maskValue(option, value);
  // A URL names the same document everywhere.
  return Promise.all([value].flat().map((file) => readFile(String(file), 'utf8').catch(() => String(file))));
}

/** Returns the fingerprints of the settings of a run without secrets, and of the files that they name. */
export async function fingerprintSettings({
  options,
  values,
}: Given<TestArguments>): Promise<SettingFingerprints> {
  const given = Object.entries<Option>(options).filter(
    ([name]) => !ofCommand.has(name) && values[name] !== undefined,
  );
  const settings = await Promise.all(
    given.map(async ([name, option]) => {
      const setting = await readSetting(option, values[name]);
      return [name, fingerprint(JSON.stringify(setting))] as const;
    }),
  );
  return Object.fromEntries(settings);
}

/**
 * Refuses to test a part of a run with other settings than its command has.
 *
 * @throws ClocheError OPTION_INVALID that names the first setting that differs
 */
export async function refuseOtherSettings(
  words: Given<TestArguments>,
  wanted: SettingFingerprints,
): Promise<void> {
  const own = await fingerprintSettings(words);
  const options: Readonly<Record<string, Option>> = words.options;
  const other = Object.keys({ ...wanted, ...own }).find((name) => own[name] !== wanted[name]);
  const option = other === undefined ? undefined : options[other];
  if (other === undefined || option === undefined) return;
  const value = words.values[other];
  const place = option.isPath === true ? 'names another file, or another version of it' : 'is another one';
  const here = value === undefined ? '' : `: here it is ${JSON.stringify(maskValue(option, value))}`;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'test a part of',
    subject: words.service ?? 'the service',
    reason: `${configurationKey(other, option) ?? `--${other}`} ${place} than that of the command${here}`,
    remedy: 'Give workers the configuration, files and environment of the command',
  });
}
