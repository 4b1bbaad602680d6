import type { OpenFolder } from "./namespaces-port.ts";

/** A browser has no folders. */
const openFolder = null as OpenFolder;

export default openFolder;
