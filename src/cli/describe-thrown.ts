import { ClocheError } from '../errors/cloche-error.ts';

/** The exit code and the words for something that was thrown: our own sentence, or what to report. */
export function describeThrown(error: unknown): { readonly code: number; readonly text: string } {
  if (error instanceof ClocheError) {
    return { code: error.exitCode, text: error.message };
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    code: 4,
    text: `Cloche itself failed. Please report this, with the command and the document:\n${detail}`,
  };
}
