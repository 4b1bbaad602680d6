/**
 * The error type and the helpers for counts and long texts in messages, for entry points that must start without loading the library,
 * such as `selfsame --help`.
 */
export { counted } from "./counted.ts";
export {
  type ErrorCode,
  type ErrorDetails,
  SelfsameError,
  type SelfsameErrorOptions,
} from "./selfsame-error.ts";
export { shortened } from "./shortened.ts";
