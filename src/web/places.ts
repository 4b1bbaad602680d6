/**
 * Where the page finds the vectors: beside itself, wherever it is served. The model's files are beside the library's.
 */
export const vectorsUrl = new URL("test-vectors/", document.baseURI).href;
