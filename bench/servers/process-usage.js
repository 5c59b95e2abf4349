import { readFileSync } from 'node:fs';

/** Clock ticks a second: USER_HZ, 100 on every Linux that Node runs on (proc(5)). */
const ticksPerSecond = 100;

/**
 * The processor time that a process has used, in microseconds; 0 where there is no /proc.
 * @param {number} pid
 */
export function readCpuMicroseconds(pid) {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The second field, the command, may hold spaces; utime and stime are the 14th and the 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6;
}

/**
 * The resident memory of a process, in bytes; 0 where there is no /proc.
 * @param {number} pid
 */
export function readResidentBytes(pid) {
  if (process.platform !== 'linux') return 0;
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024;
}
