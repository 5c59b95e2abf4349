/** A part that waits to begin a phase. */
interface Waiting {
  readonly phase: number;
  /** Whether no other part may be in the phase at the same time. */
  readonly isAlone: boolean;
}

/**
 * Keeps the phases of a run apart that several threads share out: no part begins a phase while another one is in an
 * earlier phase, and phases that need the service alone are entered by one part after the other.
 */
export class Phases<Part> {
  /** The phase that each part is in or waits for. */
  readonly #phases = new Map<Part, number>();
  readonly #waiting = new Map<Part, Waiting>();
  readonly #begin: (part: Part) => void;

  /**
   * @param parts - all parts, before their first phase
   * @param begin - called when a part may begin the phase that it waits for
   */
  constructor(parts: readonly Part[], begin: (part: Part) => void) {
    for (const part of parts) this.#phases.set(part, -1);
    this.#begin = begin;
  }

  /** A part has ended the phase before, and waits to begin this one. */
  enter(part: Part, phase: number, isAlone: boolean): void {
    this.#phases.set(part, phase);
    this.#waiting.set(part, { phase, isAlone });
    this.#advance();
  }

  /** A part has ended its run. */
  leave(part: Part): void {
    this.#phases.delete(part);
    this.#waiting.delete(part);
    this.#advance();
  }

  #advance(): void {
    const earliest = Math.min(...this.#phases.values());
    for (const [part, { phase, isAlone }] of this.#waiting) {
      const isBusy = [...this.#phases].some(
        ([other, its]) => other !== part && its === phase && !this.#waiting.has(other),
      );
      if (phase > earliest || (isAlone && isBusy)) continue;
      this.#waiting.delete(part);
      this.#begin(part);
    }
  }
}
