export { openDatabase } from "#database";
