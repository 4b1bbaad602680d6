import type { Filters } from "./filters.ts";
import type { PresetName, SearchParameters } from "./search-parameters.ts";

/** What a preset sets a parameter to. A count may be a multiple of the number of results that are asked for. */
export type PresetValue = number | boolean | string | PerResult;

/** A count that grows with the number of results that are asked for. */
export interface PerResult {
  /** So many for each result. */
  readonly perResult: number;
}

/** What every row of the table says, whatever its kind. */
export interface DescribedParameter {
  /** One line for people. Other parameters stand in backticks, so that each edge can spell them its own way. */
  readonly says: string;
  /** Replaces the default in what people read, if the default is a rule or needs no words. */
  readonly defaultSays?: string;
  /** What it is if neither the caller nor a preset says; null: nothing, or a rule that `defaultSays` states. */
  readonly default: number | boolean | string | null;
  /** The values that presets set. SPEC §20.2 */
  readonly presets?: Readonly<Partial<Record<PresetName, PresetValue>>>;
  /** The parameter that cannot be given together with this one. */
  readonly conflicts?: keyof SearchParameters;
  /** The parameter without which this one means nothing. */
  readonly needs?: keyof SearchParameters;
  /** Its name in a receipt; absent if it does not decide the answer, or if its fields stand there instead. SPEC §20.1 */
  readonly receipt?: string;
  /** Its flag of `selfsame search`, as the help shows it; absent if its fields have flags instead. */
  readonly flag?: string;
  /** True if it belongs to one search and cannot stand in a configuration. */
  readonly isOfOneSearch?: true;
}

/** One of several words. */
export interface ChoiceParameter<T extends string = string> extends DescribedParameter {
  /** What tells this kind from the others. */
  readonly kind: "choice";
  /** The words that it can be. */
  readonly choices: readonly T[];
}

/** A number within a range. */
export interface NumberParameter extends DescribedParameter {
  /** What tells this kind from the others. */
  readonly kind: "number";
  /** Whether it has no fraction. */
  readonly isWhole: boolean;
  /** The least that it can be. */
  readonly minimum: number;
  /** The most that it can be. */
  readonly maximum: number;
}

/** True or false. */
export interface FlagParameter extends DescribedParameter {
  /** What tells this kind from the others. */
  readonly kind: "flag";
}

/** A string. */
export interface TextParameter extends DescribedParameter {
  /** What tells this kind from the others. */
  readonly kind: "text";
}

/** A string, or a list of strings of which one must match. */
export interface TextsParameter extends DescribedParameter {
  /** What tells this kind from the others. */
  readonly kind: "texts";
  /** The most strings of a list; absent: no limit. */
  readonly maximum?: number;
}

/** A date in text, or milliseconds since 1970. SPEC §17.2 */
export interface DateParameter extends DescribedParameter {
  /** What tells this kind from the others. */
  readonly kind: "date";
}

/** For each key a value, or a list of values of which one must match. SPEC §17.4 */
export interface MetadataParameter extends DescribedParameter {
  /** What tells this kind from the others. */
  readonly kind: "metadata";
}

/** An object of parameters. */
export interface GroupParameter extends DescribedParameter {
  /** What tells this kind from the others. */
  readonly kind: "group";
  /** Whether it can also be true, for the defaults of its fields, or false, for none. */
  readonly orFlag: boolean;
  /** Its parameters by name. */
  readonly fields: Readonly<Record<string, SearchParameter>>;
}

/** One row of the table: what a parameter can be and what it says to people. */
export type SearchParameter =
  | ChoiceParameter
  | NumberParameter
  | FlagParameter
  | TextParameter
  | TextsParameter
  | DateParameter
  | MetadataParameter
  | GroupParameter;

/** The group that an object type has. */
export type GroupOf<T> = GroupParameter & {
  /** A row for each member. */
  readonly fields: FieldsOf<T>;
};
/** A row for each member of an object type: the compiler keeps the two in step. */
export type FieldsOf<T> = { readonly [F in keyof Required<T>]: ParameterOf<Required<T>[F]> };

/** The kind of row that a type of value has. */
export type ParameterOf<T> = [T] extends [boolean]
  ? FlagParameter
  : [T] extends [number]
    ? NumberParameter
    : [T] extends [string]
      ? string extends T
        ? TextParameter
        : ChoiceParameter<T>
      : [T] extends [number | string]
        ? DateParameter
        : [T] extends [string | readonly string[]]
          ? TextsParameter
          : [T] extends [NonNullable<Filters["metadata"]>]
            ? MetadataParameter
            : GroupOf<Exclude<T, boolean>>;
