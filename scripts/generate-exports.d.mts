interface EngineFunction {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
}
export function engineFunctions(): readonly EngineFunction[];
export function engineCodes(): readonly { readonly name: string; readonly value: number }[];
export function isStale(): boolean;
export function writeExports(): boolean;
