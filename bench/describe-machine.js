import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** One line on what the figures were measured on, and when. */
export function describeMachine() {
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    new Date().toISOString().slice(0, 10),
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`,
    `${memory} GiB`,
    `${process.platform} ${process.arch}`,
    `Node ${process.versions.node}`,
    `load before the start ${loadavg()[0].toFixed(1)}`,
  ].join(', ');
}
