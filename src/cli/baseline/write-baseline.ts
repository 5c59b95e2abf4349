import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { ClocheError } from '../../errors/cloche-error.ts';

/**
 * Writes a file whole or not at all: beside its place first, and then into it.
 *
 * @throws ClocheError BASELINE_INVALID where it cannot be written
 */
export async function writeBaseline(file: string, text: string): Promise<void> {
  const beside = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(beside, text);
    await rename(beside, file);
  } catch (cause) {
    await rm(beside, { force: true });
    throw new ClocheError('BASELINE_INVALID', {
      attempt: 'write the baseline',
      subject: file,
      reason: cause instanceof Error ? cause.message : String(cause),
      remedy: 'Name a file in a folder that there is and that may be written to',
      cause,
    });
  }
}
