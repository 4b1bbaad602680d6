// Opens a library in a fresh process, asks one question, and prints the time and the most memory that it took.
import { openLibrary } from "./library.ts";

const { MILLION_FILE: file, MILLION_QUERY: query } = process.env;
const started = performance.now();
const { library } = await openLibrary(file!);
await library.search(query!);
const ms = performance.now() - started;
process.stdout.write(JSON.stringify({ ms, peakMb: process.resourceUsage().maxRSS / 1024 }));
await library.close();
