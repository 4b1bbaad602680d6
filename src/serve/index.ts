/** The HTTP service over namespaces, for the command that starts it. */
export { LIMITS, type Limits } from "./limits.ts";
export { type RunningServer, type ServerOptions, startServer } from "./server.ts";
