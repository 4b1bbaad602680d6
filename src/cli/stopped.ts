/** Returns a signal that Ctrl-C and SIGTERM give, for commands that run until they are stopped. The second one ends the process. */
export function stopped(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(1);
      stop.abort();
    });
  return stop.signal;
}
