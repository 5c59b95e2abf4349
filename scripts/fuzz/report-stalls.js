// Loaded with --import into a command under test: tells the parent process about each stall of the event loop.

/** A timer runs this often. */
const tickMs = 20;
/** The event loop may be busy for this long at a time. */
const longestMs = 200;

let [before, used] = [performance.now(), process.cpuUsage()];
setInterval(() => {
  const now = performance.now();
  const cpu = process.cpuUsage(used);
  const cpuMs = (cpu.user + cpu.system) / 1_000;
  // A busy machine delays the timer, too. The process caused the delay only if it worked during all of it.
  const stalledMs = Math.min(now - before, cpuMs);
  if (stalledMs > longestMs && process.connected) process.send({ stalledMs: Math.round(stalledMs) });
  [before, used] = [now, process.cpuUsage()];
}, tickMs).unref();
// The parent never sends anything, and its channel must not keep the command alive.
process.channel?.unref();

export {};
