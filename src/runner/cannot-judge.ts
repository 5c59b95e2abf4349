import { ClocheError } from '../errors/cloche-error.ts';

/** The service cannot be judged: the run stops, and does not print a hundred findings. */
export function cannotJudge(target: string, reason: string, remedy: string): ClocheError {
  return new ClocheError('CANNOT_JUDGE', { attempt: 'judge', subject: target, reason, remedy });
}
