/**
 * Runs tasks, several at once, in order; after the first failure, or once stopped, no other is begun.
 *
 * @param input.atOnce - how many tasks may be under way together
 * @throws what the first task that failed threw, when those under way have ended
 */
export async function runSideBySide<Task>(input: {
  readonly tasks: readonly Task[];
  readonly atOnce: number;
  readonly isStopped: () => boolean;
  readonly run: (task: Task) => Promise<void>;
}): Promise<void> {
  const { tasks, atOnce, isStopped, run } = input;
  const queue = [...tasks];
  let failure: Error | undefined;

  async function work(): Promise<void> {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (isStopped() || failure !== undefined) {
        return;
      }
      try {
        await run(next);
      } catch (error) {
        failure ??= error instanceof Error ? error : new Error(String(error));
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(atOnce, tasks.length) }, work));
  if (failure !== undefined) {
    throw failure;
  }
}
