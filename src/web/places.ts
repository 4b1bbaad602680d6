/** Where the page finds the vectors: beside itself, wherever it is served. The model's files lie with the library. */
export const vectorsUrl = new URL("test-vectors/", document.baseURI).href;
