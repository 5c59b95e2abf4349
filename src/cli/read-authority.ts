import { readFile } from 'node:fs/promises';
import { ClocheError } from '../errors/cloche-error.ts';
import { describeReadFailure } from '../errors/describe-read-failure.ts';

/**
 * Reads the certificate authority that `--ca` names.
 *
 * @returns the text of the file, PEM
 * @throws ClocheError OPTION_INVALID where the file cannot be read or holds no certificate
 */
export async function readAuthority(path: string): Promise<string> {
  function refuse(reason: string, cause?: unknown): ClocheError {
    return new ClocheError('OPTION_INVALID', {
      attempt: 'read the certificate authority',
      subject: path,
      reason,
      remedy: 'Name a PEM file with --ca, one that has a line -----BEGIN CERTIFICATE-----',
      cause,
    });
  }
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw refuse(describeReadFailure(cause), cause);
  });
  if (!text.includes('-----BEGIN CERTIFICATE-----')) {
    throw refuse('it holds no certificate in PEM form');
  }
  return text;
}
