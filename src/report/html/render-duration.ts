/** A time for a reader, with three digits that count: `0.42 ms`, `12.3 ms`, `1.24 s`, `2 min 5 s`. */
export function renderDuration(ms: number): string {
  if (ms >= 120_000) {
    const seconds = Math.round(ms / 1_000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  const [value, unit] = ms >= 999.5 ? [ms / 1_000, 's'] : [ms, 'ms'];
  return `${Number(value.toPrecision(3))} ${unit}`;
}
