/** The documents that one of the processes adds to the shared library. */
export function documentsOf(name, count) {
  return Array.from({ length: count }, (_, i) => {
    const word = `${name.replace(/[^a-z0-9]/gi, "")}note${i}`;
    return { path: `${word}.md`, text: `# ${word}\n\nWritten by ${word}, which nobody else wrote.\n` };
  });
}
