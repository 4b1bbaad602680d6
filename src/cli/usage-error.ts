import { SelfsameError, type SelfsameErrorOptions } from "../errors/index.ts";

/** The command line is wrong: `run` exits with 2 instead of 1. Messages name flags, not fields of the API. */
export class UsageError extends SelfsameError {
  constructor(message: string, hint = "", options?: SelfsameErrorOptions) {
    super("BAD_ARGUMENT", message, hint, options);
  }
}
