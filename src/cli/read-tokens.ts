import { readFile } from 'node:fs/promises';
import { ClocheError } from '../errors/cloche-error.ts';
import { describeReadFailure } from '../errors/describe-read-failure.ts';

/**
 * The tokens that a command was given: by option, by file (one a line), or by the environment variable
 * CLOCHE_TOKEN.
 *
 * @throws ClocheError OPTION_INVALID where the file cannot be read or holds no token
 */
export async function readTokens(input: {
  readonly token: readonly string[];
  readonly tokenFile: string | undefined;
}): Promise<readonly string[]> {
  const tokens = [...input.token];
  if (input.tokenFile !== undefined) {
    const subject = input.tokenFile;
    const attempt = 'read tokens from';
    const text = await readFile(subject, 'utf8').catch((cause: unknown) => {
      const reason = describeReadFailure(cause);
      throw new ClocheError('OPTION_INVALID', {
        attempt,
        subject,
        reason,
        remedy: 'Name a file with one token a line',
        cause,
      });
    });
    const lines = text
      .split(/\r?\n/u)
      .map((line) => line.trim())
      .filter((line) => line !== '');
    if (lines.length === 0) {
      throw new ClocheError('OPTION_INVALID', {
        attempt,
        subject,
        reason: 'it holds no token',
        remedy: 'Write one token a line into it',
      });
    }
    tokens.push(...lines);
  }
  const fromEnvironment = process.env['CLOCHE_TOKEN'];
  if (tokens.length === 0 && fromEnvironment !== undefined && fromEnvironment !== '') {
    tokens.push(fromEnvironment);
  }
  return tokens;
}
