// Opens the namespaces of a folder, searches once, and prints the number of results.
import { openNamespaces } from "selfsame";

const namespaces = await openNamespaces(process.argv[2]);
const { results } = await namespaces.search("large", "word7 word8 word9");
process.stdout.write(String(results.length));
await namespaces.close();
