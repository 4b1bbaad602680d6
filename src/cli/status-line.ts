/** One line on standard error that says what is under way, where that is a terminal; silence in a pipe. */
export class StatusLine {
  readonly #show = process.stderr.isTTY === true;

  show(text: string): void {
    if (this.#show) process.stderr.write(`\r\u001b[2K${text}`);
  }

  clear(): void {
    if (this.#show) process.stderr.write("\r\u001b[2K");
  }
}
