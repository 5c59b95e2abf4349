const units = [
  ['MiB', 1_024 * 1_024],
  ['KiB', 1_024],
] as const;

/**
 * A number of bytes in words.
 *
 * @example
 * renderBytes(1_048_576); // '1 MiB'
 */
export function renderBytes(bytes: number): string {
  const [unit, size] = units.find(([, each]) => bytes >= each && bytes % each === 0) ?? ['bytes', 1];
  return `${bytes / size} ${unit}`;
}
