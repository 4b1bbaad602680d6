/**
 * The error type and the helper for counts in messages, for entry points that must start without loading the library,
 * such as `selfsame --help`.
 */
export { counted } from "./counted.ts";
export {
  type ErrorCode,
  type ErrorDetails,
  SelfsameError,
  type SelfsameErrorOptions,
} from "./selfsame-error.ts";
