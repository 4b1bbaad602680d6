export { default as threads } from "#threads";
