export { clearLocks, openDatabase } from "#database";
