/**
 * The ways to write a time in UTC (RFC 3339 §5.6), given as `2026-01-01T00:00:00Z`; the usual one comes first. They have
 * 20, 24, 25 and 29 characters: a schema that says how long its times are means one of them.
 */
export function dateTimeForms(time: string): readonly string[] {
  const seconds = time.replace(/Z$/u, '');
  return ['Z', '.000Z', '+00:00', '.000+00:00'].map((end) => `${seconds}${end}`);
}
