import type { VNode } from 'preact';

/** A glass bell with a seedling under it. */
export function Logo(): VNode {
  return (
    <svg
      viewBox="0 0 32 32"
      width="20"
      height="20"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="2.5"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      <path d="M6 26V16a10 10 0 0 1 20 0v10M3 26h26M16 6V3" />
      <path
        d="M16 26v-9m0 0c0-3 2-4.500 5-4.500 0 3-2 4.500-5 4.500zm0 3c0-3-2-4-4.500-4 0 2.500 2 4 4.500 4z"
        stroke-width="2"
      />
    </svg>
  );
}
