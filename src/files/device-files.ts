export { default as deviceFiles } from "#files";
