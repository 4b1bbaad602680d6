/** The MCP server, for the commands that start it. */
export type { LibraryAccess } from "./access.ts";
export { answerOf, McpEndpoint, transportError } from "./endpoint.ts";
export { HttpService } from "./http.ts";
export { Roots } from "./roots.ts";
export { createReadingServer } from "./server.ts";
export { Service } from "./service.ts";
export { serveStdio } from "./stdio.ts";
export { watchFiles } from "./watch.ts";
