/** The MCP server, for the command that starts it. */
export { HttpService } from "./http.ts";
export { Roots } from "./roots.ts";
export { Service } from "./service.ts";
export { serveStdio } from "./stdio.ts";
