import type { DeviceFiles } from "./device-files-port.ts";

/** A browser has no files of the device. */
const deviceFiles: DeviceFiles | null = null;

export default deviceFiles;
