/** A number of resources in words. */
export function countResources(count: number): string {
  return count === 1 ? '1 resource' : `${count} resources`;
}
