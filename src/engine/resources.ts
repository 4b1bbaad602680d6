export { default as resources } from "#resources";
