// Opens the namespaces of a folder, searches once, and prints the number of results and the seconds of CPU until then.
import { openNamespaces } from "selfsame";

const namespaces = await openNamespaces(process.argv[2]);
const { results } = await namespaces.search("large", "word7 word8 word9");
const { user, system } = process.cpuUsage();
process.stdout.write(JSON.stringify([results.length, (user + system) / 1e6]));
await namespaces.close();
