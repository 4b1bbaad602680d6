import type { Filters } from "./filters.ts";
import type { PresetName, QueryVector, SearchParameters, SparseVector } from "./search-parameters.ts";

/** The value that a preset sets for a parameter. A count may be a multiple of the number of requested results. */
export type PresetValue = number | boolean | string | PerResult;

/** A count that grows with the number of requested results. */
export interface PerResult {
  /** The count per result. */
  readonly perResult: number;
}

/** The fields of every row of the table, of any kind. */
export interface DescribedParameter {
  /**
   * One line for people. Names of other parameters are in backticks, so that each interface can spell them its own way.
   */
  readonly says: string;
  /** Replaces the default in texts for people, if the default is a rule or needs no words. */
  readonly defaultSays?: string;
  /** The value if neither the caller nor a preset sets one; null: none, or a rule that `defaultSays` states. */
  readonly default: number | boolean | string | null;
  /** The values that presets set. SPEC §20.2 */
  readonly presets?: Readonly<Partial<Record<PresetName, PresetValue>>>;
  /** The parameter that cannot be given together with this one. */
  readonly conflicts?: keyof SearchParameters;
  /** The parameter that this one requires. */
  readonly needs?: keyof SearchParameters;
  /**
   * Its name in a receipt; absent if it does not affect the answer, or if its fields are listed there instead.
   * SPEC §20.1
   */
  readonly receipt?: string;
  /** True if a receipt has it only where it is not its default. SPEC §20.1 */
  readonly isRareInReceipt?: true;
  /** Its flag of `selfsame search`, as the help shows it; absent if its fields have flags instead. */
  readonly flag?: string;
  /** True if it applies to a single search and is not allowed in a configuration. */
  readonly isOfOneSearch?: true;
}

/** One of several words. */
export interface ChoiceParameter<T extends string = string> extends DescribedParameter {
  /** The discriminant of this kind. */
  readonly kind: "choice";
  /** The allowed words. */
  readonly choices: readonly T[];
}

/** A number within a range. */
export interface NumberParameter extends DescribedParameter {
  /** The discriminant of this kind. */
  readonly kind: "number";
  /** Whether it must be an integer. */
  readonly isWhole: boolean;
  /** The smallest allowed value. */
  readonly minimum: number;
  /** The largest allowed value. */
  readonly maximum: number;
}

/** True or false. */
export interface FlagParameter extends DescribedParameter {
  /** The discriminant of this kind. */
  readonly kind: "flag";
}

/** A string. */
export interface TextParameter extends DescribedParameter {
  /** The discriminant of this kind. */
  readonly kind: "text";
}

/** A string, or a list of strings of which one must match. */
export interface TextsParameter extends DescribedParameter {
  /** The discriminant of this kind. */
  readonly kind: "texts";
  /** The most strings that a list may have; absent: no limit. */
  readonly maximum?: number;
}

/** A date as text, or milliseconds since 1970. SPEC §17.2 */
export interface DateParameter extends DescribedParameter {
  /** The discriminant of this kind. */
  readonly kind: "date";
}

/** For each key, a value, or a list of values of which one must match. SPEC §17.4 */
export interface MetadataParameter extends DescribedParameter {
  /** The discriminant of this kind. */
  readonly kind: "metadata";
}

/** The numbers of a vector. SPEC §9.6 */
export interface VectorParameter extends DescribedParameter {
  /** The discriminant of this kind. */
  readonly kind: "vector";
}

/** Terms and their weights. SPEC §24.1 */
export interface SparseParameter extends DescribedParameter {
  /** The discriminant of this kind. */
  readonly kind: "sparse";
}

/** An object of parameters. */
export interface GroupParameter extends DescribedParameter {
  /** The discriminant of this kind. */
  readonly kind: "group";
  /** Whether it can also be true (the defaults of its fields) or false (none). */
  readonly orFlag: boolean;
  /** Its parameters by name. */
  readonly fields: Readonly<Record<string, SearchParameter>>;
}

/** One row of the table: the values that a parameter can have, and its description for people. */
export type SearchParameter =
  | ChoiceParameter
  | NumberParameter
  | FlagParameter
  | TextParameter
  | TextsParameter
  | DateParameter
  | MetadataParameter
  | VectorParameter
  | SparseParameter
  | GroupParameter;

/** The group for an object type. */
export type GroupOf<T> = GroupParameter & {
  /** One row per member. */
  readonly fields: FieldsOf<T>;
};
/** One row per member of an object type: the compiler keeps the two in step. */
export type FieldsOf<T> = { readonly [F in keyof Required<T>]: ParameterOf<Required<T>[F]> };

/** The kind of row for a type of value. */
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
          : [T] extends [QueryVector]
            ? VectorParameter
            : [T] extends [SparseVector]
              ? SparseParameter
              : [T] extends [NonNullable<Filters["metadata"]>]
                ? MetadataParameter
                : GroupOf<Exclude<T, boolean>>;
