import type { SearchParameter } from "./parameter-kinds.ts";

/** A parameter's description for people. */
export interface ParameterWords {
  /** One line, without a full stop. */
  readonly says: string;
  /** The default in words; null if there is none, or if it is false. */
  readonly byDefault: string | null;
}

/**
 * Returns the description of a row of `SEARCH_PARAMETERS`, with other parameters spelled as the reader knows them.
 *
 * @param spell returns the spelling of a parameter's name, such as that of its flag
 * @example
 * parameterWords(SEARCH_PARAMETERS.pageSize, (name) => SEARCH_PARAMETERS[name].flag)
 */
export function parameterWords(row: SearchParameter, spell: (name: string) => string): ParameterWords {
  const spelled = (text: string) => text.replace(/`(\w+)`/g, (_, name: string) => spell(name));
  const { says, default: value, defaultSays } = row;
  const byDefault = defaultSays ?? (value === null || value === false ? null : String(value));
  return { says: spelled(says), byDefault: byDefault === null ? null : spelled(byDefault) };
}
