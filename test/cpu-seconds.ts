/** The processor's time for a piece of work, in seconds: what else the machine does is not in it. */
export function cpuSeconds(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** The processor's time since `process.cpuUsage()` was read, in milliseconds. */
export function cpuMsSince(then: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(then);
  return (user + system) / 1000;
}
