/**
 * The HTTP service over namespaces, for the command that starts it and for applications.
 *
 * @module
 */
export { LIMITS, type Limits } from "./limits.ts";
export type { LogOptions } from "./log.ts";
export type { SearchSettings } from "./query-parameters.ts";
export { type RunningServer, type ServerOptions, startServer } from "./server.ts";
