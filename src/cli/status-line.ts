/** A line on standard error that shows what is in progress, if that is a terminal; nothing in a pipe. */
export class StatusLine {
  readonly #show = process.stderr.isTTY === true;

  show(text: string): void {
    if (this.#show) process.stderr.write(`\r\u001b[2K${text}`);
  }

  clear(): void {
    if (this.#show) process.stderr.write("\r\u001b[2K");
  }
}
