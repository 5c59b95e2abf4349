import { ClocheError } from '../../../errors/cloche-error.ts';

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Reads a duration: `500ms`, `90s`, `1.5h`.
 *
 * @returns milliseconds, whole ones
 * @throws ClocheError OPTION_INVALID where it is none
 */
export function parseDuration(text: string): number {
  const [, number = '', unit = ''] = /^(-?\d+(?:\.\d+)?)(ms|[smhd])$/u.exec(text.trim()) ?? [];
  const scale = units[unit];
  if (scale !== undefined) {
    return Math.round(Number(number) * scale);
  }
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'read the duration',
    subject: text,
    reason: 'it is no number with a unit behind it',
    remedy: 'Write it as 500ms, 90s, 5m, 2h or 1d',
  });
}
