import { SelfsameError } from "../errors/index.ts";
import { DEFAULT_MODEL } from "../index.ts";
import { type Config, findConfig } from "./config.ts";
import { checkModel } from "./value-checks.ts";

/**
 * Returns options with a model, for commands that need no library: the flag's, or the configuration's, or the default.
 */
export function withModel<T extends { readonly model?: string }>(options: T): T & { readonly model: string } {
  return { ...options, model: options.model ?? modelOf(findConfig()) ?? DEFAULT_MODEL };
}

/**
 * Returns the configuration's model. It is checked only when it is used, because a flag may override it.
 *
 * @throws BAD_CONFIG
 */
export function modelOf(config: Config | null): string | undefined {
  if (config?.model === undefined) return undefined;
  try {
    checkModel(config.model, "model");
  } catch (error) {
    throw error instanceof SelfsameError ? config.fault(["model"], error.reason, error.hint) : error;
  }
  return config.model;
}
