/** Returns the start of a value's JSON, to be shown in an error; "none" for undefined. */
export function describeJson(value: unknown, lengthMax = 60): string {
  const json = JSON.stringify(value) ?? "none";
  return json.length <= lengthMax ? json : `${json.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, "")}…`;
}
