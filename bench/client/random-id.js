/**
 * Where the ids of a run begin: 12 digits, and room for a thousand million more of them. The mock refuses an id that
 * it has seen, and ids of 16 digits would take its slow path.
 */
export function randomId() {
  return 100_000_000_000 + Math.floor(Math.random() * 800_000_000_000);
}
