import { DEFAULT_MODEL } from "../index.ts";
import { findConfig } from "./config.ts";

/** Options with a model: the flag's, or the configuration's, or the default, for commands that need no library. */
export function withModel<T extends { readonly model?: string }>(options: T): T & { readonly model: string } {
  return { ...options, model: options.model ?? findConfig()?.model ?? DEFAULT_MODEL };
}
